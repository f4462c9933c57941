//! Fields of the simple types.
use super::{ErrorReported, Object, Place, Read, Reader};
use crate::DiagnosticRule;
use crate::Whole;
use crate::definition::Word;
use crate::rules::placeholders::is_placeholder;
use serde_json::Value;
use std::ops::RangeInclusive;

/// A field that can be given as itself, or in a JSONPath state by a path: "TimeoutSeconds", "TimeoutSecondsPath".
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) direct: &'static str,
    pub(crate) path: &'static str,
    /// True if the path may lead into the Context Object.
    pub(crate) takes_context: bool,
}

impl Pair {
    pub(crate) const fn new(direct: &'static str, path: &'static str) -> Self {
        Self {
            direct,
            path,
            takes_context: true,
        }
    }

    /// The service takes no `$$` in it.
    pub(crate) const fn without_context(direct: &'static str, path: &'static str) -> Self {
        Self {
            takes_context: false,
            ..Self::new(direct, path)
        }
    }
}

/// Returns the words of a kind, as the service lists them.
pub(crate) fn list<W: Word>() -> String {
    let words: Vec<&str> = W::ALL.iter().map(|word| word.word()).collect();
    words.join(", ")
}

impl<'v> Reader<'v> {
    pub(crate) fn wrong_type(&mut self, place: &Place<'_>, expected: &str) -> ErrorReported {
        let message = format!("Expected value of type {expected}");
        let reported = self.fault(place, DiagnosticRule::WRONG_TYPE, message);
        let advice = self.advise_wrong_type(place, expected);
        reported.with_advice(self, advice)
    }

    /// Reports the fields that are not there; the service names all in one.
    pub(crate) fn required(&mut self, object: Object<'v, '_>, names: &[&str]) -> Read<()> {
        let missing: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| !object.has(name))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!("These fields are required: [{}]", missing.join(", "));
        let reported = self.fault(object.place, DiagnosticRule::MISSING_FIELD, message);
        let advice = self.advise_missing_fields(object, &missing);
        Err(reported.with_advice(self, advice))
    }

    /// Reports an error if more than one of the fields exists.
    pub(crate) fn at_most_one(&mut self, object: Object<'v, '_>, names: &[&str]) -> Read<()> {
        if names.iter().filter(|name| object.has(name)).count() <= 1 {
            return Ok(());
        }
        let message = format!(
            "There should only be one of the following fields: [{}]",
            names.join(", ")
        );
        let reported = self.fault(object.place, DiagnosticRule::CONFLICTING_FIELDS, message);
        let advice = self.advise_more_than_one(object, names);
        Err(reported.with_advice(self, advice))
    }

    /// Reports an error if not exactly one of the fields exists.
    pub(crate) fn exactly_one(&mut self, object: Object<'v, '_>, names: &[&str]) -> Read<()> {
        if names.iter().any(|name| object.has(name)) {
            return self.at_most_one(object, names);
        }
        let message = format!(
            "This object should have only one of the following fields: [{}]",
            names.join(", ")
        );
        let reported = self.fault(object.place, DiagnosticRule::MISSING_FIELD, message);
        let advice = self.advise_none_of(object, names);
        Err(reported.with_advice(self, advice))
    }

    /// Returns a string.
    pub(crate) fn text_value(&mut self, value: &'v Value, place: &Place<'_>) -> Read<&'v str> {
        match value {
            Value::String(text) => Ok(text),
            _ => Err(self.wrong_type(place, "String")),
        }
    }

    pub(crate) fn text(&mut self, object: Object<'v, '_>, name: &str) -> Read<Option<&'v str>> {
        let Some(value) = object.get(name) else {
            return Ok(None);
        };
        self.text_value(value, &object.place.field(name)).map(Some)
    }

    pub(crate) fn owned_text(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<String>> {
        Ok(self.text(object, name)?.map(str::to_owned))
    }

    /// One of a few words; a placeholder counts as absent.
    pub(crate) fn word<W: Word>(&mut self, object: Object<'v, '_>, name: &str) -> Read<Option<W>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        self.read_word(text, &object.place.field(name))
    }

    pub(crate) fn read_word<W: Word>(&mut self, text: &str, place: &Place<'_>) -> Read<Option<W>> {
        if let Some(word) = W::ALL.iter().find(|word| word.word() == text) {
            return Ok(Some(*word));
        }
        if is_placeholder(text) {
            self.warn_of_placeholder(place, text);
            return Ok(None);
        }
        let message = format!("Value should be one of the following: [{}]", list::<W>());
        let reported = self.fault(place, DiagnosticRule::UNKNOWN_WORD, message);
        let advice = self.advise_unknown_word::<W>(text, place);
        Err(reported.with_advice(self, advice))
    }

    /// Returns a whole number; a placeholder counts as absent.
    pub(crate) fn whole(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Read<Option<u64>> {
        let place = object.place.field(name);
        let Some(number) = self.number(object, name, "Integer")? else {
            return Ok(None);
        };
        if number.fract() != 0.0 {
            return Err(self.wrong_type(&place, "Integer"));
        }
        self.in_range(number, *range.start() as f64, *range.end() as f64, &place)?;
        let exact = object.get(name).and_then(Value::as_u64);
        Ok(Some(exact.unwrap_or(number as u64)))
    }

    /// Returns a number; a placeholder counts as absent.
    pub(crate) fn number(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        expected: &str,
    ) -> Read<Option<f64>> {
        let place = object.place.field(name);
        match object.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if is_placeholder(text) => {
                self.warn_of_placeholder(&place, text);
                Ok(None)
            }
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong_type(&place, expected)),
            },
        }
    }

    pub(crate) fn in_range(
        &mut self,
        number: f64,
        minimum: f64,
        maximum: f64,
        place: &Place<'_>,
    ) -> Read<()> {
        if number < minimum {
            return Err(self.fault(
                place,
                DiagnosticRule::OUT_OF_RANGE,
                format!("Minimum value is {minimum}"),
            ));
        }
        if number > maximum {
            return Err(self.fault(
                place,
                DiagnosticRule::OUT_OF_RANGE,
                format!("Maximum value is {maximum}"),
            ));
        }
        Ok(())
    }

    /// Returns a whole number, or the path or the JSONata string that gives one.
    pub(crate) fn whole_field(
        &mut self,
        object: Object<'v, '_>,
        pair: Pair,
        range: RangeInclusive<u64>,
    ) -> Read<Option<Whole>> {
        if self.is_jsonata() {
            return match self.expression(object, pair.direct)? {
                Some(expression) => Ok(Some(Whole::Expression(expression))),
                None => Ok(self.whole(object, pair.direct, range)?.map(Whole::Number)),
            };
        }
        let one = self.at_most_one(object, &[pair.direct, pair.path]);
        let number = self.whole(object, pair.direct, range);
        let path = match pair.takes_context {
            true => self.single_path(object, pair.path),
            false => self.data_reference(object, pair.path),
        };
        one?;
        Ok(match (number?, path?) {
            (Some(number), _) => Some(Whole::Number(number)),
            (None, Some(path)) => Some(Whole::Path(Box::new(path))),
            (None, None) => None,
        })
    }
}
