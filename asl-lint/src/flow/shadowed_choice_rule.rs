//! A Choice Rule that never matches: the first that matches decides (2024 specification, Choice State), and one before it takes
//! all that it would.
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_jsonata::Plan;
use asl_model::{
    Comparison, ComparisonOperator, Condition, DiagnosticRule, Rule, Severity, StateKind,
};
use serde_json::Value;
use std::collections::HashMap;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("shadowed-choice-rule"),
    severity: Severity::Warning,
    look,
};

/// Functions whose value is another each time.
const CHANGING: [&str; 4] = ["$random", "$uuid", "$now", "$millis"];

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for (number, placed) in subject.states.iter().enumerate() {
        let StateKind::Choice(choice) = &placed.state.kind else {
            continue;
        };
        let mut taken = EarlierRules::default();
        for (index, choice) in choice.choices.iter().enumerate() {
            if let Some(by) = taken.by(&choice.rule) {
                found.report(
                    &LINT,
                    subject.location(number).field("Choices").element(index),
                    format!(
                        "the rule never matches: Choices[{by}] matches everything that it would"
                    ),
                    "move it before that rule, remove it, or change its condition",
                );
            }
            taken.add(index, &choice.rule);
        }
    }
}

/// Conditions of the earlier rules, with the numbers of the first ones.
#[derive(Default)]
struct EarlierRules {
    all: Option<usize>,
    rules: HashMap<String, usize>,
    /// By variable: the numbers from one on, and those up to one.
    above: HashMap<String, Bound>,
    below: HashMap<String, Bound>,
}

/// All numbers on one side of a number, perhaps with it.
#[derive(Clone, Copy)]
struct Bound {
    number: f64,
    inclusive: bool,
    rule: usize,
}

impl EarlierRules {
    /// The rule that takes all that this one would.
    fn by(&self, rule: &Rule) -> Option<usize> {
        let mut by = self.all.or_else(|| self.rules.get(&written(rule)).copied());
        let mut open = vec![rule];
        while let (None, Some(rule)) = (by, open.pop()) {
            by = match rule {
                // Where one of its members never holds, neither does it.
                Rule::And(rules) => {
                    open.extend(rules.iter().map(|nested| &nested.rule));
                    None
                }
                rule => {
                    let same = self.rules.get(&written(rule)).copied();
                    same.or_else(|| self.by_bound(rule))
                }
            };
        }
        by
    }

    fn by_bound(&self, rule: &Rule) -> Option<usize> {
        use ComparisonOperator::{
            Equals, GreaterThan, GreaterThanEquals, LessThan, LessThanEquals,
        };
        let (variable, operator, number) = compared(rule)?;
        let above = self.above.get(variable).filter(|bound| match operator {
            GreaterThanEquals | Equals => {
                number > bound.number || (number == bound.number && bound.inclusive)
            }
            GreaterThan => number >= bound.number,
            LessThan | LessThanEquals => false,
        });
        let below = self.below.get(variable).filter(|bound| match operator {
            LessThanEquals | Equals => {
                number < bound.number || (number == bound.number && bound.inclusive)
            }
            LessThan => number <= bound.number,
            GreaterThan | GreaterThanEquals => false,
        });
        above.or(below).map(|bound| bound.rule)
    }

    fn add(&mut self, index: usize, rule: &Rule) {
        if is_always_true(rule) {
            self.all.get_or_insert(index);
        }
        if !is_changing(rule) {
            self.rules.entry(written(rule)).or_insert(index);
        }
        let mut open = vec![rule];
        while let Some(rule) = open.pop() {
            match rule {
                Rule::Or(rules) => open.extend(rules.iter().map(|nested| &nested.rule)),
                Rule::Condition(_) => {}
                rule => {
                    self.rules.entry(written(rule)).or_insert(index);
                    self.add_bound(index, rule);
                }
            }
        }
    }

    fn add_bound(&mut self, rule_index: usize, rule: &Rule) {
        use ComparisonOperator::{
            Equals, GreaterThan, GreaterThanEquals, LessThan, LessThanEquals,
        };
        let Some((variable, operator, number)) = compared(rule) else {
            return;
        };
        let (bounds, is_wider): (_, fn(f64, f64) -> bool) = match operator {
            Equals => return,
            GreaterThan | GreaterThanEquals => (&mut self.above, |new, old| new < old),
            LessThan | LessThanEquals => (&mut self.below, |new, old| new > old),
        };
        let new = Bound {
            number,
            inclusive: matches!(operator, GreaterThanEquals | LessThanEquals),
            rule: rule_index,
        };
        match bounds.get_mut(variable) {
            Some(old) => {
                let includes_more = number == old.number && new.inclusive && !old.inclusive;
                if is_wider(number, old.number) || includes_more {
                    *old = new;
                }
            }
            None => {
                bounds.insert(variable.to_owned(), new);
            }
        }
    }
}

/// The variable that is compared with a number which a double holds exactly.
fn compared(rule: &Rule) -> Option<(&str, ComparisonOperator, f64)> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Rule::Test(test) = rule else { return None };
    let Comparison::Numeric(operator, number) = &test.comparison else {
        return None;
    };
    let number = number.as_f64().filter(|number| number.abs() < EXACT)?;
    Some((test.variable.source(), *operator, number))
}

fn is_always_true(rule: &Rule) -> bool {
    match rule {
        Rule::Condition(Condition::Boolean(value)) => *value,
        Rule::Condition(Condition::Expression(expression)) => {
            *expression.expression().plan() == Plan::Constant(Value::Bool(true))
        }
        _ => false,
    }
}

fn is_changing(rule: &Rule) -> bool {
    match rule {
        Rule::Condition(Condition::Expression(expression)) => {
            let source = expression.expression().source();
            CHANGING.iter().any(|function| source.contains(function))
        }
        _ => false,
    }
}

/// Returns the rule as a text: equal rules have equal ones.
fn written(rule: &Rule) -> String {
    format!("{rule:?}")
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
        json!({"A": {"Type": "Choice", "Choices": rules, "Default": "C"}})
    }

    fn text(index: usize, by: usize) -> String {
        format!(
            "shadowed-choice-rule: the rule never matches: Choices[{by}] matches everything that it would at /States/A/Choices[{index}]"
        )
    }

    #[test]
    fn an_earlier_rule_takes_all() {
        for rules in [
            json!([{"Variable": "$.a", "StringEquals": "b"}, {"Variable": "$.a", "StringEquals": "b"}]),
            json!([{"Variable": "$.a", "NumericGreaterThan": 5}, {"Variable": "$.a", "NumericGreaterThan": 10}]),
            json!([{"Variable": "$.a", "NumericGreaterThanEquals": 5}, {"Variable": "$.a", "NumericEquals": 5}]),
            json!([{"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericLessThan": 5.0}]),
            json!([
                {"Variable": "$.a", "IsPresent": true},
                {"And": [{"Variable": "$.a", "IsPresent": true}, {"Variable": "$.a", "IsNull": true}]},
            ]),
            json!([
                {"Or": [{"Variable": "$.a", "StringEquals": "b"}, {"Variable": "$.a", "StringEquals": "c"}]},
                {"Variable": "$.a", "StringEquals": "c"},
            ]),
        ] {
            assert_eq!(
                found(&machine(choice(rules.clone()))),
                [text(1, 0)],
                "{rules}"
            );
        }
        for rules in [
            json!([{"Condition": "{% true %}"}, {"Condition": "{% $states.input.a %}"}]),
            json!([{"Condition": "{% $states.input.a %}"}, {"Condition": "{% $states.input.a %}"}]),
        ] {
            assert_eq!(
                found(&jsonata(choice(rules.clone()))),
                [text(1, 0)],
                "{rules}"
            );
        }
    }

    #[test]
    fn a_rule_that_takes_what_is_left() {
        for rules in [
            json!([{"Variable": "$.a", "NumericGreaterThan": 10}, {"Variable": "$.a", "NumericGreaterThan": 5}]),
            json!([{"Variable": "$.a", "NumericGreaterThan": 5}, {"Variable": "$.a", "NumericGreaterThanEquals": 5}]),
            json!([{"Variable": "$.a", "NumericGreaterThan": 5}, {"Variable": "$.b", "NumericGreaterThan": 10}]),
            json!([{"Variable": "$.a", "NumericLessThan": 5}, {"Variable": "$.a", "NumericEquals": 5}]),
            json!([
                {"And": [{"Variable": "$.a", "IsPresent": true}, {"Variable": "$.a", "IsNull": true}]},
                {"Variable": "$.a", "IsPresent": true},
            ]),
            json!([
                {"Variable": "$.a", "StringEquals": "b"},
                {"Or": [{"Variable": "$.a", "StringEquals": "b"}, {"Variable": "$.a", "StringEquals": "c"}]},
            ]),
        ] {
            assert_eq!(found(&machine(choice(rules.clone()))), [""; 0], "{rules}");
        }
        let rules =
            json!([{"Condition": "{% $random() < 0.5 %}"}, {"Condition": "{% $random() < 0.5 %}"}]);
        assert_eq!(found(&jsonata(choice(rules))), [""; 0]);
    }
}
