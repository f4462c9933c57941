//! Choice States and their rules.
use super::object::ObjectPrinter;
use crate::{
    Choice, ChoiceRule, Comparison, ComparisonOperator, Condition, NestedRule, Rule, TypeTest,
};
use serde_json::Value;

pub(super) fn choice(fields: &mut ObjectPrinter, state: &Choice) {
    let choices = state.choices.iter().map(choice_rule);
    fields.put("Choices", choices.collect::<Vec<Value>>());
    fields.text("Default", state.default.as_ref().map(|name| name.as_str()));
}

fn choice_rule(choice: &ChoiceRule) -> Value {
    let mut fields = rule(&choice.rule);
    fields.assign(choice.assign.as_ref());
    fields.template("Output", choice.output.as_ref());
    fields.text("Comment", choice.comment.as_deref());
    fields.put("Next", choice.next.as_str());
    fields.into()
}

fn rule(rule: &Rule) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    match rule {
        Rule::And(rules) => fields.put("And", all(rules)),
        Rule::Or(rules) => fields.put("Or", all(rules)),
        Rule::Not(inner) => fields.put("Not", nested(inner)),
        Rule::Test(test) => {
            fields.put("Variable", test.variable.source());
            let (name, value) = comparison(&test.comparison);
            fields.put(&name, value);
        }
        Rule::Condition(Condition::Boolean(boolean)) => fields.put("Condition", *boolean),
        Rule::Condition(Condition::Expression(expression)) => {
            fields.put("Condition", expression.text());
        }
    }
    fields
}

fn nested(nested: &NestedRule) -> ObjectPrinter {
    let mut fields = rule(&nested.rule);
    fields.text("Comment", nested.comment.as_deref());
    fields
}

fn all(rules: &[NestedRule]) -> Vec<Value> {
    rules.iter().map(|inner| nested(inner).into()).collect()
}

fn comparison(comparison: &Comparison) -> (String, Value) {
    let name = |kind: &str, operator: &ComparisonOperator, suffix: &str| {
        format!("{kind}{}{suffix}", operator_name(*operator))
    };
    match comparison {
        Comparison::String(operator, text) => (name("String", operator, ""), text.as_str().into()),
        Comparison::Numeric(operator, number) => {
            (name("Numeric", operator, ""), Value::Number(number.clone()))
        }
        Comparison::Timestamp(operator, _, text) => {
            (name("Timestamp", operator, ""), text.as_str().into())
        }
        Comparison::Boolean(boolean) => ("BooleanEquals".to_owned(), (*boolean).into()),
        Comparison::StringPath(operator, path) => {
            (name("String", operator, "Path"), path.source().into())
        }
        Comparison::NumericPath(operator, path) => {
            (name("Numeric", operator, "Path"), path.source().into())
        }
        Comparison::TimestampPath(operator, path) => {
            (name("Timestamp", operator, "Path"), path.source().into())
        }
        Comparison::BooleanPath(path) => ("BooleanEqualsPath".to_owned(), path.source().into()),
        Comparison::Matches(pattern) => ("StringMatches".to_owned(), pattern.source().into()),
        Comparison::Is(test, boolean) => (type_test(*test).to_owned(), (*boolean).into()),
    }
}

fn operator_name(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equals => "Equals",
        ComparisonOperator::LessThan => "LessThan",
        ComparisonOperator::GreaterThan => "GreaterThan",
        ComparisonOperator::LessThanEquals => "LessThanEquals",
        ComparisonOperator::GreaterThanEquals => "GreaterThanEquals",
    }
}

fn type_test(test: TypeTest) -> &'static str {
    match test {
        TypeTest::Null => "IsNull",
        TypeTest::Present => "IsPresent",
        TypeTest::Numeric => "IsNumeric",
        TypeTest::String => "IsString",
        TypeTest::Boolean => "IsBoolean",
        TypeTest::Timestamp => "IsTimestamp",
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::choice;
    use crate::{Options, parse_value};
    use serde_json::json;

    #[test]
    fn comments_are_kept_at_every_level() {
        let test = json!({"Variable": "$.a", "IsNull": true, "Comment": "test"});
        let not = json!({"Not": test, "Comment": "not"});
        let mut rule = json!({"And": [not, {"Or": [test], "Comment": "or"}], "Comment": "and"});
        let (machine, _) = parse_value(&choice(rule.clone()), Options::default()).unwrap();
        let printed = machine.to_json();
        let found = &printed["States"]["A"]["Choices"][0];
        rule["Next"] = found["Next"].clone();
        assert_eq!(*found, rule);
    }
}
