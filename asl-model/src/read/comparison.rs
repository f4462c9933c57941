//! Data tests and their operators (2024 specification, Choice State: Data-test expression).
use super::{ErrorReported, Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{Comparison, ComparisonOperator, DataTest, DiagnosticRule, StringPattern, TypeTest};
use asl_path::Path;
use serde_json::Value;

/// The operator in the name of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    String(ComparisonOperator),
    StringPath(ComparisonOperator),
    Numeric(ComparisonOperator),
    NumericPath(ComparisonOperator),
    Timestamp(ComparisonOperator),
    TimestampPath(ComparisonOperator),
    Boolean,
    BooleanPath,
    Matches,
    Is(TypeTest),
}

impl Operator {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        if let Some(test) = name.strip_prefix("Is") {
            return type_test(test).map(Self::Is);
        }
        if name == "StringMatches" {
            return Some(Self::Matches);
        }
        let (rest, path) = match name.strip_suffix("Path") {
            Some(rest) => (rest, true),
            None => (name, false),
        };
        if let Some(rest) = rest.strip_prefix("String") {
            let operator = comparison_operator(rest)?;
            Some(if path {
                Self::StringPath(operator)
            } else {
                Self::String(operator)
            })
        } else if let Some(rest) = rest.strip_prefix("Numeric") {
            let operator = comparison_operator(rest)?;
            Some(if path {
                Self::NumericPath(operator)
            } else {
                Self::Numeric(operator)
            })
        } else if let Some(rest) = rest.strip_prefix("Timestamp") {
            let operator = comparison_operator(rest)?;
            Some(if path {
                Self::TimestampPath(operator)
            } else {
                Self::Timestamp(operator)
            })
        } else {
            (rest == "BooleanEquals").then_some(if path {
                Self::BooleanPath
            } else {
                Self::Boolean
            })
        }
    }
}

fn type_test(name: &str) -> Option<TypeTest> {
    Some(match name {
        "Null" => TypeTest::Null,
        "Present" => TypeTest::Present,
        "Numeric" => TypeTest::Numeric,
        "String" => TypeTest::String,
        "Boolean" => TypeTest::Boolean,
        "Timestamp" => TypeTest::Timestamp,
        _ => return None,
    })
}

fn comparison_operator(name: &str) -> Option<ComparisonOperator> {
    Some(match name {
        "Equals" => ComparisonOperator::Equals,
        "LessThan" => ComparisonOperator::LessThan,
        "GreaterThan" => ComparisonOperator::GreaterThan,
        "LessThanEquals" => ComparisonOperator::LessThanEquals,
        "GreaterThanEquals" => ComparisonOperator::GreaterThanEquals,
        _ => return None,
    })
}

/// Every name of a comparison, in the order in which the service lists them where a test has not just one: recorded.
pub(crate) const OPERATORS: &[&str] = &[
    "StringEquals",
    "IsBoolean",
    "StringLessThan",
    "IsNumeric",
    "BooleanEquals",
    "StringLessThanEqualsPath",
    "NumericLessThan",
    "NumericGreaterThan",
    "NumericLessThanPath",
    "StringMatches",
    "TimestampLessThanEqualsPath",
    "NumericEquals",
    "TimestampGreaterThan",
    "StringGreaterThanEqualsPath",
    "TimestampGreaterThanEqualsPath",
    "TimestampLessThanEquals",
    "NumericLessThanEqualsPath",
    "TimestampEquals",
    "BooleanEqualsPath",
    "IsTimestamp",
    "StringLessThanEquals",
    "NumericLessThanEquals",
    "StringLessThanPath",
    "TimestampGreaterThanPath",
    "StringGreaterThan",
    "StringGreaterThanPath",
    "IsString",
    "StringEqualsPath",
    "TimestampEqualsPath",
    "TimestampLessThan",
    "StringGreaterThanEquals",
    "NumericGreaterThanPath",
    "NumericGreaterThanEquals",
    "NumericEqualsPath",
    "TimestampLessThanPath",
    "IsNull",
    "IsPresent",
    "TimestampGreaterThanEquals",
    "NumericGreaterThanEqualsPath",
];

impl<'v> Reader<'v> {
    pub(crate) fn data_test(&mut self, object: Object<'v, '_>) -> Read<DataTest> {
        let variable = self.compared_path(object, "Variable");
        let one = self.exactly_one(object, OPERATORS);
        let comparison = one.and_then(|()| match operators(object).next() {
            Some((name, operator, value)) => self.comparison(object, name, operator, value),
            None => Err(ErrorReported),
        });
        Ok(DataTest {
            variable: variable?,
            comparison: comparison?,
        })
    }

    fn comparison(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        operator: Operator,
        value: &'v Value,
    ) -> Read<Comparison> {
        let place = object.place.field(name);
        Ok(match operator {
            Operator::String(operator) => {
                self.warn_of_path(object, name);
                let text = self.text_value(value, &place)?;
                self.check_left_placeholder(&place, text);
                Comparison::String(operator, text.to_owned())
            }
            Operator::Numeric(operator) => match value {
                Value::Number(number) => Comparison::Numeric(operator, number.clone()),
                _ => {
                    self.number(object, name, "Number")?;
                    Comparison::Numeric(operator, 0.into()) // where a placeholder stands
                }
            },
            Operator::Timestamp(operator) => {
                let (timestamp, text) = self.timestamp(object, name)?.unwrap_or_default();
                Comparison::Timestamp(operator, timestamp, text)
            }
            Operator::Boolean => Comparison::Boolean(self.boolean(value, &place)?),
            Operator::StringPath(operator) => {
                Comparison::StringPath(operator, self.compared_path(object, name)?)
            }
            Operator::NumericPath(operator) => {
                Comparison::NumericPath(operator, self.compared_path(object, name)?)
            }
            Operator::TimestampPath(operator) => {
                Comparison::TimestampPath(operator, self.compared_path(object, name)?)
            }
            Operator::BooleanPath => Comparison::BooleanPath(self.compared_path(object, name)?),
            Operator::Matches => Comparison::Matches(self.pattern(value, &place)?),
            Operator::Is(test) => Comparison::Is(test, self.boolean(value, &place)?),
        })
    }

    /// Returns a Path that a test cannot do without: where a placeholder stands, `$`.
    fn compared_path(&mut self, object: Object<'v, '_>, name: &str) -> Read<Path> {
        let path = match self.options.profile.requires_reference_paths_in_rules() {
            true => self.single_path(object, name)?,
            false => self.path(object, name)?,
        };
        match path {
            Some(path) => Ok(path),
            None => Path::parse("$").map_err(|_| ErrorReported),
        }
    }

    pub(crate) fn boolean(&mut self, value: &Value, place: &Place<'_>) -> Read<bool> {
        match value {
            Value::Bool(boolean) => Ok(*boolean),
            Value::String(text) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(false)
            }
            _ => Err(self.wrong_type(place, "Boolean")),
        }
    }

    fn pattern(&mut self, value: &'v Value, place: &Place<'_>) -> Read<StringPattern> {
        let text = self.text_value(value, place)?;
        self.check_left_placeholder(place, text);
        let pattern = StringPattern::parse(text);
        if pattern.open_escape().is_some() {
            self.warn(
                place,
                DiagnosticRule::PATTERN_ALWAYS_FAILS,
                "a backslash in the pattern escapes nothing: the state fails",
                "write `\\*` for an asterisk and `\\\\` for a backslash",
            );
        }
        Ok(pattern)
    }
}

/// Returns the fields of an object that compare.
pub(crate) fn operators<'v>(
    object: Object<'v, '_>,
) -> impl Iterator<Item = (&'v str, Operator, &'v Value)> {
    object
        .fields
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), Operator::parse(name)?, value)))
}

#[cfg(test)]
mod tests {
    use super::{OPERATORS, Operator};
    use crate::testing::{accepted, choice, errors, refused, spec_errors, warnings};
    use serde_json::json;
    use std::collections::HashSet;

    const PLACE: &str = "at /States/A/Choices[0]";

    #[test]
    fn paths_of_a_rule_find_one_node() {
        let rule = choice(json!({"Variable": "$.a[*]", "NumericEqualsPath": "$..b"}));
        let found = errors(&rule);
        assert_eq!(found.len(), 2);
        for fault in &found {
            assert!(fault.starts_with("SCHEMA_VALIDATION_FAILED: Value is not a Reference Path: "));
        }
        assert_eq!(spec_errors(&rule), [""; 0]);
        let wrong = choice(json!({"Variable": "a", "NumericEqualsPath": "b"}));
        assert_eq!(
            spec_errors(&wrong),
            [
                format!(
                    "SCHEMA_VALIDATION_FAILED: Value must be a valid JSONPath. {PLACE}/Variable"
                ),
                format!(
                    "SCHEMA_VALIDATION_FAILED: Value must be a valid JSONPath. {PLACE}/NumericEqualsPath"
                ),
            ]
        );
    }

    #[test]
    fn every_operator_has_a_name() {
        let names: HashSet<&str> = OPERATORS.iter().copied().collect();
        assert_eq!(names.len(), 39);
        for name in &names {
            assert!(Operator::parse(name).is_some(), "{name}");
        }
        for name in [
            "StringMatchesPath",
            "BooleanLessThan",
            "IsNullPath",
            "Is",
            "Equals",
            "Variable",
        ] {
            assert_eq!(Operator::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_rule_compares_once() {
        let rule = json!({"Variable": "$.a", "IsNull": true, "StringEquals": "a"});
        let list = OPERATORS.join(", ");
        let several = format!("There should only be one of the following fields: [{list}] {PLACE}");
        refused(&choice(rule), &several);
        let none =
            format!("This object should have only one of the following fields: [{list}] {PLACE}");
        refused(&choice(json!({"Variable": "$.a"})), &none);
    }

    /// Recorded from the service.
    #[test]
    fn a_reference_path_begins_with_a_dollar() {
        let rule = choice(json!({"Variable": "status", "IsNull": true}));
        let message = "Value is not a Reference Path: Reference path didn't start with '$'";
        refused(&rule, &format!("{message} {PLACE}/Variable"));
    }

    #[test]
    fn values_have_the_type_of_their_operator() {
        for (operator, value, expected) in [
            ("StringEquals", json!(1), "String"),
            ("NumericLessThan", json!("1"), "Number"),
            ("BooleanEquals", json!("true"), "Boolean"),
            ("IsPresent", json!(1), "Boolean"),
            ("StringMatches", json!(null), "String"),
        ] {
            let rule = json!({"Variable": "$.a", operator: value});
            refused(
                &choice(rule),
                &format!("Expected value of type {expected} {PLACE}/{operator}"),
            );
        }
        let rule = json!({"Variable": "$.a", "TimestampEquals": "2016-13-14T01:59:00Z"});
        refused(
            &choice(rule),
            &format!("String does not match RFC3339 timestamp {PLACE}/TimestampEquals"),
        );
        accepted(&choice(
            json!({"Variable": "$$.a", "NumericEquals": 1.5, "Comment": "why"}),
        ));
    }

    #[test]
    fn an_open_backslash_in_a_pattern_is_pointed_out() {
        let rule = choice(json!({"Variable": "$.a", "StringMatches": "a\\b"}));
        accepted(&rule);
        assert_eq!(
            warnings(&rule),
            [format!(
                "SCHEMA_VALIDATION_FAILED: a backslash in the pattern escapes nothing: the state fails {PLACE}/StringMatches"
            )]
        );
    }
}
