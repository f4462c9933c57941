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
        match self.path(object, name)? {
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
