//! Evaluation of Choice rules (2024 specification, Choice State).
use super::evaluation::Evaluation;
use super::fault::{EvaluationFault, pointer};
use super::inspection::InspectionEvent;
use super::state_output::StateOutput;
use crate::data::Data;
use crate::program::{ChoiceRule, StateIndex, StateProgram};
use asl_model::{
    Comparison, ComparisonOperator, Condition, DataTest, Rule, StringPattern, Timestamp, TypeTest,
};
use asl_path::Path;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// Returns the target of the first rule that matches, and what the state leaves behind: as that rule says, or where none
/// matches as the state does.
pub(crate) fn choose<'p>(
    evaluation: &mut Evaluation<'_>,
    state: &'p StateProgram,
    rules: &'p [ChoiceRule],
    raw: &mut Data,
) -> Result<(Option<StateIndex>, StateOutput<'p>), EvaluationFault> {
    let selected = evaluation.selected_input(&state.processing, raw)?;
    let input: &Value = selected.as_ref().unwrap_or(raw);
    let Some((index, rule)) = first_match(evaluation, rules, input)? else {
        return Ok((None, evaluation.unchanged_output(state, raw)?));
    };
    evaluation.inspect(|| InspectionEvent::Choice { index });
    evaluation
        .chosen(state, rule, raw)
        .map(|output| (Some(rule.next), output))
        .map_err(|fault| fault.at(format_args!("Choices[{index}]/")))
}

/// Returns the first rule that matches, with its place.
pub(crate) fn first_match<'p>(
    evaluation: &mut Evaluation<'_>,
    rules: &'p [ChoiceRule],
    input: &Value,
) -> Result<Option<(usize, &'p ChoiceRule)>, EvaluationFault> {
    for (index, rule) in rules.iter().enumerate() {
        if matches(evaluation, &rule.rule, input, &Trail::new(index))
            .map_err(|fault| fault.at(format_args!("Choices[{index}]/")))?
        {
            return Ok(Some((index, rule)));
        }
    }
    Ok(None)
}

/// And, Or and Not stop at the first answer. Recursion is bounded by the nesting of definitions.
fn matches(
    evaluation: &mut Evaluation<'_>,
    rule: &Rule,
    input: &Value,
    trail: &Trail<'_>,
) -> Result<bool, EvaluationFault> {
    if !matches!(rule, Rule::Test(_)) {
        evaluation.charge_choice(1)?;
    }
    match rule {
        Rule::Condition(condition) => {
            let holds = match condition {
                Condition::Boolean(value) => *value,
                Condition::Expression(string) => evaluation.boolean("Condition", string, input)?,
            };
            evaluation.inspect(|| InspectionEvent::Test {
                rule: trail.rule,
                test: "",
                value: Some(match holds {
                    true => &Value::Bool(true),
                    false => &Value::Bool(false),
                }),
                other: None,
                holds,
            });
            Ok(holds)
        }
        Rule::Test(test) => {
            let holds = matches_test(evaluation, test, input).map_err(|fault| fault.at(trail))?;
            if evaluation.inspector.is_some() {
                report_test(evaluation, test, input, trail, holds);
            }
            Ok(holds)
        }
        Rule::Not(nested) => matches(
            evaluation,
            &nested.rule,
            input,
            &trail.within(NestedRule::Not),
        )
        .map(|matched| !matched),
        Rule::And(rules) => {
            for (at, nested) in rules.iter().enumerate() {
                if !matches(
                    evaluation,
                    &nested.rule,
                    input,
                    &trail.within(NestedRule::And(at)),
                )? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Rule::Or(rules) => {
            for (at, nested) in rules.iter().enumerate() {
                if matches(
                    evaluation,
                    &nested.rule,
                    input,
                    &trail.within(NestedRule::Or(at)),
                )? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// The way from a rule to one of those that it is made of.
struct Trail<'t> {
    /// The member of "Choices".
    rule: usize,
    around: Option<(&'t Self, NestedRule)>,
}

#[derive(Clone, Copy)]
enum NestedRule {
    Not,
    And(usize),
    Or(usize),
}

impl Trail<'_> {
    fn new(rule: usize) -> Self {
        Self { rule, around: None }
    }

    fn within(&self, nested: NestedRule) -> Trail<'_> {
        Trail {
            rule: self.rule,
            around: Some((self, nested)),
        }
    }
}

/// `And[0]/Not/`: what stands before a field.
impl fmt::Display for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((around, nested)) = self.around else {
            return Ok(());
        };
        match nested {
            NestedRule::Not => write!(f, "{around}Not/"),
            NestedRule::And(at) => write!(f, "{around}And[{at}]/"),
            NestedRule::Or(at) => write!(f, "{around}Or[{at}]/"),
        }
    }
}

#[cold]
fn report_test(
    evaluation: &mut Evaluation<'_>,
    test: &DataTest,
    input: &Value,
    trail: &Trail<'_>,
    holds: bool,
) {
    let value = value_of(evaluation, &test.variable, input);
    let other = other_path(&test.comparison).and_then(|path| value_of(evaluation, path, input));
    let at = pointer(&trail.to_string());
    evaluation.inspect(|| InspectionEvent::Test {
        rule: trail.rule,
        test: &at,
        value: value.as_ref(),
        other: other.as_ref(),
        holds,
    });
}

fn value_of(evaluation: &Evaluation<'_>, path: &Path, input: &Value) -> Option<Value> {
    let mut made = None;
    let value = operand(evaluation, path, input, &mut made).ok()?;
    Some(value.clone())
}

/// The path of what a variable is compared with, if there is one.
fn other_path(comparison: &Comparison) -> Option<&Path> {
    match comparison {
        Comparison::StringPath(_, path)
        | Comparison::NumericPath(_, path)
        | Comparison::TimestampPath(_, path)
        | Comparison::BooleanPath(path) => Some(path),
        _ => None,
    }
}

fn matches_test(
    evaluation: &Evaluation<'_>,
    test: &DataTest,
    input: &Value,
) -> Result<bool, EvaluationFault> {
    if let Comparison::Is(TypeTest::Present, expected) = test.comparison {
        evaluation.charge_choice(1)?;
        let document = evaluation.roots(input).document(&test.variable);
        let path = &test.variable;
        let limits = evaluation.path_limits();
        let present = document.map_or(Ok(false), |document| {
            let steps = &evaluation.steps;
            path.json_path().finds(document, limits, steps)
        });
        let present = present.map_err(|error| EvaluationFault::from_path(path, &error))?;
        return Ok(present == expected);
    }
    let (mut made, mut other_made) = (None, None);
    let variable = operand(evaluation, &test.variable, input, &mut made)
        .map_err(|fault| fault.at("Variable"))?;
    let other = match other_path(&test.comparison) {
        Some(path) => operand(evaluation, path, input, &mut other_made)?,
        None => &Value::Null,
    };
    evaluation.charge_choice(1 + steps_of_texts(&test.comparison, variable, other))?;
    Ok(match &test.comparison {
        Comparison::String(operator, text) => {
            compare_strings(*operator, variable.as_str(), Some(text))
        }
        Comparison::Numeric(operator, number) => {
            compare_numbers(*operator, variable.as_number(), Some(number))
        }
        Comparison::Timestamp(operator, moment, _) => {
            compare_timestamps(*operator, timestamp(variable), Some(*moment))
        }
        Comparison::Boolean(value) => variable.as_bool() == Some(*value),
        Comparison::StringPath(operator, _) => {
            compare_strings(*operator, variable.as_str(), other.as_str())
        }
        Comparison::NumericPath(operator, _) => {
            compare_numbers(*operator, variable.as_number(), other.as_number())
        }
        Comparison::TimestampPath(operator, _) => {
            compare_timestamps(*operator, timestamp(variable), timestamp(other))
        }
        Comparison::BooleanPath(_) => {
            variable.is_boolean() && variable.as_bool() == other.as_bool()
        }
        Comparison::Matches(pattern) => matches_pattern(pattern, variable)?,
        Comparison::Is(type_test, expected) => is_of_type(*type_test, variable) == *expected,
    })
}

/// Returns the steps of a comparison of texts; other comparisons take a constant time.
fn steps_of_texts(comparison: &Comparison, variable: &Value, other: &Value) -> u64 {
    const BYTES_OF_A_STEP: usize = 32;
    let length = |value: &Value| value.as_str().map_or(0, str::len);
    let compared = match comparison {
        Comparison::String(_, text) => text.len().min(length(variable)),
        Comparison::StringPath(..) => length(other).min(length(variable)),
        // The whole text is searched for the pattern.
        Comparison::Matches(_) => length(variable),
        _ => return 0,
    };
    (compared / BYTES_OF_A_STEP) as u64
}

/// Returns the value of a path, borrowed if possible; `made` holds a value that the path builds.
///
/// Users of the service report that a Variable that finds nothing fails the execution, except under IsPresent.
fn operand<'d>(
    evaluation: &'d Evaluation<'_>,
    path: &Path,
    input: &'d Value,
    made: &'d mut Option<Value>,
) -> Result<&'d Value, EvaluationFault> {
    let not_found = || {
        EvaluationFault::runtime(format!(
            "Invalid path '{}': The choice state's condition path references an invalid value.",
            path.source()
        ))
    };
    let document = evaluation
        .roots(input)
        .document(path)
        .ok_or_else(not_found)?;
    if let Some(node) = path.json_path().node(document) {
        return Ok(node);
    }
    let (limits, steps) = (evaluation.path_limits(), &evaluation.steps);
    match path.json_path().evaluate_counting(document, limits, steps) {
        Ok(Cow::Borrowed(node)) => Ok(node),
        Ok(Cow::Owned(value)) => Ok(made.insert(value)),
        Err(error) if error.is_limit() => Err(EvaluationFault::from_path(path, &error)),
        Err(_) => Err(not_found()),
    }
}

fn timestamp(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(Timestamp::parse)
}

fn compare_strings(
    operator: ComparisonOperator,
    variable: Option<&str>,
    other: Option<&(impl AsRef<str> + ?Sized)>,
) -> bool {
    let (Some(left), Some(right)) = (variable, other) else {
        return false;
    };
    // UTF-16 code units, as Java compares: they differ from bytes only beyond the Basic Multilingual Plane.
    let right = right.as_ref();
    match operator {
        ComparisonOperator::Equals => left == right,
        _ => holds(operator, left.encode_utf16().cmp(right.encode_utf16())),
    }
}

/// Matches a pattern. An open escape is an error here, for any variable (2022 specification, Data-test expression).
fn matches_pattern(pattern: &StringPattern, variable: &Value) -> Result<bool, EvaluationFault> {
    if let Some(at) = pattern.open_escape() {
        let source = pattern.source();
        return Err(EvaluationFault::runtime(format!(
            "Invalid StringMatches pattern '{source}': the backslash at offset {at} escapes neither '*' nor '\\'."
        )));
    }
    Ok(variable.as_str().is_some_and(|text| pattern.matches(text)))
}

fn compare_timestamps(
    operator: ComparisonOperator,
    variable: Option<Timestamp>,
    other: Option<Timestamp>,
) -> bool {
    let (Some(left), Some(right)) = (variable, other) else {
        return false;
    };
    holds(operator, left.cmp(&right))
}

fn compare_numbers(
    operator: ComparisonOperator,
    variable: Option<&Number>,
    other: Option<&Number>,
) -> bool {
    let (Some(left), Some(right)) = (variable, other) else {
        return false;
    };
    number_order(left, right).is_some_and(|order| holds(operator, order))
}

/// Whole numbers compare exactly, others as doubles.
fn number_order(left: &Number, right: &Number) -> Option<Ordering> {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => match (left.as_u64(), right.as_u64()) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
        },
    }
}

fn holds(operator: ComparisonOperator, order: Ordering) -> bool {
    match operator {
        ComparisonOperator::Equals => order.is_eq(),
        ComparisonOperator::LessThan => order.is_lt(),
        ComparisonOperator::GreaterThan => order.is_gt(),
        ComparisonOperator::LessThanEquals => order.is_le(),
        ComparisonOperator::GreaterThanEquals => order.is_ge(),
    }
}

fn is_of_type(type_test: TypeTest, variable: &Value) -> bool {
    match type_test {
        TypeTest::Null => variable.is_null(),
        TypeTest::Present => true,
        TypeTest::Numeric => variable.is_number(),
        TypeTest::String => variable.is_string(),
        TypeTest::Boolean => variable.is_boolean(),
        TypeTest::Timestamp => variable.as_str().and_then(Timestamp::parse).is_some(),
    }
}
