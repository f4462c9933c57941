//! Wait States (2024 specification, Wait State), and timestamps.
use super::{Fields, Object, Read, Reader};
use crate::DiagnosticRule;
use crate::rules::placeholders::is_placeholder;
use crate::{Timestamp, Wait, WaitDuration};

pub(super) const FIELDS: Fields = Fields {
    common: &["Seconds", "Timestamp", "Assign", "Next", "End"],
    json_path: &["InputPath", "OutputPath", "SecondsPath", "TimestampPath"],
    jsonata: &["Output"],
};
const DURATION: &[&str] = &["SecondsPath", "Seconds", "TimestampPath", "Timestamp"];
const JSONATA_DURATION: &[&str] = &["Seconds", "Timestamp"];
const LARGEST_SECONDS: u64 = 99_999_999;

impl<'v> Reader<'v> {
    /// Reads the fields of a Wait State.
    pub(crate) fn wait(&mut self, state: Object<'v, '_>) -> Read<Wait> {
        let duration = match self.is_jsonata() {
            true => self.jsonata_duration(state),
            false => self.duration(state),
        };
        duration.map(|duration| Wait { duration })
    }

    fn duration(&mut self, state: Object<'v, '_>) -> Read<WaitDuration> {
        let one = self.exactly_one(state, DURATION);
        let seconds = self.whole(state, "Seconds", 0..=LARGEST_SECONDS);
        let seconds_path = self.single_path(state, "SecondsPath");
        let timestamp = self.timestamp(state, "Timestamp");
        let timestamp_path = self.single_path(state, "TimestampPath");
        one?;
        let (seconds, seconds_path) = (seconds?, seconds_path?);
        let (timestamp, timestamp_path) = (timestamp?, timestamp_path?);
        Ok(if let Some(path) = seconds_path {
            WaitDuration::SecondsPath(path)
        } else if let Some((timestamp, text)) = timestamp {
            WaitDuration::Timestamp(timestamp, text)
        } else if let Some(path) = timestamp_path {
            WaitDuration::TimestampPath(path)
        } else {
            WaitDuration::Seconds(seconds.unwrap_or_default()) // none where a placeholder stands
        })
    }

    fn jsonata_duration(&mut self, state: Object<'v, '_>) -> Read<WaitDuration> {
        self.exactly_one(state, JSONATA_DURATION)?;
        if let Some(expression) = self.expression(state, "Seconds")? {
            return Ok(WaitDuration::SecondsExpression(expression));
        }
        if let Some(expression) = self.expression(state, "Timestamp")? {
            return Ok(WaitDuration::TimestampExpression(expression));
        }
        if let Some((timestamp, text)) = self.timestamp(state, "Timestamp")? {
            return Ok(WaitDuration::Timestamp(timestamp, text));
        }
        let seconds = self.whole(state, "Seconds", 0..=LARGEST_SECONDS)?;
        Ok(WaitDuration::Seconds(seconds.unwrap_or_default())) // none where a placeholder stands
    }

    /// Returns a timestamp and its text; a placeholder counts as absent.
    pub(crate) fn timestamp(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<(Timestamp, String)>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        let place = object.place.field(name);
        match Timestamp::parse(text) {
            Some(timestamp) => Ok(Some((timestamp, text.to_owned()))),
            None if is_placeholder(text) => {
                self.warn_of_placeholder(&place, text);
                Ok(None)
            }
            None => Err(self.fault_with_hint(
                &place, DiagnosticRule::INVALID_TIMESTAMP,
                "String does not match RFC3339 timestamp",
                "write it as `2016-03-14T01:59:00Z`, or with an offset, `2016-03-14T01:59:00+01:00`",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata, machine, refused};
    use serde_json::json;

    #[test]
    fn a_wait_state_has_one_duration() {
        accepted(&machine(
            json!({"Type": "Wait", "SecondsPath": "$.s", "End": true}),
        ));
        let fields = "[SecondsPath, Seconds, TimestampPath, Timestamp] at /States/A";
        let none = machine(json!({"Type": "Wait", "End": true}));
        refused(
            &none,
            &format!("This object should have only one of the following fields: {fields}"),
        );
        let two =
            json!({"Type": "Wait", "Seconds": 1, "Timestamp": "2016-03-14T01:59:00Z", "End": true});
        refused(
            &machine(two),
            &format!("There should only be one of the following fields: {fields}"),
        );
        let large = machine(json!({"Type": "Wait", "Seconds": 100_000_000, "End": true}));
        refused(&large, "Maximum value is 99999999 at /States/A/Seconds");
    }

    #[test]
    fn a_jsonata_state_waits_for_a_number_a_moment_or_what_an_expression_gives() {
        for (name, value) in [
            ("Seconds", json!(0)),
            ("Seconds", json!("{% $delay %}")),
            ("Timestamp", json!("2016-03-14T01:59:00Z")),
            ("Timestamp", json!("{% $states.input.expirydate %}")),
        ] {
            accepted(&jsonata(json!({"Type": "Wait", name: value, "End": true})));
        }
        for (name, value, message) in [
            ("Seconds", json!(-1), "Minimum value is 0"),
            ("Seconds", json!("1"), "Expected value of type Integer"),
            (
                "Timestamp",
                json!("yesterday"),
                "String does not match RFC3339 timestamp",
            ),
            ("Timestamp", json!(1), "Expected value of type String"),
        ] {
            let definition = jsonata(json!({"Type": "Wait", name: value, "End": true}));
            refused(&definition, &format!("{message} at /States/A/{name}"));
        }
        let both = json!({"Type": "Wait", "Seconds": 1, "Timestamp": "{% $t %}", "End": true});
        refused(
            &jsonata(both),
            "There should only be one of the following fields: [Seconds, Timestamp] at /States/A",
        );
    }
}
