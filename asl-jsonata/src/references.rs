//! References of an expression, found without data.
use std::fmt;

/// A use of a variable that the expression does not assign itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableReference {
    /// Name of the variable, without `$`.
    pub name: String,
    /// Offset in bytes.
    pub position: usize,
}

/// A field of `$states`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum StatesField {
    /// `$states.input`.
    Input,
    /// `$states.result`.
    Result,
    /// `$states.errorOutput`.
    ErrorOutput,
    /// `$states.context`.
    Context,
}

impl StatesField {
    /// Returns the field of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "input" => Self::Input,
            "result" => Self::Result,
            "errorOutput" => Self::ErrorOutput,
            "context" => Self::Context,
            _ => return None,
        })
    }
}

/// A use of `$states`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatesReference {
    /// The field; none where `$states` is used as a whole, or with a field that it never has.
    pub field: Option<StatesField>,
    /// The field as written, if there is one.
    pub name: Option<String>,
    /// Offset in bytes.
    pub position: usize,
}

/// A part of an expression that the States Language does not support (2024 specification, JSONata Restrictions).
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum UnsupportedUse {
    /// `$` at the top level.
    Input {
        /// Offset in bytes.
        position: usize,
    },
    /// `$$` anywhere.
    Root {
        /// Offset in bytes.
        position: usize,
    },
    /// An unqualified field name, or a wildcard, at the top level.
    FieldName {
        /// The name.
        name: String,
        /// Offset in bytes.
        position: usize,
    },
}

impl UnsupportedUse {
    /// Returns the offset in bytes.
    pub fn position(&self) -> usize {
        match self {
            Self::Input { position }
            | Self::Root { position }
            | Self::FieldName { position, .. } => *position,
        }
    }
}

/// Writes the message of the service.
impl fmt::Display for UnsupportedUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { .. } => {
                f.write_str("Reference to '$' at the top level is not supported.")
            }
            Self::Root { .. } => f.write_str("Reference to '$$' is not supported."),
            Self::FieldName { name, .. } => {
                write!(
                    f,
                    "Reference to '{name}' at the top level is not supported."
                )
            }
        }
    }
}

/// References of an expression, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct References {
    /// Free variables other than `$states` and the built-in functions.
    pub variables: Vec<VariableReference>,
    /// Free uses of the names of built-in functions, which a variable of the same name hides.
    pub built_in: Vec<VariableReference>,
    /// Uses of `$states`.
    pub states: Vec<StatesReference>,
    /// Uses that the States Language refuses.
    pub unsupported: Vec<UnsupportedUse>,
}

impl References {
    /// Returns true if an evaluation may read `field` of `$states`: by its name, or through `$states` as a whole.
    pub fn reads(&self, field: StatesField) -> bool {
        self.states
            .iter()
            .any(|used| used.field == Some(field) || used.name.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_are_those_of_the_service() {
        let position = 3;
        let name = "phone".to_owned();
        for (used, message) in [
            (
                UnsupportedUse::FieldName { name, position },
                "Reference to 'phone' at the top level is not supported.",
            ),
            (
                UnsupportedUse::Root { position },
                "Reference to '$$' is not supported.",
            ),
            (
                UnsupportedUse::Input { position },
                "Reference to '$' at the top level is not supported.",
            ),
        ] {
            assert_eq!((used.to_string().as_str(), used.position()), (message, 3));
        }
    }
}
