//! Text or JSON in, a definition or its diagnostics out.
use crate::{Diagnostics, Profile, StateMachine, StateMachineType};
use serde_json::Value;

/// What to hold a definition against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whose rules.
    pub profile: Profile,
    /// For which kind of state machine.
    pub state_machine_type: StateMachineType,
    /// Nesting of the text allowed.
    pub max_depth: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            state_machine_type: StateMachineType::default(),
            max_depth: asl_path::json::DEFAULT_MAX_DEPTH,
        }
    }
}

/// Reads a definition in JSON or YAML: the definition with its warnings, or all its faults.
pub fn parse(text: &str, options: Options) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    let _ = (text, options);
    Err(Diagnostics::default())
}

/// Reads a definition that is JSON already.
pub fn parse_value(
    definition: &Value,
    options: Options,
) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    let _ = (definition, options);
    Err(Diagnostics::default())
}

/// All faults and warnings of a definition in JSON or YAML.
pub fn validate(text: &str, options: Options) -> Diagnostics {
    match parse(text, options) {
        Ok((_, diagnostics)) | Err(diagnostics) => diagnostics,
    }
}
