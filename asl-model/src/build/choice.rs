//! Choice States and their rules (2024 specification, Choice State).
use super::fields::Fields;
use super::language::{JsonPath, Jsonata, Language};
use super::part::{self, Part};
use super::state::{StateBuilder, kind};
use super::states::MAX_NESTING;
use serde_json::Value;

impl<L: Language> StateBuilder<kind::Choice, L> {
    /// Begins a Choice State.
    #[expect(
        clippy::new_without_default,
        reason = "each type of state begins with `new`"
    )]
    pub fn new() -> Self {
        Self::of_type("Choice")
    }

    /// Adds a member of "Choices".
    pub fn choice(self, rule: Part<part::kind::ChoiceRule, L>) -> Self {
        let is_too_deep = rule.fields.is_too_deep;
        self.push("Choices", rule).too_deep(is_too_deep)
    }

    /// Sets "Default": the target if no rule matches.
    pub fn default(self, state: impl Into<String>) -> Self {
        self.set("Default", state.into())
    }
}

impl Part<part::kind::ChoiceRule, Jsonata> {
    /// Begins a rule with its "Condition": a boolean, or the text of an expression.
    pub fn condition(condition: impl Into<Value>) -> Part<part::kind::OpenChoiceRule, Jsonata> {
        Part::empty().set("Condition", condition)
    }
}

impl Part<part::kind::OpenChoiceRule, Jsonata> {
    /// Sets "Next", and completes the rule.
    pub fn next(self, state: impl Into<String>) -> Part<part::kind::ChoiceRule, Jsonata> {
        Part::of(self.set("Next", state.into()).fields)
    }
}

/// A boolean expression or a data test of JSONPath.
///
/// ```
/// use asl_model::build::Rule;
/// let is_large = Rule::variable("$.total").numeric_greater_than(1000);
/// let is_known = Rule::variable("$.customer").is_present(true);
/// let choice = Rule::and([is_large, Rule::not(is_known)]).next("Review");
/// # let _ = choice;
/// ```
#[must_use = "a rule is built to be given to a Choice State"]
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    fields: Fields,
    /// Rules within each other, with this one.
    nesting: usize,
}

impl Rule {
    /// Begins a data test with its "Variable", a path.
    pub fn variable(path: impl Into<String>) -> Variable {
        let mut fields = Fields::default();
        fields.set("Variable", path.into());
        Variable(fields)
    }

    /// Returns a rule that matches if all of these do.
    pub fn and(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::of("And", rules, Value::Array)
    }

    /// Returns a rule that matches if one of these does.
    pub fn or(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::of("Or", rules, Value::Array)
    }

    /// Returns a rule that matches if this one does not.
    #[expect(
        clippy::should_implement_trait,
        reason = "named as the field, as `and` and `or` are"
    )]
    pub fn not(rule: Self) -> Self {
        Self::of("Not", [rule], |mut rules| rules.pop().unwrap_or_default())
    }

    /// Sets "Comment".
    pub fn comment(mut self, comment: impl Into<String>) -> Self {
        self.fields.set("Comment", comment.into());
        self
    }

    /// Sets "Next", and completes the rule.
    pub fn next(self, state: impl Into<String>) -> Part<part::kind::ChoiceRule, JsonPath> {
        Part::of(self.fields).set("Next", state.into())
    }

    fn of(
        name: &str,
        rules: impl IntoIterator<Item = Self>,
        value: fn(Vec<Value>) -> Value,
    ) -> Self {
        let (mut nesting, mut is_too_deep, mut inner) = (0, false, Vec::new());
        for rule in rules {
            nesting = nesting.max(rule.nesting);
            is_too_deep |= rule.fields.is_too_deep || rule.nesting >= MAX_NESTING;
            if rule.nesting < MAX_NESTING {
                inner.push(Value::from(rule.fields));
            }
        }
        let mut fields = Fields::default();
        fields.set(name, value(inner));
        fields.is_too_deep = is_too_deep;
        let nesting = (nesting + 1).min(MAX_NESTING);
        Self { fields, nesting }
    }
}

/// The "Variable" of a data test; each method completes the test.
#[must_use = "a variable is compared by one of its methods"]
#[derive(Debug, Clone, PartialEq)]
pub struct Variable(Fields);

macro_rules! operators {
    ($($method:ident($type:ty) $field:literal,)+) => {
        impl Variable {
            $(
                #[doc = concat!("Completes the test: \"", $field, "\".")]
                pub fn $method(mut self, value: impl Into<$type>) -> Rule {
                    let value: $type = value.into();
                    self.0.set($field, value);
                    Rule { fields: self.0, nesting: 1 }
                }
            )+
        }
    };
}

operators! {
    is_null(bool) "IsNull",
    is_present(bool) "IsPresent",
    is_numeric(bool) "IsNumeric",
    is_string(bool) "IsString",
    is_boolean(bool) "IsBoolean",
    is_timestamp(bool) "IsTimestamp",
    boolean_equals(bool) "BooleanEquals",
    boolean_equals_path(String) "BooleanEqualsPath",
    string_matches(String) "StringMatches",
    string_equals(String) "StringEquals",
    string_equals_path(String) "StringEqualsPath",
    string_less_than(String) "StringLessThan",
    string_less_than_path(String) "StringLessThanPath",
    string_greater_than(String) "StringGreaterThan",
    string_greater_than_path(String) "StringGreaterThanPath",
    string_less_than_equals(String) "StringLessThanEquals",
    string_less_than_equals_path(String) "StringLessThanEqualsPath",
    string_greater_than_equals(String) "StringGreaterThanEquals",
    string_greater_than_equals_path(String) "StringGreaterThanEqualsPath",
    numeric_equals(Value) "NumericEquals",
    numeric_equals_path(String) "NumericEqualsPath",
    numeric_less_than(Value) "NumericLessThan",
    numeric_less_than_path(String) "NumericLessThanPath",
    numeric_greater_than(Value) "NumericGreaterThan",
    numeric_greater_than_path(String) "NumericGreaterThanPath",
    numeric_less_than_equals(Value) "NumericLessThanEquals",
    numeric_less_than_equals_path(String) "NumericLessThanEqualsPath",
    numeric_greater_than_equals(Value) "NumericGreaterThanEquals",
    numeric_greater_than_equals_path(String) "NumericGreaterThanEqualsPath",
    timestamp_equals(String) "TimestampEquals",
    timestamp_equals_path(String) "TimestampEqualsPath",
    timestamp_less_than(String) "TimestampLessThan",
    timestamp_less_than_path(String) "TimestampLessThanPath",
    timestamp_greater_than(String) "TimestampGreaterThan",
    timestamp_greater_than_path(String) "TimestampGreaterThanPath",
    timestamp_less_than_equals(String) "TimestampLessThanEquals",
    timestamp_less_than_equals_path(String) "TimestampLessThanEqualsPath",
    timestamp_greater_than_equals(String) "TimestampGreaterThanEquals",
    timestamp_greater_than_equals_path(String) "TimestampGreaterThanEqualsPath",
}
