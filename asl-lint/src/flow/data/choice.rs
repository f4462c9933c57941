//! Possible targets of a Choice State, with their data.
use super::exit::{StateExit, assign};
use super::reading::{Sources, StateReader};
use super::shape::Shape;
use crate::flow::transitions::Way;
use asl_model::{
    Assign, Choice, Comparison, Condition, DataPath, DataTest, PayloadTemplate, Processing, Rule,
    State, TypeTest,
};
use asl_path::Path;

/// Maximum depth of analysed rules.
const DEEPEST: usize = 100;

/// A Choice State with its input.
pub(super) struct ChoiceInput<'c, 'm> {
    pub(super) choice: &'m Choice,
    pub(super) effective: &'c Shape,
}

impl<'m> ChoiceInput<'_, 'm> {
    pub(super) fn leave(
        &self,
        state: &'m State,
        reading: &mut StateReader<'_, 'm>,
        left: &mut StateExit<'m>,
    ) {
        let asked = self.tested_paths();
        for (index, rule) in self.choice.choices.iter().enumerate() {
            let holds = reading.at("Choices", |reading| {
                reading.at_index(index, |reading| {
                    let before = reading.dead.len();
                    let holds = self.holds(&rule.rule, reading, DEEPEST);
                    let is_asked =
                        |source: &str| asked.iter().any(|asked| lead_alike(asked, source));
                    let dead = reading.dead.split_off(before.min(reading.dead.len()));
                    reading
                        .dead
                        .extend(dead.into_iter().filter(|dead| !is_asked(&dead.source)));
                    if holds != Some(false) {
                        let (assigned, output) = (rule.assign.as_ref(), rule.output.as_ref());
                        let output = self.output(state, reading, assigned, output, left);
                        left.ways.push((Way::Rule(index), output));
                    }
                    holds
                })
            });
            // What comes after it is not looked at.
            if holds == Some(true) {
                return;
            }
        }
        if self.choice.default.is_some() {
            let output = match &state.processing {
                Processing::Jsonata(processing) => processing.output.as_ref(),
                Processing::JsonPath(_) => None,
            };
            let output = self.output(state, reading, state.assign.as_ref(), output, left);
            left.ways.push((Way::Default, output));
        }
    }

    fn output(
        &self,
        state: &'m State,
        reading: &mut StateReader<'_, 'm>,
        assigned: Option<&'m Assign>,
        output: Option<&PayloadTemplate>,
        left: &mut StateExit<'m>,
    ) -> Shape {
        let sources = Sources::input(self.effective);
        assign(reading, assigned, sources, left);
        match (&state.processing, output) {
            (Processing::JsonPath(processing), _) => match &processing.output_path {
                DataPath::Absent => self.effective.clone(),
                DataPath::Null => Shape::object(super::object::Object::default()),
                // Told once, not for each rule.
                DataPath::Path(path) => {
                    silently(reading, |reading| reading.path(path, self.effective))
                }
            },
            (Processing::Jsonata(_), Some(template)) => reading.at("Output", |reading| {
                reading.template(&template.root, sources)
            }),
            // What a condition asks of its input is not known beyond it.
            (Processing::Jsonata(_), None) if self.tests_presence() => Shape::Anything,
            (Processing::Jsonata(_), None) => self.effective.clone(),
        }
    }

    /// Returns true if a condition may look whether there is something.
    fn tests_presence(&self) -> bool {
        self.choice.choices.iter().any(|choice| match &choice.rule {
            Rule::Condition(Condition::Expression(expression)) => {
                let source = expression.expression().source();
                ["$exists", "$type", "$boolean", "$keys", "$lookup"]
                    .iter()
                    .any(|function| source.contains(function))
            }
            _ => false,
        })
    }

    /// Returns the paths that a rule requests with IsPresent.
    fn tested_paths(&self) -> Vec<&'m str> {
        let mut asked = Vec::new();
        let mut open: Vec<&Rule> = self
            .choice
            .choices
            .iter()
            .map(|choice| &choice.rule)
            .collect();
        while let Some(rule) = open.pop() {
            match rule {
                Rule::And(rules) | Rule::Or(rules) => {
                    open.extend(rules.iter().map(|nested| &nested.rule));
                }
                Rule::Not(nested) => open.push(&nested.rule),
                Rule::Test(test)
                    if matches!(test.comparison, Comparison::Is(TypeTest::Present, _)) =>
                {
                    asked.push(test.variable.source());
                }
                Rule::Test(_) | Rule::Condition(_) => {}
            }
        }
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// Returns true if a rule holds, where that is certain.
    fn holds(&self, rule: &Rule, reading: &mut StateReader<'_, 'm>, depth: usize) -> Option<bool> {
        let below = depth.checked_sub(1)?;
        match rule {
            Rule::Condition(Condition::Boolean(value)) => Some(*value),
            Rule::Condition(Condition::Expression(expression)) => {
                if !self.tests_presence() {
                    let sources = Sources::input(self.effective);
                    reading.at("Condition", |reading| {
                        reading.expression(expression, sources)
                    });
                }
                None
            }
            Rule::Test(test) => self.test_holds(test, reading),
            Rule::Not(nested) => {
                let holds = reading.at("Not", |reading| self.holds(&nested.rule, reading, below));
                holds.map(|holds| !holds)
            }
            Rule::And(rules) => self.all_hold("And", rules, false, reading, below),
            Rule::Or(rules) => self.all_hold("Or", rules, true, reading, below),
        }
    }

    /// Of And and Or: decided by one that is `deciding`, or by all that are not.
    fn all_hold(
        &self,
        field: &str,
        rules: &[asl_model::NestedRule],
        deciding: bool,
        reading: &mut StateReader<'_, 'm>,
        depth: usize,
    ) -> Option<bool> {
        let mut is_known = true;
        for (index, nested) in rules.iter().enumerate() {
            let holds = reading.at(field, |reading| {
                reading.at_index(index, |reading| self.holds(&nested.rule, reading, depth))
            });
            match holds {
                Some(holds) if holds == deciding => return Some(deciding),
                Some(_) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(!deciding)
    }

    fn test_holds(&self, test: &DataTest, reading: &mut StateReader<'_, 'm>) -> Option<bool> {
        if let Comparison::Is(TypeTest::Present, expected) = &test.comparison {
            let mut is_dead = false;
            silently(reading, |reading| {
                let before = reading.dead.len();
                reading.path(&test.variable, self.effective);
                is_dead = reading.dead.len() > before;
            });
            return is_dead.then_some(!expected);
        }
        reading.at("Variable", |reading| {
            reading.path(&test.variable, self.effective)
        });
        if let Some((field, other)) = other_path(&test.comparison) {
            reading.at(&field, |reading| reading.path(other, self.effective));
        }
        None
    }
}

/// Reads without reporting paths that select nothing.
fn silently<T>(
    reading: &mut StateReader<'_, '_>,
    read: impl FnOnce(&mut StateReader<'_, '_>) -> T,
) -> T {
    let before = reading.dead.len();
    let value = read(reading);
    reading.dead.truncate(before);
    value
}

/// Returns true if one path is the other's beginning.
fn lead_alike(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| {
        long.strip_prefix(short)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    begins(one, other) || begins(other, one)
}

/// Returns the operator that compares with a path, and the path.
fn other_path(comparison: &Comparison) -> Option<(String, &Path)> {
    let (kind, operator, path) = match comparison {
        Comparison::StringPath(operator, path) => ("String", format!("{operator:?}"), path),
        Comparison::NumericPath(operator, path) => ("Numeric", format!("{operator:?}"), path),
        Comparison::TimestampPath(operator, path) => ("Timestamp", format!("{operator:?}"), path),
        Comparison::BooleanPath(path) => ("Boolean", "Equals".to_owned(), path),
        _ => return None,
    };
    Some((format!("{kind}{operator}Path"), path))
}
