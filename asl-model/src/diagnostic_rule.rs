//! The rules by which diagnostics are distinguished.
use crate::DiagnosticCode;
use std::fmt;

/// A rule for definitions: its own name, which is stable across versions, and the service's code. The service has few codes,
/// and there is one rule per kind of solution.
///
/// ```
/// let found = asl_model::validate("{\"StartAt\": \"A\", \"States\": {}}", asl_model::Options::default());
/// let names: Vec<&str> = found.iter().map(|one| one.rule.name()).collect();
/// assert_eq!(names, ["no-terminal-state", "unknown-target", "empty-value"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiagnosticRule {
    name: &'static str,
    code: Option<DiagnosticCode>,
}

impl DiagnosticRule {
    /// Creates a rule that the service does not have.
    pub const fn lint(name: &'static str) -> Self {
        Self { name, code: None }
    }

    const fn of_service(name: &'static str, code: DiagnosticCode) -> Self {
        Self {
            name,
            code: Some(code),
        }
    }

    /// Returns its name: words of small letters, with hyphens.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the service's code, from ValidateStateMachineDefinition.
    pub const fn code(self) -> Option<DiagnosticCode> {
        self.code
    }
}

impl fmt::Display for DiagnosticRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Rules with their names and the service's codes.
macro_rules! rules {
    ($($(#[$meta:meta])* $constant:ident = $name:literal, $code:ident;)*) => {
        impl DiagnosticRule {
            $($(#[$meta])* pub const $constant: Self = Self::of_service($name, DiagnosticCode::$code);)*

            /// All rules of this crate, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$constant),*];
        }
    };
}

rules! {
    /// JSONata fails to be read.
    INVALID_JSONATA = "invalid-jsonata", InvalidJsonataExpression;
    /// Two fields of which only one may be there.
    CONFLICTING_FIELDS = "conflicting-fields", SchemaValidationFailed;
    /// A definition longer than any that the service takes.
    DEFINITION_TOO_LONG = "definition-too-long", SchemaValidationFailed;
    /// A field that its object has twice.
    DUPLICATE_FIELD = "duplicate-field", InvalidJsonDescription;
    /// A label that another Map State has.
    DUPLICATE_LABEL = "duplicate-label", DuplicateLabelName;
    /// The name of a state that another state has.
    DUPLICATE_STATE_NAME = "duplicate-state-name", DuplicateStateName;
    /// A variable of a scope around, assigned anew within.
    DUPLICATE_VARIABLE = "duplicate-variable", DuplicateVariableName;
    /// An empty text instead of a definition.
    EMPTY_DEFINITION = "empty-definition", MissingDescription;
    /// An array or object without anything in it.
    EMPTY_VALUE = "empty-value", SchemaValidationFailed;
    /// A feature of Standard state machines: waiting for external work, or a distributed Map.
    NOT_IN_EXPRESS = "not-in-express", SchemaValidationFailed;
    /// A field that only states of the other query language have.
    FIELD_OF_OTHER_LANGUAGE = "field-of-other-language", SchemaValidationFailed;
    /// A heartbeat that is not shorter than its timeout.
    HEARTBEAT_TOO_LONG = "heartbeat-too-long", SchemaValidationFailed;
    /// A call of an intrinsic function that can only fail.
    INTRINSIC_ALWAYS_FAILS = "intrinsic-always-fails", SchemaValidationFailed;
    /// An invalid Choice Rule.
    INVALID_CHOICE_RULE = "invalid-choice-rule", SchemaValidationFailed;
    /// An invalid JSON Pointer.
    INVALID_ITEMS_POINTER = "invalid-items-pointer", SchemaValidationFailed;
    /// A label that is too long, or has characters that it cannot have.
    INVALID_LABEL = "invalid-label", InvalidLabelName;
    /// An invalid path or intrinsic function.
    INVALID_PATH = "invalid-path", SchemaValidationFailed;
    /// An invalid Reference Path.
    INVALID_REFERENCE_PATH = "invalid-reference-path", SchemaValidationFailed;
    /// An invalid resource.
    INVALID_RESOURCE = "invalid-resource", SchemaValidationFailed;
    /// The name of a state that is too long.
    INVALID_STATE_NAME = "invalid-state-name", InvalidStateName;
    /// An invalid timestamp.
    INVALID_TIMESTAMP = "invalid-timestamp", SchemaValidationFailed;
    /// The name of a variable that is no identifier.
    INVALID_VARIABLE_NAME = "invalid-variable-name", InvalidVariableName;
    /// The label of a Map State that makes no Map Run.
    LABEL_OF_INLINE_MAP = "label-of-inline-map", SchemaValidationFailed;
    /// A placeholder that decides something, in a definition that is to be run.
    LEFT_PLACEHOLDER = "left-placeholder", SchemaValidationFailed;
    /// A path or a function in a field whose name does not end in `.$`.
    MISSING_DOLLAR = "missing-dollar", NoDollar;
    /// A service integration without "Parameters" or "Arguments", or without a field in them that the service requires at creation.
    MISSING_ARGUMENTS = "missing-arguments", SchemaValidationFailed;
    /// A field that must be there.
    MISSING_FIELD = "missing-field", SchemaValidationFailed;
    /// A JSONata string with a delimiter at one end alone.
    HALF_OPEN_JSONATA = "half-open-jsonata", SchemaValidationFailed;
    /// A path in a field whose name does not end in `Path`.
    MISSING_PATH = "missing-path", NoPath;
    /// A definition that is not a JSON object.
    NOT_AN_OBJECT = "not-an-object", SchemaValidationFailed;
    /// A scope of states that none ends.
    NO_TERMINAL_STATE = "no-terminal-state", MissingEndState;
    /// A number that is too small or too large.
    OUT_OF_RANGE = "out-of-range", SchemaValidationFailed;
    /// A path that can only fail.
    PATH_ALWAYS_FAILS = "path-always-fails", SchemaValidationFailed;
    /// A pattern that can only fail.
    PATTERN_ALWAYS_FAILS = "pattern-always-fails", SchemaValidationFailed;
    /// A state of a JSONata machine that says JSONPath.
    QUERY_LANGUAGE_TURNED_BACK = "query-language-turned-back", SchemaValidationFailed;
    /// A resource that the service cannot perform.
    RESOURCE_NOT_OF_SERVICE = "resource-not-of-service", InvalidResource;
    /// The name of a variable that the interpreter defines.
    RESERVED_VARIABLE_NAME = "reserved-variable-name", ReservedVariableName;
    /// The "Result" of a Pass State that looks like a template.
    STATIC_RESULT = "static-result", PassResultIsStatic;
    /// A job of an action of the AWS SDK, which only optimized integrations wait for.
    SYNC_OF_SDK_ACTION = "sync-of-sdk-action", SchemaValidationFailed;
    /// Fields of a template that have the same name without `.$`.
    TEMPLATE_NAMES_COLLIDE = "template-names-collide", SchemaValidationFailed;
    /// Scopes of states within scopes, too many.
    TOO_DEEPLY_NESTED = "too-deeply-nested", TooDeeplyNested;
    /// Too many problems to list.
    TOO_MANY_FAULTS = "too-many-faults", SchemaValidationFailed;
    /// A variable that may be undefined when it is read.
    UNDEFINED_VARIABLE = "undefined-variable", PossiblyUndefinedVariable;
    /// An unknown error name with the reserved prefix.
    UNKNOWN_ERROR_NAME = "unknown-error-name", SchemaValidationFailed;
    /// A field that its object cannot have.
    UNKNOWN_FIELD = "unknown-field", SchemaValidationFailed;
    /// An integration that the service does not have.
    UNKNOWN_INTEGRATION = "unknown-integration", SchemaValidationFailed;
    /// A transition to a state that is not there.
    UNKNOWN_TARGET = "unknown-target", MissingTransitionTarget;
    /// An unsupported value of a field with a fixed list of values.
    UNKNOWN_WORD = "unknown-word", SchemaValidationFailed;
    /// Batches of items without a limit.
    UNLIMITED_BATCHES = "unlimited-batches", SchemaValidationFailed;
    /// A state that no transition leads to.
    UNREACHABLE_STATE = "unreachable-state", MissingTransitionTarget;
    /// A text that is neither JSON nor YAML.
    UNREADABLE_TEXT = "unreadable-text", InvalidJsonDescription;
    /// A placeholder that is to be replaced.
    UNREPLACED_PLACEHOLDER = "unreplaced-placeholder", UnreplacedPlaceholder;
    /// A JSONata reference to data that does not exist.
    UNSUPPORTED_JSONATA = "unsupported-jsonata", UnsupportedJsonataExpression;
    /// A variable that nothing reads.
    UNUSED_VARIABLE = "unused-variable", UnusedVariable;
    /// `States.ALL` next to other names, or before others.
    WILDCARD_NOT_LAST = "wildcard-not-last", SchemaValidationFailed;
    /// A value of another type than the field's.
    WRONG_TYPE = "wrong-type", SchemaValidationFailed;
}

#[cfg(test)]
mod tests {
    use super::DiagnosticRule;

    #[test]
    fn names_are_words_and_differ() {
        let mut names: Vec<&str> = DiagnosticRule::ALL.iter().map(|rule| rule.name()).collect();
        let is_word = |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        assert!(names.iter().all(is_word));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DiagnosticRule::ALL.len());
    }
}
