//! Revisions of a state machine.
use asl_backend::DefinitionId;
use asl_engine::Timestamp;
use asl_model::StateMachineType;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A revision of a state machine: executions keep the one that they started with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Revision {
    /// None until something is updated (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// Names the definition, in hexadecimal digits.
    pub(crate) definition: String,
    /// ARNs of the activities that the definition invokes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) activities: Vec<String>,
    #[serde(rename = "type")]
    pub(crate) machine_type: StateMachineType,
    pub(crate) role_arn: String,
    pub(crate) logging: Value,
    pub(crate) tracing: Value,
    pub(crate) encryption: Value,
    pub(crate) update_date: Timestamp,
}

impl Revision {
    /// Returns true if both are the same, but for when and by which name.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let Self {
            id: _,
            definition,
            // They follow from the definition.
            activities: _,
            machine_type,
            role_arn,
            logging,
            tracing,
            encryption,
            update_date: _,
        } = self;
        *definition == other.definition
            && *machine_type == other.machine_type
            && *role_arn == other.role_arn
            && *logging == other.logging
            && *tracing == other.tracing
            && *encryption == other.encryption
    }

    pub(crate) fn is_express(&self) -> bool {
        self.machine_type == StateMachineType::Express
    }

    /// As the backend names the definition.
    pub(crate) fn definition_id(&self) -> Option<DefinitionId> {
        let digits = self.definition.as_bytes();
        let mut id = [0; 32];
        if digits.len() != 2 * id.len() {
            return None;
        }
        for (byte, pair) in id.iter_mut().zip(digits.chunks(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(DefinitionId(id))
    }
}

/// Returns a definition's name in hexadecimal digits.
pub(crate) fn digits(id: DefinitionId) -> String {
    id.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::revision;
    use super::*;

    #[test]
    fn the_name_of_a_definition_is_kept_in_digits() {
        let id = DefinitionId(std::array::from_fn(|index| index as u8 * 8));
        let kept = Revision {
            definition: digits(id),
            ..revision("x")
        };
        assert_eq!(kept.definition_id(), Some(id));
        for definition in ["", "zz", &"g".repeat(64), &"ä".repeat(32)] {
            let broken = Revision {
                definition: definition.to_owned(),
                ..revision("x")
            };
            assert_eq!(broken.definition_id(), None);
        }
    }

    #[test]
    fn revisions_differ_by_what_runs_and_how() {
        let one = revision("a");
        let later = Revision {
            id: Some("id".into()),
            update_date: Timestamp::from_milliseconds(99),
            ..revision("a")
        };
        assert!(one.is_same_as(&later));
        assert!(!one.is_same_as(&revision("b")));
        let role = Revision {
            role_arn: "other".into(),
            ..revision("a")
        };
        assert!(!one.is_same_as(&role));
    }
}
