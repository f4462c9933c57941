//! Unsupported values of fields with a fixed list of values.
use super::{Advice, is_same_word, replaced};
use crate::definition::Word;
use crate::read::{Place, Reader};

impl Reader<'_> {
    /// Returns advice for an unsupported value.
    pub(crate) fn advise_unknown_word<W: Word>(&mut self, text: &str, place: &Place<'_>) -> Advice {
        self.advise_unknown_name(text, place, W::ALL.iter().map(|word| word.word()))
    }

    /// Returns advice for a name that is not one of the known ones.
    pub(crate) fn advise_unknown_name(
        &mut self,
        text: &str,
        place: &Place<'_>,
        known: impl IntoIterator<Item = &'static str>,
    ) -> Advice {
        match self.comparisons.nearest(text, known) {
            Some(meant) => Advice::new(format!("did you mean `{meant}`?")).with_fix(replaced(
                is_same_word(text, meant),
                place,
                meant,
            )),
            None => Advice::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, machine, task};
    use serde_json::json;

    #[test]
    fn a_word_that_is_nearly_right_is_told() {
        let state = json!({"Type": "Taks", "End": true});
        assert_eq!(
            advice(&machine(state)),
            ["did you mean `Task`? (write \"Task\"?)"]
        );
        let state = json!({"Type": "pass", "End": true});
        assert_eq!(
            advice(&machine(state)),
            ["did you mean `Pass`? (write \"Pass\")"]
        );
        let retry = json!([{"ErrorEquals": ["States.Timeuot"], "JitterStrategy": "Full"}]);
        assert_eq!(
            advice(&task(json!({"Retry": retry}))),
            [
                "did you mean `States.Timeout`? (write \"States.Timeout\"?)",
                "did you mean `FULL`? (write \"FULL\")",
            ]
        );
    }
}
