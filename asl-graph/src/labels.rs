//! Few words for what a state does and when a rule matches.
use asl_model::{
    Comparison, ComparisonOperator, Condition, DataTest, Fail, Items, Map, NestedRule,
    ProcessorMode, Resource, ResourceKind, Rule, State, StateKind, TemplateNode, TextField,
    TypeTest, WaitDuration, Whole,
};

/// Describes the work of a state; empty if name and type are enough.
///
/// ```
/// use asl_model::{Options, parse};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Wait", "SecondsPath": "$.delay", "End": true}}}"#;
/// let (machine, _) = parse(text, Options::default()).unwrap();
/// let (_, state) = &machine.states.states[0];
/// assert_eq!(asl_graph::labels::detail(state), "$.delay seconds");
/// ```
pub fn detail(state: &State) -> String {
    match &state.kind {
        StateKind::Task(task) => task_detail(state, &task.resource),
        StateKind::Wait(wait) => match &wait.duration {
            WaitDuration::Seconds(seconds) => duration(*seconds),
            WaitDuration::SecondsPath(path) => format!("{} seconds", path.source()),
            WaitDuration::Timestamp(_, text) => format!("until {text}"),
            WaitDuration::TimestampPath(path) => format!("until {}", path.source()),
            WaitDuration::SecondsExpression(expression) => {
                format!("{} seconds", show(expression.expression().source()))
            }
            WaitDuration::TimestampExpression(expression) => {
                format!("until {}", show(expression.expression().source()))
            }
        },
        StateKind::Fail(fail) => fail_detail(fail),
        StateKind::Map(map) => map_detail(map),
        StateKind::Parallel(parallel) => count_branches(parallel.branches.len()),
        StateKind::Pass(_) | StateKind::Choice(_) | StateKind::Succeed => String::new(),
    }
}

pub(crate) fn count_branches(count: usize) -> String {
    format!("{count} branch{}", if count == 1 { "" } else { "es" })
}

/// Returns an expression on one line, without its delimiters.
fn show(source: &str) -> String {
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Seconds as a person says them.
///
/// ```
/// assert_eq!(asl_graph::labels::duration(5_400), "1 h 30 min");
/// ```
pub fn duration(seconds: u64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let mut left = seconds;
    let mut parts = Vec::new();
    for (size, unit) in units {
        if left >= size {
            parts.push(format!("{} {unit}", left / size));
            left %= size;
        }
    }
    match parts.is_empty() {
        true => "0 s".to_owned(),
        false => parts.join(" "),
    }
}

fn task_detail(state: &State, resource: &Resource) -> String {
    match &resource.kind {
        ResourceKind::LambdaFunction => format!("Lambda {}", show_function(&resource.uri)),
        ResourceKind::Activity => format!("activity {}", resource.last_part()),
        ResourceKind::Integration(integration) => match state.parameter("FunctionName") {
            Some(function) if integration.service == "lambda" => {
                format!("Lambda {}", show_function(function))
            }
            _ => format!("{}:{}", integration.service, integration.action),
        },
        ResourceKind::Other => resource.last_part().to_owned(),
    }
}

/// Returns the name of a function, or what stands for it.
fn show_function(text: &str) -> &str {
    asl_model::function_name(text).unwrap_or(text)
}

fn fail_detail(fail: &Fail) -> String {
    match &fail.error {
        Some(TextField::Text(text)) => text.clone(),
        Some(TextField::Path(path)) => path.source().to_owned(),
        Some(TextField::Intrinsic(call)) => call.source().to_owned(),
        Some(TextField::Expression(expression)) => show(expression.expression().source()),
        None => String::new(),
    }
}

fn map_detail(map: &Map) -> String {
    let items = match (&map.item_reader, &map.items) {
        (Some(reader), _) => format!("each item of {}", reader.resource.last_part()),
        (None, Some(Items::Path(items))) => format!("each of {}", items.path.source()),
        (None, Some(Items::Template(template))) => match &template.root {
            TemplateNode::Expression(expression) => {
                format!("each of {}", show(expression.expression().source()))
            }
            _ => "each item".to_owned(),
        },
        (None, None) => "each item".to_owned(),
    };
    let config = map.item_processor.processor_config;
    let mode = match config.and_then(|config| config.mode) {
        Some(ProcessorMode::Distributed) => ", distributed",
        _ => "",
    };
    let concurrency = match &map.max_concurrency {
        Some(Whole::Number(0)) | None => String::new(),
        Some(Whole::Number(1)) => ", one by one".to_owned(),
        Some(Whole::Number(count)) => format!(", {count} at once"),
        Some(Whole::Path(path)) => format!(", {} at once", path.source()),
        Some(Whole::Expression(expression)) => {
            format!(", {} at once", show(expression.expression().source()))
        }
    };
    format!("{items}{mode}{concurrency}")
}

/// Describes the condition of a Choice Rule.
///
/// ```
/// use asl_model::{Options, StateKind, parse};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Choice", "Default": "B", "Choices": [{"Next": "B", "And": [
///     {"Variable": "$.n", "NumericGreaterThan": 5}, {"Not": {"Variable": "$.s", "IsPresent": true}}
/// ]}]}, "B": {"Type": "Succeed"}}}"#;
/// let (machine, _) = parse(text, Options::default()).unwrap();
/// let StateKind::Choice(choice) = &machine.states.states[0].1.kind else { panic!("no Choice State") };
/// assert_eq!(asl_graph::labels::rule(&choice.choices[0].rule), "$.n > 5 and $.s is not present");
/// ```
pub fn rule(rule: &Rule) -> String {
    let mut text = String::new();
    push_rule(&mut text, rule);
    text
}

fn push_rule(text: &mut String, rule: &Rule) {
    match rule {
        Rule::And(rules) => push_joined(text, rules, " and "),
        Rule::Or(rules) => push_joined(text, rules, " or "),
        Rule::Not(inner) => match &inner.rule {
            Rule::Test(test) => text.push_str(&negated(test)),
            other => {
                text.push_str("not ");
                push_in_parentheses(text, other);
            }
        },
        Rule::Test(test) => text.push_str(&test_label(test, true)),
        Rule::Condition(Condition::Boolean(true)) => text.push_str("true"),
        Rule::Condition(Condition::Boolean(false)) => text.push_str("false"),
        Rule::Condition(Condition::Expression(expression)) => {
            text.push_str(&show(expression.expression().source()));
        }
    }
}

fn push_joined(text: &mut String, rules: &[NestedRule], word: &str) {
    for (index, part) in rules.iter().enumerate() {
        if index > 0 {
            text.push_str(word);
        }
        match &part.rule {
            part @ (Rule::And(_) | Rule::Or(_)) => push_in_parentheses(text, part),
            part => push_rule(text, part),
        }
    }
}

fn push_in_parentheses(text: &mut String, rule: &Rule) {
    text.push('(');
    push_rule(text, rule);
    text.push(')');
}

fn negated(test: &DataTest) -> String {
    match &test.comparison {
        Comparison::Is(..) | Comparison::Boolean(_) => test_label(test, false),
        _ => format!("not {}", test_label(test, true)),
    }
}

fn test_label(test: &DataTest, holds: bool) -> String {
    let variable = test.variable.source();
    let compared = |operator: &ComparisonOperator, value: &dyn std::fmt::Display| {
        format!("{variable} {} {value}", sign(*operator))
    };
    match &test.comparison {
        Comparison::String(operator, text) => compared(operator, &format_args!("\"{text}\"")),
        Comparison::Numeric(operator, number) => compared(operator, number),
        Comparison::Timestamp(operator, _, text) => compared(operator, text),
        Comparison::StringPath(operator, path)
        | Comparison::NumericPath(operator, path)
        | Comparison::TimestampPath(operator, path) => compared(operator, &path.source()),
        Comparison::BooleanPath(path) => compared(&ComparisonOperator::Equals, &path.source()),
        Comparison::Boolean(expected) => match *expected == holds {
            true => variable.to_owned(),
            false => format!("not {variable}"),
        },
        Comparison::Matches(pattern) => format!("{variable} like \"{}\"", pattern.source()),
        Comparison::Is(what, expected) => {
            let is = if *expected == holds { "is" } else { "is not" };
            format!("{variable} {is} {}", type_test(*what))
        }
    }
}

fn sign(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equals => "=",
        ComparisonOperator::LessThan => "<",
        ComparisonOperator::GreaterThan => ">",
        ComparisonOperator::LessThanEquals => "≤",
        ComparisonOperator::GreaterThanEquals => "≥",
    }
}

fn type_test(test: TypeTest) -> &'static str {
    match test {
        TypeTest::Null => "null",
        TypeTest::Present => "present",
        TypeTest::Numeric => "a number",
        TypeTest::String => "a string",
        TypeTest::Boolean => "a boolean",
        TypeTest::Timestamp => "a timestamp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_spoken() {
        assert_eq!(duration(0), "0 s");
        assert_eq!(duration(90), "1 min 30 s");
        assert_eq!(duration(86_400), "1 d");
    }

    #[test]
    fn expressions_are_shown_on_one_line_without_delimiters() {
        assert_eq!(show(" $x\n  > 5 "), "$x > 5");
    }

    #[test]
    fn functions_are_called_by_their_names() {
        for (text, shown) in [
            (
                "arn:aws:lambda:us-east-1:123456789012:function:charge:7",
                "charge",
            ),
            ("${ChargeFunctionArn}", "${ChargeFunctionArn}"),
            ("arn:aws:lambda", "arn:aws:lambda"),
        ] {
            assert_eq!(show_function(text), shown);
        }
    }
}
