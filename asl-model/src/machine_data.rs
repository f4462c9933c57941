//! State machines as text and as data of other programs: parsing, serde, validation.
use crate::{Diagnostics, Options, StateMachine, parse, parse_value};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::str::FromStr;

/// Parses a definition in JSON or YAML with [`Options::embedded`]: a resource may be any name. [`parse`] has options, and
/// returns warnings too.
///
/// ```
/// use asl_model::StateMachine;
/// let machine: StateMachine = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#.parse()?;
/// assert_eq!(machine.states.start_at.as_str(), "A");
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
impl FromStr for StateMachine {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        Ok(parse(text, Options::embedded())?.0)
    }
}

/// Writes the definition, as [`StateMachine::to_json`] returns it. The [profile](crate::Profile) is not a part of it.
impl Serialize for StateMachine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// Reads a definition with [`Options::embedded`], for instance as a field of a configuration: a resource may be any name, so
/// that each machine that a program builds can be read again. The error has all faults.
///
/// ```
/// use asl_model::StateMachine;
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Configuration {
///     workflow: StateMachine,
/// }
///
/// let text = r#"{"workflow":{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"charge-card","End":true}}}}"#;
/// let configuration: Configuration = serde_json::from_str(text)?;
/// assert_eq!(serde_json::to_string(&configuration)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for StateMachine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let definition = Value::deserialize(deserializer)?;
        let parsed = parse_value(&definition, Options::embedded()).map_err(D::Error::custom)?;
        Ok(parsed.0)
    }
}

impl StateMachine {
    /// Validates a machine that a program made or changed. Locations are those in its [JSON](StateMachine::to_json).
    ///
    /// ```
    /// use asl_model::{Options, StateMachine, StateName};
    /// let mut machine: StateMachine = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#.parse()?;
    /// assert!(machine.validate(Options::default()).is_empty());
    /// machine.states.start_at = StateName::new("B");
    /// let faults = machine.validate(Options::default());
    /// assert!(faults.to_string().starts_with("MISSING_TRANSITION_TARGET: Missing 'Next' target: B at /StartAt"));
    /// # Ok::<(), asl_model::Diagnostics>(())
    /// ```
    pub fn validate(&self, options: Options) -> Diagnostics {
        match parse_value(&self.to_json(), options) {
            Ok((_, diagnostics)) | Err(diagnostics) => diagnostics,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::strategies::definition;
    use crate::{Options, StateMachine, parse_value};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_machine_is_the_same_after_serialization(definition in definition()) {
            let (machine, warnings) = parse_value(&definition, Options::default()).expect("valid");
            let text = serde_json::to_string(&machine)?;
            prop_assert_eq!(&serde_json::from_str::<StateMachine>(&text)?, &machine);
            prop_assert_eq!(&text.parse::<StateMachine>().expect("valid"), &machine);
            prop_assert_eq!(machine.validate(Options::default()).has_errors(), warnings.has_errors());
        }
    }

    /// A machine that a program builds has its own names of resources.
    #[test]
    fn any_name_of_a_resource_is_read_again() {
        let text =
            r#"{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"charge-card","End":true}}}"#;
        let machine: StateMachine = serde_json::from_str(text).expect("a valid definition");
        assert_eq!(serde_json::to_string(&machine).expect("JSON"), text);
        assert_eq!(text.parse::<StateMachine>(), Ok(machine));
    }

    #[test]
    fn all_faults_are_in_the_error() {
        let error = serde_json::from_str::<StateMachine>(
            r#"{"StartAt": "A", "States": {"A": {"Type": "Pass"}}}"#,
        );
        let error = error.unwrap_err().to_string();
        assert!(error.contains("/States/A"), "{error}");
        assert!("nothing".parse::<StateMachine>().is_err());
    }
}
