//! Choice rules as short text, with the values that they tested.
use crate::account::{Finding, Reason};
use crate::mentions::mentions;
use asl_graph::labels;
use asl_model::{ChoiceRule, Comparison, Condition, DataTest, Rule};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A test that was looked at.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    pub(crate) rule: usize,
    /// A JSON pointer from the rule.
    pub(crate) test: String,
    pub(crate) value: Option<Value>,
    pub(crate) other: Option<Value>,
    pub(crate) holds: bool,
}

/// Returns all rules up to the one that matched, or to the last one tested.
pub(crate) fn list_rules(
    rules: &[ChoiceRule],
    input: &Value,
    variables: &Map<String, Value>,
    tests: &[Test],
    matched: Option<usize>,
) -> Vec<Finding> {
    let last = tests.iter().map(|test| test.rule).max().or(matched);
    let Some(last) = last else {
        return Vec::new();
    };
    let looked_at = (0..=last).map(|index| {
        let rule = rules.get(index).map(|rule| &rule.rule);
        let of_rule = tests.iter().filter(|test| test.rule == index);
        Finding::Rule {
            index,
            matched: matched == Some(index),
            rule: rule.map(labels::rule),
            because: reasons(rule, input, variables, of_rule),
        }
    });
    looked_at.collect()
}

fn reasons<'t>(
    rule: Option<&Rule>,
    input: &Value,
    variables: &Map<String, Value>,
    tests: impl Iterator<Item = &'t Test>,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for test in tests {
        let nested = rule.and_then(|rule| nested(rule, &test.test));
        match nested {
            Some(Rule::Test(data_test)) => {
                let is_part = !test.test.is_empty();
                let holds = is_part.then_some(test.holds);
                let expression = match is_part {
                    true => labels::rule(&Rule::Test(data_test.clone())),
                    false => data_test.variable.source().to_owned(),
                };
                push(
                    &mut reasons,
                    Reason {
                        expression,
                        value: test.value.clone().map(Arc::new),
                        holds,
                    },
                );
                if let Some(other) = &test.other {
                    push(
                        &mut reasons,
                        Reason {
                            expression: other_source(data_test).unwrap_or_default().to_owned(),
                            value: Some(Arc::new(other.clone())),
                            holds: None,
                        },
                    );
                }
            }
            Some(Rule::Condition(Condition::Expression(string))) => {
                let source = string.expression().source();
                for (expression, value) in mentions(source, input, variables) {
                    push(
                        &mut reasons,
                        Reason {
                            expression,
                            value: Some(Arc::new(value)),
                            holds: None,
                        },
                    );
                }
            }
            _ => {}
        }
    }
    reasons
}

/// Returns the path of the value that a variable is compared with.
fn other_source(test: &DataTest) -> Option<&str> {
    match &test.comparison {
        Comparison::StringPath(_, path)
        | Comparison::NumericPath(_, path)
        | Comparison::TimestampPath(_, path)
        | Comparison::BooleanPath(path) => Some(path.source()),
        _ => None,
    }
}

fn push(reasons: &mut Vec<Reason>, reason: Reason) {
    if !reasons.contains(&reason) {
        reasons.push(reason);
    }
}

/// Returns the rule at a JSON Pointer.
fn nested<'r>(rule: &'r Rule, pointer: &str) -> Option<&'r Rule> {
    let mut rule = rule;
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        rule = match (step, rule) {
            ("Not", Rule::Not(inner)) => &inner.rule,
            ("And", Rule::And(rules)) | ("Or", Rule::Or(rules)) => {
                let index: usize = steps.next()?.parse().ok()?;
                &rules.get(index)?.rule
            }
            _ => return None,
        };
    }
    Some(rule)
}
