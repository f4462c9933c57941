//! Retriers and catchers (2024 specification, Errors).
use super::state::Scope;
use super::{Fields, Moment, Object, Place, Read, Reader, Way};
use crate::rules::placeholders::is_placeholder;
use crate::rules::transition_targets::TargetField;
use crate::{Catcher, CatcherOutput, ErrorEquals, Retrier};
use serde_json::Value;

pub(super) const RETRIER: &[&str] = &[
    "ErrorEquals",
    "IntervalSeconds",
    "MaxAttempts",
    "BackoffRate",
    "MaxDelaySeconds",
    "JitterStrategy",
    "Comment",
];
pub(super) const CATCHER: Fields = Fields {
    common: &["ErrorEquals", "Next", "Comment", "Assign"],
    json_path: &["ResultPath"],
    jsonata: &["Output"],
};
const LARGEST: u64 = 99_999_999;

impl<'v> Reader<'v> {
    /// "Retry".
    pub(crate) fn retry(&mut self, state: Object<'v, '_>) -> Read<Vec<Retrier>> {
        self.list(state, "Retry", |reader, retrier, last, _| {
            reader.retrier(retrier, last)
        })
    }

    /// "Catch".
    pub(crate) fn catch(
        &mut self,
        state: Object<'v, '_>,
        scope: &mut Scope<'v>,
    ) -> Read<Vec<Catcher>> {
        self.list(state, "Catch", |reader, catcher, last, index| {
            reader.catcher(catcher, last, index, scope)
        })
    }

    fn list<T>(
        &mut self,
        state: Object<'v, '_>,
        name: &str,
        mut read: impl FnMut(&mut Self, Object<'v, '_>, bool, usize) -> Read<T>,
    ) -> Read<Vec<T>> {
        let Some(value) = state.get(name) else {
            return Ok(Vec::new());
        };
        let place = state.place.field(name);
        if let Value::String(text) = value
            && is_placeholder(text)
        {
            self.warn_of_placeholder(&place, text);
            return Ok(Vec::new());
        }
        let elements = self.array(value, &place)?;
        let mut list = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            let place = place.element(index);
            let last = index + 1 == elements.len();
            let one = self
                .object(element, &place)
                .and_then(|object| read(self, object, last, index));
            match one {
                Ok(one) => list.push(one),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(list), Err)
    }

    fn retrier(&mut self, retrier: Object<'v, '_>, last: bool) -> Read<Retrier> {
        let known = self.check_known_fields(retrier, RETRIER);
        let error_equals = self.error_equals(retrier, last);
        let interval_seconds = self.whole(
            retrier,
            "IntervalSeconds",
            self.options.profile.least_retry_interval()..=LARGEST,
        );
        let max_attempts = self.whole(retrier, "MaxAttempts", 0..=LARGEST);
        let backoff_rate = self.backoff_rate(retrier);
        let max_delay_seconds = self.whole(retrier, "MaxDelaySeconds", 1..=31_622_400);
        let jitter_strategy = self.word(retrier, "JitterStrategy");
        let comment = self.owned_text(retrier, "Comment");
        known?;
        Ok(Retrier {
            error_equals: error_equals?,
            interval_seconds: interval_seconds?,
            max_attempts: max_attempts?,
            backoff_rate: backoff_rate?,
            max_delay_seconds: max_delay_seconds?,
            jitter_strategy: jitter_strategy?,
            comment: comment?,
        })
    }

    fn backoff_rate(&mut self, retrier: Object<'v, '_>) -> Read<Option<f64>> {
        let rate = self.number(retrier, "BackoffRate", "Number")?;
        if let Some(rate) = rate {
            self.in_range(rate, 1.0, f64::MAX, &retrier.at("BackoffRate"))?;
        }
        Ok(rate)
    }

    fn catcher(
        &mut self,
        catcher: Object<'v, '_>,
        last: bool,
        index: usize,
        scope: &mut Scope<'v>,
    ) -> Read<Catcher> {
        let known = self.check_fields_of(catcher, &CATCHER);
        let assign = self.assign(catcher, Moment::Caught, Way::Catcher(index));
        let error_equals = self.error_equals(catcher, last);
        let output = self.catcher_output(catcher);
        let next = self.required(catcher, &["Next"]);
        let next = scope.unless_faulty(next);
        let next =
            next.and_then(|()| self.target(catcher, "Next", TargetField::Catch(index), scope));
        let comment = self.owned_text(catcher, "Comment");
        known?;
        Ok(Catcher {
            error_equals: error_equals?,
            output: output?,
            assign: assign?,
            next: next?,
            comment: comment?,
        })
    }

    /// "ResultPath" or "Output".
    fn catcher_output(&mut self, catcher: Object<'v, '_>) -> Read<CatcherOutput> {
        if self.is_jsonata() {
            let output = self.template(catcher, "Output", Moment::Caught)?;
            return Ok(CatcherOutput::Jsonata(output));
        }
        self.result_path(catcher).map(CatcherOutput::JsonPath)
    }

    /// "ErrorEquals": error names, at least one.
    fn error_equals(&mut self, object: Object<'v, '_>, last: bool) -> Read<ErrorEquals> {
        const NAME: &str = "ErrorEquals";
        self.required(object, &[NAME])?;
        let place = object.place.field(NAME);
        let value = object.get(NAME).unwrap_or(&Value::Null);
        let elements = self.filled_array(value, &place)?;
        let mut names = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.error_name(element, &place.element(index)) {
                Ok(name) => names.push(name.to_owned()),
                Err(reported) => faulty = Some(reported),
            }
        }
        self.wildcard_alone_and_last(&names, last, &place)?;
        faulty.map_or(Ok(ErrorEquals(names)), Err)
    }

    fn error_name(&mut self, value: &'v Value, place: &Place<'_>) -> Read<&'v str> {
        let name = self.text_value(value, place)?;
        self.check_left_placeholder(place, name);
        self.reserved_error_name(name, place);
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, refused, spec_errors, task};
    use serde_json::{Value, json};

    fn retrier(fields: Value) -> Value {
        let mut retrier = json!({"ErrorEquals": ["e"]});
        if let (Some(retrier), Value::Object(fields)) = (retrier.as_object_mut(), fields) {
            retrier.extend(fields);
        }
        task(json!({"Retry": [retrier]}))
    }

    #[test]
    fn numbers_of_a_retrier_have_limits() {
        for (name, good, small, large) in [
            ("IntervalSeconds", [0, 99_999_999], "0", "99999999"),
            ("MaxAttempts", [0, 99_999_999], "0", "99999999"),
            ("MaxDelaySeconds", [1, 31_622_400], "1", "31622400"),
        ] {
            for number in good {
                accepted(&retrier(json!({name: number})));
            }
            let place = format!("at /States/A/Retry[0]/{name}");
            let below = retrier(json!({name: good[0] - 1}));
            refused(&below, &format!("Minimum value is {small} {place}"));
            let above = retrier(json!({name: good[1] + 1}));
            refused(&above, &format!("Maximum value is {large} {place}"));
            for value in [json!(1.5), json!("1"), json!(null)] {
                let message = format!("Expected value of type Integer {place}");
                refused(&retrier(json!({name: value})), &message);
            }
        }
    }

    #[test]
    fn an_interval_is_positive_by_the_specification() {
        let place = "at /States/A/Retry[0]/IntervalSeconds";
        let text = format!("SCHEMA_VALIDATION_FAILED: Minimum value is 1 {place}");
        assert_eq!(spec_errors(&retrier(json!({"IntervalSeconds": 0}))), [text]);
    }

    #[test]
    fn a_backoff_rate_is_at_least_one() {
        accepted(&retrier(json!({"BackoffRate": 1})));
        accepted(&retrier(json!({"BackoffRate": 1.5})));
        let message = "Minimum value is 1 at /States/A/Retry[0]/BackoffRate";
        refused(&retrier(json!({"BackoffRate": 0.9})), message);
        let message = "Expected value of type Number at /States/A/Retry[0]/BackoffRate";
        refused(&retrier(json!({"BackoffRate": "2"})), message);
    }

    #[test]
    fn a_jitter_strategy_is_one_of_two() {
        accepted(&retrier(json!({"JitterStrategy": "FULL"})));
        let message = "Value should be one of the following: [NONE, FULL] at /States/A/Retry[0]/JitterStrategy";
        refused(&retrier(json!({"JitterStrategy": "full"})), message);
    }

    #[test]
    fn error_names_are_needed() {
        let place = "at /States/A/Retry[0]";
        let missing = task(json!({"Retry": [{}]}));
        refused(
            &missing,
            &format!("These fields are required: [ErrorEquals] {place}"),
        );
        let empty = task(json!({"Retry": [{"ErrorEquals": []}]}));
        refused(
            &empty,
            &format!("Value cannot be empty {place}/ErrorEquals"),
        );
        let wrong = task(json!({"Retry": [{"ErrorEquals": [1]}]}));
        refused(
            &wrong,
            &format!("Expected value of type String {place}/ErrorEquals[0]"),
        );
    }

    #[test]
    fn every_retrier_and_catcher_is_read() {
        let definition = task(json!({
            "Retry": [1, {"ErrorEquals": ["e"], "MaxAttempts": -1}],
            "Catch": [{"ErrorEquals": ["e"]}, {"Next": "A"}],
        }));
        assert_eq!(
            errors(&definition),
            [
                "SCHEMA_VALIDATION_FAILED: Expected value of type Object at /States/A/Retry[0]",
                "SCHEMA_VALIDATION_FAILED: Minimum value is 0 at /States/A/Retry[1]/MaxAttempts",
                "SCHEMA_VALIDATION_FAILED: These fields are required: [Next] at /States/A/Catch[0]",
                "SCHEMA_VALIDATION_FAILED: These fields are required: [ErrorEquals] at /States/A/Catch[1]",
            ]
        );
    }
}
