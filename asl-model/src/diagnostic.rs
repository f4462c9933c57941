//! Diagnostics: problems of a definition, with location and severity.
use crate::location::push_escaped;
use crate::{DiagnosticRule, Fix, Location, SourceMap};
use std::borrow::Cow;
use std::fmt;

/// Severity of a [`Diagnostic`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "UPPERCASE")]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Severity {
    /// The definition is accepted, but probably not meant so.
    Warning,
    /// The definition is refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Kind of a problem, in the words of the ValidateStateMachineDefinition API.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// The text is not JSON (or YAML).
    InvalidJsonDescription,
    /// The text is empty.
    MissingDescription,
    /// A field is missing, of the wrong type, out of range or not allowed.
    SchemaValidationFailed,
    /// A transition names no state of its scope, or no transition leads to a state.
    MissingTransitionTarget,
    /// A scope of states has none that ends it.
    MissingEndState,
    /// Two states have the same name.
    DuplicateStateName,
    /// A state's name is too long.
    InvalidStateName,
    /// The "Resource" of a Task State is not one that the service takes.
    InvalidResource,
    /// Two Map States have the same label.
    DuplicateLabelName,
    /// A label is too long, or holds a character that it cannot.
    InvalidLabelName,
    /// A JSONata string is no JSONata.
    InvalidJsonataExpression,
    /// A JSONata string refers to data that does not exist there.
    UnsupportedJsonataExpression,
    /// Scopes of states are nested too deeply.
    TooDeeplyNested,
    /// A scope assigns a variable of a scope around it.
    DuplicateVariableName,
    /// A variable's name has characters that a name cannot have, or is too long.
    InvalidVariableName,
    /// A variable's name is reserved.
    ReservedVariableName,
    /// A variable may be undefined when it is read (warning).
    PossiblyUndefinedVariable,
    /// A variable is not used (warning).
    UnusedVariable,
    /// A value looks like a path or an intrinsic function, and the name of its field does not end in `.$` (warning).
    NoDollar,
    /// A value looks like a path, and the name of its field does not end in `Path` (warning).
    NoPath,
    /// The "Result" of a Pass State looks like a template, which it is not (warning).
    PassResultIsStatic,
    /// A placeholder `${Name}` was not replaced (warning); the service knows nothing of these.
    UnreplacedPlaceholder,
}

impl DiagnosticCode {
    /// Returns the code as the API writes it.
    ///
    /// ```
    /// # use asl_model::DiagnosticCode;
    /// assert_eq!(DiagnosticCode::NoDollar.as_str(), "NO_DOLLAR");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJsonDescription => "INVALID_JSON_DESCRIPTION",
            Self::MissingDescription => "MISSING_DESCRIPTION",
            Self::SchemaValidationFailed => "SCHEMA_VALIDATION_FAILED",
            Self::MissingTransitionTarget => "MISSING_TRANSITION_TARGET",
            Self::MissingEndState => "MISSING_END_STATE",
            Self::DuplicateStateName => "DUPLICATE_STATE_NAME",
            Self::InvalidStateName => "INVALID_STATE_NAME",
            Self::InvalidResource => "INVALID_RESOURCE",
            Self::DuplicateLabelName => "DUPLICATE_LABEL_NAME",
            Self::InvalidLabelName => "INVALID_LABEL_NAME",
            Self::InvalidJsonataExpression => "INVALID_JSONATA_EXPRESSION",
            Self::UnsupportedJsonataExpression => "UNSUPPORTED_JSONATA_EXPRESSION",
            Self::TooDeeplyNested => "TOO_DEEPLY_NESTED",
            Self::DuplicateVariableName => "DUPLICATE_VARIABLE_NAME",
            Self::InvalidVariableName => "INVALID_VARIABLE_NAME",
            Self::ReservedVariableName => "RESERVED_VARIABLE_NAME",
            Self::PossiblyUndefinedVariable => "POSSIBLY_UNDEFINED_VARIABLE",
            Self::UnusedVariable => "UNUSED_VARIABLE",
            Self::NoDollar => "NO_DOLLAR",
            Self::NoPath => "NO_PATH",
            Self::PassResultIsStatic => "PASS_RESULT_IS_STATIC",
            Self::UnreplacedPlaceholder => "UNREPLACED_PLACEHOLDER",
        }
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in a text, for people: both one-based, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A problem of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Diagnostic {
    /// Refused, or only warned of.
    pub severity: Severity,
    /// The rule that is broken.
    pub rule: DiagnosticRule,
    /// The expected and the actual content.
    pub message: String,
    /// The value at fault.
    pub location: Location,
    /// The name of the field at fault where `location` is the object that it is in, as the service has it.
    pub field: Option<String>,
    /// Offset in bytes in the string at `location`, if known.
    pub offset: Option<usize>,
    /// A hint about the solution.
    pub hint: Option<String>,
    /// A change that fixes the problem.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns the service's code; None for a problem that the service does not report.
    pub fn code(&self) -> Option<DiagnosticCode> {
        self.rule.code()
    }

    /// Returns the location that the service gives; None for a fault that it gives no location for.
    ///
    /// ```
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "A"}}}"#;
    /// let faults = asl_model::validate(text, asl_model::Options::default());
    /// assert_eq!(faults.iter().next().unwrap().service_location(), None);
    /// ```
    pub fn service_location(&self) -> Option<&str> {
        let location = self.location.as_str();
        let unplaced = [
            DiagnosticRule::NO_TERMINAL_STATE,
            DiagnosticRule::NOT_AN_OBJECT,
        ];
        let is_unplaced = unplaced.contains(&self.rule) && location == "/";
        (!is_unplaced).then_some(location)
    }

    /// Returns the JSON pointer to the field at fault: `location` with [`field`](Self::field), if there is one.
    pub fn pointer(&self) -> Cow<'_, str> {
        let Some(field) = &self.field else {
            return Cow::Borrowed(self.location.pointer());
        };
        let object = match self.location.pointer() {
            "/" => "",
            pointer => pointer,
        };
        let mut pointer = format!("{object}/");
        push_escaped(&mut pointer, field);
        Cow::Owned(pointer)
    }
}

/// Writes `CODE: message at location` as InvalidDefinition of CreateStateMachine does, with `null` for no location, and with the
/// rule where the service has no code.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code() {
            Some(code) => write!(f, "{code}")?,
            None => write!(f, "{}", self.rule)?,
        }
        let location = self.service_location().unwrap_or("null");
        write!(f, ": {} at {location}", self.message)
    }
}

/// All faults of a definition, in the order of the text.
///
/// `{}` prints them as the service does; `{:?}` for people, one below the other with their places and hints, so that an
/// error that leaves `main` by `?` can be read.
///
/// ```
/// let text = r#"{"StartAt": "A", "States": {
///     "A": {"Type": "Pass", "Next": "Nowhere"}, "B": {"Type": "Succeed"}}}"#;
/// let faults = asl_model::parse(text, asl_model::Options::default()).unwrap_err();
/// let (fault, position) = faults.located().next().unwrap();
/// assert_eq!((fault.location.as_str(), position.unwrap().line), ("/States/A/Next", 2));
/// assert!(format!("{faults:?}").contains("line 2, column 35: error: Missing 'Next' target: Nowhere"));
/// ```
#[derive(Clone, PartialEq, Eq, Default, thiserror::Error)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Of as many as were read in a text that was refused.
    positions: Vec<Option<Position>>,
    unreadable_at: Option<Position>,
}

impl Diagnostics {
    /// Creates the only problem of a text that cannot be parsed, with its position.
    pub(crate) fn unreadable(diagnostic: Diagnostic, position: Position) -> Self {
        Self {
            list: vec![diagnostic],
            positions: vec![Some(position)],
            unreadable_at: Some(position),
        }
    }

    /// Works out where in `text` they are.
    pub(crate) fn located_in(mut self, text: &str) -> Self {
        let map = SourceMap::of_diagnostics(text, &self);
        let positions = self.list.iter().map(|diagnostic| map.place_of(diagnostic));
        self.positions = positions.collect();
        self
    }

    /// Converts the positions of a text that is part of another one: `place` converts a position of the part to a position of
    /// the whole.
    #[must_use]
    pub fn relocated(mut self, mut place: impl FnMut(Position) -> Position) -> Self {
        for position in self.positions.iter_mut().flatten() {
            *position = place(*position);
        }
        if let Some(old) = self.unreadable_at {
            let new = place(old);
            let words = |at: Position| format!(" at line {} column {}", at.line, at.column);
            for fault in &mut self.list {
                if let Some(message) = fault.message.strip_suffix(&words(old)) {
                    fault.message = message.to_owned() + &words(new);
                }
            }
            self.unreadable_at = Some(new);
        }
        self
    }

    /// Keeps and changes diagnostics by a function. Their positions are unchanged.
    ///
    /// ```
    /// let found = asl_model::validate("{\"StartAt\": \"A\"}", asl_model::Options::default());
    /// let none = found.filter_map(|_| None);
    /// assert_eq!((found.len(), none.len()), (1, 0));
    /// ```
    #[must_use]
    pub fn filter_map(&self, mut keep: impl FnMut(&Diagnostic) -> Option<Diagnostic>) -> Self {
        let mut kept = Self {
            unreadable_at: self.unreadable_at,
            ..Self::default()
        };
        for (diagnostic, position) in self.located() {
            if let Some(diagnostic) = keep(diagnostic) {
                kept.list.push(diagnostic);
                kept.positions.push(position);
            }
        }
        kept
    }

    /// Iterates in the order of the text, with the positions of a text that [`parse`](crate::parse) refused.
    pub fn located(&self) -> impl Iterator<Item = (&Diagnostic, Option<Position>)> {
        let positions = self.positions.iter().copied();
        let positions = positions.chain(std::iter::repeat(None));
        self.list.iter().zip(positions)
    }

    /// Returns the position at which a text cannot be parsed. This is the only problem then, and has no JSON Pointer.
    pub fn unreadable_at(&self) -> Option<Position> {
        self.unreadable_at
    }
    /// True if one is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }
    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }
    /// Iterates over the diagnostics in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
    /// Returns true if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }
}

/// Iterates in the order of the text.
///
/// ```
/// let faults = asl_model::validate("[]", asl_model::Options::default());
/// for fault in &faults {
///     assert_eq!(fault.message, "Expected value of type Object");
/// }
/// assert_eq!(faults.into_iter().count(), 1);
/// ```
impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(list: Vec<Diagnostic>) -> Self {
        Self {
            list,
            ..Self::default()
        }
    }
}

/// Writes all diagnostics as InvalidDefinition of CreateStateMachine does, separated by commas.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

/// Writes the diagnostics for people: one per line, with positions and hints.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.has_errors(), self.is_empty()) {
            (true, _) => "the definition is not valid",
            (false, false) => "the definition is valid, with warnings",
            (false, true) => "the definition is valid",
        })?;
        for (diagnostic, position) in self.located() {
            let Diagnostic {
                severity,
                message,
                hint,
                ..
            } = diagnostic;
            f.write_str("\n  ")?;
            if let Some(Position { line, column }) = position {
                write!(f, "line {line}, column {column}: ")?;
            }
            let pointer = diagnostic.pointer();
            write!(f, "{severity}: {message} (at {pointer})")?;
            if let Some(hint) = hint {
                write!(f, "\n    hint: {hint}")?;
            }
        }
        Ok(())
    }
}
