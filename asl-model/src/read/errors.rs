//! Retriers and catchers (specification, Errors).
use super::state::Scope;
use super::{Object, Place, Read, Reader};
use crate::rules::transition_targets::TargetField;
use crate::{Catcher, ErrorEquals, JitterStrategy, Retrier};
use serde_json::Value;

const RETRIER: &[&str] = &[
    "ErrorEquals",
    "IntervalSeconds",
    "MaxAttempts",
    "BackoffRate",
    "MaxDelaySeconds",
    "JitterStrategy",
    "Comment",
];
const CATCHER: &[&str] = &[
    "ErrorEquals",
    "ResultPath",
    "Next",
    "Comment",
    "Assign",
    "Output",
];
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
        let known = self.known_fields(retrier, RETRIER);
        let error_equals = self.error_equals(retrier, last);
        let interval_seconds = self.whole(retrier, "IntervalSeconds", 1..=LARGEST);
        let max_attempts = self.whole(retrier, "MaxAttempts", 0..=LARGEST);
        let backoff_rate = self.backoff_rate(retrier);
        let max_delay_seconds = self.whole(retrier, "MaxDelaySeconds", 1..=31_622_400);
        let strategies = [
            ("FULL", JitterStrategy::Full),
            ("NONE", JitterStrategy::None),
        ];
        let jitter_strategy = self.choice_of(retrier, "JitterStrategy", &strategies);
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
        let known = self.known_fields(catcher, CATCHER);
        let assign = self.no_assign(catcher);
        let error_equals = self.error_equals(catcher, last);
        let result_path = self.result_path(catcher);
        let next = self.required(catcher, &["Next"]);
        let next = scope.unless_faulty(next);
        let next =
            next.and_then(|()| self.target(catcher, "Next", TargetField::Catch(index), scope));
        let comment = self.owned_text(catcher, "Comment");
        known?;
        assign?;
        Ok(Catcher {
            error_equals: error_equals?,
            result_path: result_path?,
            next: next?,
            comment: comment?,
        })
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
        self.reserved_error_name(name, place);
        Ok(name)
    }
}
