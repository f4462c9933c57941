//! What an expression refers to, found without data.

/// A use of a variable that the expression does not bind itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableReference {
    /// Its name, without `$`.
    pub name: String,
    /// Where, in bytes.
    pub position: usize,
}

/// A field of `$states`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// A use of `$states`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesReference {
    /// The field; none where `$states` is used as a whole, or with a field that it never has.
    pub field: Option<StatesField>,
    /// The field as written, where there is one.
    pub name: Option<String>,
    /// Where, in bytes.
    pub position: usize,
}

/// A use of what the States Language does not support (2024 specification, JSONata Restrictions).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnsupportedUse {
    /// `$` at the top level.
    Input {
        /// Where, in bytes.
        position: usize,
    },
    /// `$$` anywhere.
    Root {
        /// Where, in bytes.
        position: usize,
    },
    /// An unqualified field name, or a wildcard, at the top level.
    FieldName {
        /// The name.
        name: String,
        /// Where, in bytes.
        position: usize,
    },
    /// `$eval`.
    Eval {
        /// Where, in bytes.
        position: usize,
    },
}

/// All that an expression refers to, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct References {
    /// Free variables other than `$states` and the built-in functions.
    pub variables: Vec<VariableReference>,
    /// Uses of `$states`.
    pub states: Vec<StatesReference>,
    /// What the States Language refuses.
    pub unsupported: Vec<UnsupportedUse>,
}

impl References {
    /// Whether an evaluation may read `field` of `$states`: by its name, or through `$states` as a whole.
    pub fn reads(&self, field: StatesField) -> bool {
        self.states
            .iter()
            .any(|used| used.field == Some(field) || used.name.is_none())
    }
}
