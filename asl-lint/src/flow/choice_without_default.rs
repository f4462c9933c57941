//! A Choice State without a Default fails with States.NoChoiceMatched where no rule matches (2024 specification, Choice State).
use super::condition_text::{ALL, EQUAL, GREATER, HOLDS, LESS, compared};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_jsonata::Plan;
use asl_model::{
    Choice, Comparison, ComparisonOperator, Condition, DataTest, DiagnosticRule, Rule, Severity,
    StateKind,
};
use serde_json::Value;
use std::collections::HashMap;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("choice-without-default"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for (number, placed) in subject.states.iter().enumerate() {
        if let StateKind::Choice(choice) = &placed.state.kind
            && choice.default.is_none()
            && !is_exhaustive(choice)
        {
            found.report(
                &LINT,
                subject.location(number),
                "the Choice has no Default: if no rule matches, the execution fails",
                "add a Default, such as a Fail state that describes the unexpected case",
            );
        }
    }
}

/// Returns true if the rules are plainly meant to take all there is: a test and its opposite. Values of another type than
/// the tests are about count as not expected.
fn is_exhaustive(choice: &Choice) -> bool {
    let mut held: HashMap<String, u8> = HashMap::new();
    let mut open: Vec<&Rule> = choice.choices.iter().map(|choice| &choice.rule).collect();
    while let Some(rule) = open.pop() {
        if let Rule::Or(rules) = rule {
            open.extend(rules.iter().map(|nested| &nested.rule));
            continue;
        }
        let (tested, orders) = tested(rule);
        let held = held.entry(tested).or_default();
        *held |= orders;
        if *held == ALL {
            return true;
        }
    }
    false
}

/// Returns the tested data of a rule, and the orders for which it is true.
fn tested(rule: &Rule) -> (String, u8) {
    let mut rule = rule;
    let mut is_turned = false;
    while let Rule::Not(nested) = rule {
        rule = &nested.rule;
        is_turned = !is_turned;
    }
    let (tested, orders) = match rule {
        Rule::Test(test) => tested_by(test),
        Rule::Condition(condition) => condition_orders(condition),
        other => (format!("{other:?}"), HOLDS),
    };
    match is_turned {
        true => (tested, ALL & !orders),
        false => (tested, orders),
    }
}

fn condition_orders(condition: &Condition) -> (String, u8) {
    let constant = match condition {
        Condition::Boolean(value) => Some(*value),
        Condition::Expression(expression) => match expression.expression().plan() {
            Plan::Constant(Value::Bool(value)) => Some(*value),
            _ => None,
        },
    };
    match (constant, condition) {
        (Some(true), _) => (String::new(), ALL),
        (Some(false), _) | (None, Condition::Boolean(_)) => (String::new(), 0),
        (None, Condition::Expression(expression)) => compared(expression.expression().source()),
    }
}

fn tested_by(test: &DataTest) -> (String, u8) {
    let (kind, orders) = match &test.comparison {
        Comparison::String(operator, text) => (format!("string {text:?}"), orders(*operator)),
        Comparison::Numeric(operator, number) => (format!("number {number}"), orders(*operator)),
        Comparison::Timestamp(operator, _, text) => {
            (format!("timestamp {text:?}"), orders(*operator))
        }
        Comparison::StringPath(operator, path) => (format!("string {path}"), orders(*operator)),
        Comparison::NumericPath(operator, path) => (format!("number {path}"), orders(*operator)),
        Comparison::TimestampPath(operator, path) => {
            (format!("timestamp {path}"), orders(*operator))
        }
        Comparison::Boolean(value) => ("boolean".to_owned(), sign(*value)),
        Comparison::BooleanPath(path) => (format!("boolean {path}"), HOLDS),
        Comparison::Matches(pattern) => (format!("pattern {:?}", pattern.source()), HOLDS),
        Comparison::Is(test, value) => (format!("is {test:?}"), sign(*value)),
    };
    (format!("{} {kind}", test.variable), orders)
}

const fn sign(holds: bool) -> u8 {
    match holds {
        true => HOLDS,
        false => ALL & !HOLDS,
    }
}

const fn orders(operator: ComparisonOperator) -> u8 {
    match operator {
        ComparisonOperator::Equals => EQUAL,
        ComparisonOperator::LessThan => LESS,
        ComparisonOperator::GreaterThan => GREATER,
        ComparisonOperator::LessThanEquals => LESS | EQUAL,
        ComparisonOperator::GreaterThanEquals => GREATER | EQUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, jsonata, machine};
    use serde_json::{Value, json};

    fn choice(rules: Value) -> Value {
        let mut rules = rules;
        for rule in rules.as_array_mut().into_iter().flatten() {
            rule["Next"] = "B".into();
        }
        json!({"A": {"Type": "Choice", "Choices": rules}})
    }

    #[test]
    fn a_value_that_no_rule_takes_fails_the_state() {
        let definition = machine(choice(json!([{"Variable": "$.a", "StringEquals": "b"}])));
        assert_eq!(
            found(&definition),
            [
                "choice-without-default: the Choice has no Default: if no rule matches, the execution fails at /States/A"
            ]
        );
    }

    #[test]
    fn rules_that_take_all_need_no_default() {
        for rules in [
            json!([{"Variable": "$.a", "IsPresent": true}, {"Variable": "$.a", "IsPresent": false}]),
            json!([{"Variable": "$.a", "BooleanEquals": true}, {"Variable": "$.a", "BooleanEquals": false}]),
            json!([{"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericGreaterThanEquals": 5}]),
            json!([
                {"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericEquals": 5},
                {"Variable": "$.a", "NumericGreaterThan": 5},
            ]),
            json!([
                {"Variable": "$.a", "StringEqualsPath": "$.b"},
                {"Not": {"Variable": "$.a", "StringEqualsPath": "$.b"}},
            ]),
            json!([
                {"Or": [{"Variable": "$.a", "StringMatches": "a*"}, {"Variable": "$.a", "StringMatches": "b*"}]},
                {"Not": {"Variable": "$.a", "StringMatches": "b*"}},
            ]),
        ] {
            assert_eq!(found(&machine(choice(rules.clone()))), [""; 0], "{rules}");
        }
        for rules in [
            json!([{"Condition": "{% $states.input.a = 1 %}"}, {"Condition": "{% $states.input.a != 1 %}"}]),
            json!([{"Condition": "{% $states.input.a %}"}, {"Condition": "{% true %}"}]),
            json!([{"Condition": true}]),
        ] {
            assert_eq!(found(&jsonata(choice(rules.clone()))), [""; 0], "{rules}");
        }
    }

    #[test]
    fn rules_that_nearly_take_all_do() {
        for rules in [
            json!([{"Variable": "$.a", "IsPresent": true}, {"Variable": "$.b", "IsPresent": false}]),
            json!([{"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericGreaterThan": 5}]),
            json!([{"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericGreaterThanEquals": 6}]),
            json!([{"Not": {"Not": {"Variable": "$.a", "IsNull": true}}}, {"Variable": "$.a", "IsNull": true}]),
        ] {
            assert_eq!(found(&machine(choice(rules.clone()))).len(), 1, "{rules}");
        }
        let rules = json!([{"Condition": "{% $states.input.a %}"}, {"Condition": "{% false %}"}]);
        assert_eq!(found(&jsonata(choice(rules))).len(), 1);
    }
}
