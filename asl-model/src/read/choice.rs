//! Choice States and their rules (specification, Choice State).
use super::state::Scope;
use super::{Object, Place, Read, Reader, Reported};
use crate::rules::transition_targets::TargetField;
use crate::{
    Choice, ChoiceRule, Comparison, ComparisonOperator, DataTest, Rule, StringPattern, TypeTest,
};
use asl_path::Path;
use serde_json::Value;

const FIELDS: &[&str] = &[
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
    "Choices",
    "Default",
];

/// What the name of a comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
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
    fn parse(name: &str) -> Option<Self> {
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

/// What kind of rule an object is, by its fields.
#[derive(Debug, Clone, Copy)]
enum Form {
    And,
    Or,
    Not,
    Test,
}

const FORMS: &[(&str, Form)] = &[
    ("And", Form::And),
    ("Or", Form::Or),
    ("Not", Form::Not),
    ("Variable", Form::Test),
];

impl<'v> Reader<'v> {
    pub(crate) fn choice(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Choice> {
        let known = self.known_fields(state, FIELDS);
        let choices = self.choices(state, scope);
        let default = match state.has("Default") {
            true => self
                .target(state, "Default", TargetField::Default, scope)
                .map(Some),
            false => Ok(None),
        };
        let input_path = self.data_path(state, "InputPath");
        let output_path = self.data_path(state, "OutputPath");
        known?;
        Ok(Choice {
            choices: choices?,
            default: default?,
            input_path: input_path?,
            output_path: output_path?,
        })
    }

    fn choices(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Vec<ChoiceRule>> {
        self.required(state, &["Choices"])?;
        let place = state.at("Choices");
        let value = state.get("Choices").unwrap_or(&Value::Null);
        let elements = self.filled_array(value, &place)?;
        let mut rules = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.choice_rule(element, &place.element(index), index, scope) {
                Ok(rule) => rules.push(rule),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(rules), Err)
    }

    /// Where the rules of a JSONata state lead.
    pub(crate) fn jsonata_choice(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) {
        if state.has("Default") {
            let _ = self.target(state, "Default", TargetField::Default, scope);
        }
        let rules = state.get("Choices").and_then(Value::as_array);
        for (index, rule) in rules.into_iter().flatten().enumerate() {
            let place = state.at("Choices");
            let place = place.element(index);
            if let Ok(rule) = self.object(rule, &place)
                && rule.has("Next")
            {
                let _ = self.target(rule, "Next", TargetField::Choice(index), scope);
            }
        }
    }

    fn choice_rule(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        index: usize,
        scope: &mut Scope<'v>,
    ) -> Read<ChoiceRule> {
        let object = self.object(value, place)?;
        let assign = self.no_assign(object);
        let rule = self.rule(object, true);
        let next = self.required(object, &["Next"]);
        let next = scope.unless_faulty(next);
        let next =
            next.and_then(|()| self.target(object, "Next", TargetField::Choice(index), scope));
        let comment = self.owned_text(object, "Comment");
        assign?;
        Ok(ChoiceRule {
            rule: rule?,
            next: next?,
            comment: comment?,
        })
    }

    /// A rule; "Next" belongs to those of "Choices" only.
    fn rule(&mut self, object: Object<'v, '_>, top: bool) -> Read<Rule> {
        let known = self.known_rule_fields(object, top);
        let mut forms = FORMS.iter().filter(|(name, _)| object.has(name));
        let rule = match (forms.next(), forms.next()) {
            (Some((name, Form::And)), None) => self.rules(object, name).map(Rule::And),
            (Some((name, Form::Or)), None) => self.rules(object, name).map(Rule::Or),
            (Some(_), None) if object.has("Not") => self.negated(object),
            (Some(_), None) => self.data_test(object).map(Rule::Test),
            _ => Err(self.schema(
                object.place,
                "The object must have only one of the following fields, [And, Or, Not, Variable]",
            )),
        };
        known?;
        rule
    }

    fn known_rule_fields(&mut self, object: Object<'v, '_>, top: bool) -> Read<()> {
        let mut known = Ok(());
        for name in object.fields.keys() {
            let allowed = match name.as_str() {
                "And" | "Or" | "Not" | "Variable" | "Comment" => true,
                "Next" | "Assign" => top,
                other => Operator::parse(other).is_some(),
            };
            if !allowed {
                known = Err(self.unknown_field(object, name));
            }
        }
        known
    }

    fn negated(&mut self, object: Object<'v, '_>) -> Read<Rule> {
        self.no_operators(object)?;
        let place = object.place.field("Not");
        let inner = self.object(object.get("Not").unwrap_or(&Value::Null), &place)?;
        Ok(Rule::Not(Box::new(self.rule(inner, false)?)))
    }

    fn rules(&mut self, object: Object<'v, '_>, name: &str) -> Read<Vec<Rule>> {
        self.no_operators(object)?;
        let place = object.place.field(name);
        let elements = self.filled_array(object.get(name).unwrap_or(&Value::Null), &place)?;
        let mut rules = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            let place = place.element(index);
            let rule = self
                .object(element, &place)
                .and_then(|inner| self.rule(inner, false));
            match rule {
                Ok(rule) => rules.push(rule),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(rules), Err)
    }

    /// A boolean expression compares nothing itself.
    fn no_operators(&mut self, object: Object<'v, '_>) -> Read<()> {
        match operators(object).next() {
            Some((name, ..)) => Err(self.unknown_field(object, name)),
            None => Ok(()),
        }
    }

    fn data_test(&mut self, object: Object<'v, '_>) -> Read<DataTest> {
        let variable = self.compared_path(object, "Variable");
        let mut found = operators(object);
        let comparison = match (found.next(), found.next()) {
            (Some((name, operator, value)), None) => self.comparison(object, name, operator, value),
            (None, _) => Err(self.schema_with_hint(
                object.place,
                "This object should have exactly one comparison operator",
                "add one, such as StringEquals, NumericLessThan or IsPresent",
            )),
            (Some(_), Some(_)) => {
                let names: Vec<&str> = operators(object).map(|(name, ..)| name).collect();
                let message = format!(
                    "There should only be one of the following fields: [{}]",
                    names.join(", ")
                );
                Err(self.schema(object.place, message))
            }
        };
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
                Comparison::String(operator, self.text_value(value, &place)?.to_owned())
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

    /// A Path that a test cannot do without: where a placeholder stands, `$`.
    fn compared_path(&mut self, object: Object<'v, '_>, name: &str) -> Read<Path> {
        let path = match self.options.profile.requires_reference_paths_in_rules() {
            true => self.single_path(object, name)?,
            false => self.path(object, name)?,
        };
        match path {
            Some(path) => Ok(path),
            None => Path::parse("$").map_err(|_| Reported),
        }
    }

    fn boolean(&mut self, value: &Value, place: &Place<'_>) -> Read<bool> {
        match value {
            Value::Bool(boolean) => Ok(*boolean),
            Value::String(text) if crate::rules::placeholders::is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(false)
            }
            _ => Err(self.wrong_type(place, "Boolean")),
        }
    }

    fn pattern(&mut self, value: &'v Value, place: &Place<'_>) -> Read<StringPattern> {
        let text = self.text_value(value, place)?;
        match StringPattern::parse(text) {
            Some(pattern) => Ok(pattern),
            None => Err(self.schema_with_hint(
                place,
                "a backslash in a pattern escapes nothing",
                "write `\\*` for an asterisk and `\\\\` for a backslash",
            )),
        }
    }
}

fn operators<'v>(object: Object<'v, '_>) -> impl Iterator<Item = (&'v str, Operator, &'v Value)> {
    object
        .fields
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), Operator::parse(name)?, value)))
}

#[cfg(test)]
mod tests {
    use super::Operator;
    use crate::testing::{accepted, choice, errors, machine, refused, spec_errors};
    use serde_json::json;

    const PLACE: &str = "at /States/A/Choices/0";

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
        let mut names: Vec<String> = [
            "Null",
            "Present",
            "Numeric",
            "String",
            "Boolean",
            "Timestamp",
        ]
        .map(|test| format!("Is{test}"))
        .into();
        names.extend(["StringMatches", "BooleanEquals", "BooleanEqualsPath"].map(str::to_owned));
        for kind in ["String", "Numeric", "Timestamp"] {
            for operator in [
                "Equals",
                "LessThan",
                "GreaterThan",
                "LessThanEquals",
                "GreaterThanEquals",
            ] {
                names.push(format!("{kind}{operator}"));
                names.push(format!("{kind}{operator}Path"));
            }
        }
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
        let message = format!(
            "There should only be one of the following fields: [IsNull, StringEquals] {PLACE}"
        );
        refused(&choice(rule), &message);
        let message = format!("This object should have exactly one comparison operator {PLACE}");
        refused(&choice(json!({"Variable": "$.a"})), &message);
    }

    #[test]
    fn a_rule_has_one_form() {
        let message = format!(
            "The object must have only one of the following fields, [And, Or, Not, Variable] {PLACE}"
        );
        refused(&choice(json!({})), &message);
        let test = json!({"Variable": "$.a", "IsNull": true});
        refused(&choice(json!({"And": [test], "Or": [test]})), &message);
        let mixed = json!({"Not": test, "StringEquals": "a"});
        refused(
            &choice(mixed),
            &format!("Field 'StringEquals' is not supported {PLACE}"),
        );
        let empty = json!({"And": []});
        refused(
            &choice(empty),
            &format!("Value cannot be empty {PLACE}/And"),
        );
    }

    #[test]
    fn only_rules_of_choices_lead_somewhere() {
        let inner = json!({"Variable": "$.a", "IsNull": true, "Next": "B"});
        let message = format!("Field 'Next' is not supported {PLACE}/Or/0/Not");
        refused(&choice(json!({"Or": [{"Not": inner}]})), &message);
        let state = json!({"Type": "Choice", "Choices": [{"Variable": "$.a", "IsNull": true}]});
        assert_eq!(
            errors(&machine(state)),
            [format!(
                "SCHEMA_VALIDATION_FAILED: These fields are required: [Next] {PLACE}"
            )]
        );
    }

    #[test]
    fn choices_are_needed() {
        let none = machine(json!({"Type": "Choice", "Choices": []}));
        assert!(errors(&none).contains(
            &"SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/A/Choices".to_owned()
        ));
        let missing = machine(json!({"Type": "Choice"}));
        assert!(
            errors(&missing).contains(
                &"SCHEMA_VALIDATION_FAILED: These fields are required: [Choices] at /States/A"
                    .to_owned()
            )
        );
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
        let rule = json!({"Variable": "$.a", "StringMatches": "a\\b"});
        refused(
            &choice(rule),
            &format!("a backslash in a pattern escapes nothing {PLACE}/StringMatches"),
        );
        accepted(&choice(
            json!({"Variable": "$$.a", "NumericEquals": 1.5, "Comment": "why"}),
        ));
    }
}
