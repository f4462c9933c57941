//! Diagnostics: what is wrong with a definition, where, and how bad it is.

/// How bad a [`Diagnostic`] is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// The definition is accepted, but probably not meant so.
    Warning,
    /// The definition is refused.
    Error,
}

/// What kind of fault it is, in the words of the ValidateStateMachineDefinition API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiagnosticCode {
    /// The text is not JSON (or YAML).
    InvalidJsonDescription,
    /// A field is missing, of the wrong type, out of range or not allowed.
    SchemaValidationFailed,
    /// A transition names no state of its scope.
    MissingTransitionTarget,
}

/// A place in a text, for people: both one-based, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// One fault of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Refused, or only warned of.
    pub severity: Severity,
    /// The kind of fault.
    pub code: DiagnosticCode,
    /// What was expected and what was found.
    pub message: String,
    /// JSON pointer (RFC 6901) to the value at fault; `/` for the whole, as the service writes it.
    pub location: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// All faults of a definition, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// True where one is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }
    /// In the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }
}
