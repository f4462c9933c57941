//! A variable that no state assigns: another one, a function or `$states` was meant.
use super::Advice;
use crate::read::{Reader, Reference};
use crate::{Change, Fix};
use asl_jsonata::Dialect;
use serde_json::Value;

/// Bytes of the longest string that is written anew.
const LONGEST: usize = 4_096;

impl<'v> Reader<'v> {
    /// Suggests a variable for a name that no visible state assigns, among all `assigned` names.
    pub(crate) fn advise_unknown_variable(
        &mut self,
        reference: &Reference,
        assigned: impl IntoIterator<Item = &'v str>,
    ) -> Option<Advice> {
        let text = self.text_at(reference)?;
        let name = reference.name.as_str();
        let is_expression = reference.site.offset.is_some();
        let predefined = is_expression
            .then(|| std::iter::once("states").chain(Dialect::StatesLanguage.functions()));
        let known = predefined.into_iter().flatten();
        // Names of the definition, next to those that are always there.
        let known = known
            .map(|name: &'static str| -> &'v str { name })
            .chain(assigned);
        let meant = self
            .comparisons
            .nearest(name, known.filter(|known| *known != name))?;
        let advice = Advice::new(format!("did you mean `${meant}`?"));
        Some(match correct(text, reference, meant) {
            Some(mended) => {
                let pointer = reference.site.location.as_ref()?.pointer().to_owned();
                let change = Change::Replace {
                    pointer,
                    value: mended.into(),
                };
                advice.with_fix(Fix::offered(format!("write `${meant}`"), change))
            }
            None => advice,
        })
    }

    /// The string that the reference is in.
    fn text_at(&self, reference: &Reference) -> Option<&'v str> {
        let location = reference.site.location.as_ref()?;
        let pointer = location.pointer();
        let value = self
            .definition
            .pointer(if pointer == "/" { "" } else { pointer });
        value.and_then(Value::as_str)
    }

    /// Suggests a field of `$states` for an unknown one.
    pub(crate) fn advise_unknown_states_field(&mut self, name: &str) -> String {
        const FIELDS: [&str; 4] = ["input", "context", "result", "errorOutput"];
        match self.comparisons.nearest(name, FIELDS) {
            Some(meant) => format!("did you mean `$states.{meant}`?"),
            None => "the fields are input, context, result and errorOutput".to_owned(),
        }
    }
}

/// The text with the name that was meant.
fn correct(text: &str, reference: &Reference, meant: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let start = reference.site.offset.unwrap_or(0);
    let (before, rest) = text.split_at_checked(start)?;
    let rest = rest
        .strip_prefix('$')?
        .strip_prefix(reference.name.as_str())?;
    Some(format!("{before}${meant}{rest}"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, jsonata, machine};
    use serde_json::json;

    #[test]
    fn what_is_nearly_a_known_name_is_told() {
        for (expression, told) in [
            (
                "{% $state.input.x %}",
                "did you mean `$states`? (write `$states`?)",
            ),
            (
                "{% $uppercas('a') %}",
                "did you mean `$uppercase`? (write `$uppercase`?)",
            ),
            ("{% $nothing %}", "no state in scope assigns it"),
            ("{% $states.inptu %}", "did you mean `$states.input`?"),
            (
                "{% $states.foo %}",
                "the fields are input, context, result and errorOutput",
            ),
        ] {
            let pass = json!({"Type": "Pass", "Output": expression, "End": true});
            assert_eq!(advice(&jsonata(pass)), [told]);
        }
    }

    #[test]
    fn a_variable_that_is_assigned_is_told() {
        let definition = |path: &str| {
            json!({"StartAt": "A", "States": {
                "A": {"Type": "Pass", "Assign": {"orderTotal": 1}, "Next": "B"},
                "B": {"Type": "Pass", "Parameters": {"a.$": "$orderTotal", "b.$": path}, "End": true},
            }})
        };
        assert_eq!(
            advice(&definition("$ordertotl.x")),
            ["did you mean `$orderTotal`? (write `$orderTotal`?)"]
        );
        assert_eq!(
            advice(&definition("$customer")),
            ["no state in scope assigns it"]
        );
        // Functions are of JSONata.
        let wait = json!({"Type": "Wait", "SecondsPath": "$state", "End": true});
        assert_eq!(advice(&machine(wait)), ["no state in scope assigns it"]);
    }
}
