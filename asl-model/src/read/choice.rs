//! Choice States and their rules (2024 specification, Choice State).
use super::comparison::{OPERATORS, Operator, operators};
use super::state::Scope;
use super::{Fields, Moment, Object, Place, Read, Reader, Way};
use crate::DiagnosticRule;
use crate::rules::transition_targets::TargetField;
use crate::{Choice, ChoiceRule, Condition, NestedRule, QueryLanguage, Rule};
use serde_json::Value;

pub(super) const FIELDS: Fields = Fields {
    common: &["Choices", "Default", "Assign"],
    json_path: &["InputPath", "OutputPath"],
    jsonata: &["Output"],
};

/// The form of a rule, by its fields.
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

pub(super) const JSONATA_RULE: &[&str] = &["Condition", "Next", "Assign", "Output", "Comment"];

impl<'v> Reader<'v> {
    /// Reads the fields of a Choice State.
    pub(crate) fn choice(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Choice> {
        let choices = self.choices(state, scope);
        let default = match state.has("Default") {
            true => self
                .target(state, "Default", TargetField::Default, scope)
                .map(Some),
            false => Ok(None),
        };
        Ok(Choice {
            choices: choices?,
            default: default?,
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

    fn choice_rule(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        index: usize,
        scope: &mut Scope<'v>,
    ) -> Read<ChoiceRule> {
        let object = self.object(value, place)?;
        let assign = self.assign(object, Moment::Entry, Way::Rule(index));
        let rule = match self.is_jsonata() {
            true => self.jsonata_rule(object),
            false => self.rule(object, true),
        };
        let output = match self.is_jsonata() {
            true => self.template(object, "Output", Moment::Entry),
            false => Ok(None),
        };
        let next = self.required(object, &["Next"]);
        let next = scope.unless_faulty(next);
        let next =
            next.and_then(|()| self.target(object, "Next", TargetField::Choice(index), scope));
        let comment = self.owned_text(object, "Comment");
        Ok(ChoiceRule {
            rule: *rule?,
            next: next?,
            assign: assign?,
            output: output?,
            comment: comment?,
        })
    }

    /// Returns a rule; "Next" belongs to those of "Choices" only. Rules nest: in a box they take little of the stack.
    fn rule(&mut self, object: Object<'v, '_>, top: bool) -> Read<Box<Rule>> {
        let known = self.check_rule_fields(object, top);
        let mut forms = FORMS.iter().filter(|(name, _)| object.has(name));
        let rule = match (forms.next(), forms.next()) {
            (Some((name, Form::And)), None) => self.rules(object, name, Rule::And),
            (Some((name, Form::Or)), None) => self.rules(object, name, Rule::Or),
            (Some(_), None) if object.has("Not") => self.negated(object),
            (Some(_), None) => self.test(object),
            (form, _) => {
                let message = "The object must have only one of the following fields, [And, Or, Not, Variable, Condition]";
                let hint = match form {
                    None => {
                        "it has none: use Variable and a comparison to test a value, or And, Or and Not to combine rules"
                    }
                    Some(_) => "it has several: combine the rules in an array with And or Or",
                };
                let rule = DiagnosticRule::INVALID_CHOICE_RULE;
                Err(self.fault_with_hint(object.place, rule, message, hint))
            }
        };
        known?;
        rule
    }

    fn check_rule_fields(&mut self, object: Object<'v, '_>, top: bool) -> Read<()> {
        let mut known = Ok(());
        for name in object.fields.keys() {
            let allowed = match name.as_str() {
                "And" | "Or" | "Not" | "Variable" | "Comment" => true,
                "Next" | "Assign" => top,
                "Condition" | "Output" if top => {
                    let language = QueryLanguage::JSONata;
                    known = Err(self.field_of_other_language(object, name, language));
                    continue;
                }
                other => Operator::parse(other).is_some(),
            };
            if !allowed && matches!(name.as_str(), "Next" | "Assign") {
                let hint = format!("`{name}` belongs to the rule in Choices, not to a nested rule");
                known = Err(self.unknown_field(object, name).with_hint(self, hint));
            } else if !allowed {
                let names: Vec<&'static str> = rule_fields(top).collect();
                known = Err(self.unknown_field_among(object, name, &names));
            }
        }
        known
    }

    /// Returns a rule of a JSONata state: its "Condition" (2024 specification, JSONata Choice Rules).
    fn jsonata_rule(&mut self, object: Object<'v, '_>) -> Read<Box<Rule>> {
        let mut known = Ok(());
        for name in object.fields.keys().map(String::as_str) {
            if FORMS.iter().any(|(form, _)| *form == name) || Operator::parse(name).is_some() {
                let language = QueryLanguage::JSONPath;
                known = Err(self.field_of_other_language(object, name, language));
            } else if !JSONATA_RULE.contains(&name) {
                known = Err(self.unknown_field_among(object, name, JSONATA_RULE));
            }
        }
        known?;
        self.required(object, &["Condition"])?;
        if let Some(expression) = self.expression(object, "Condition")? {
            return Ok(Box::new(Rule::Condition(Condition::Expression(expression))));
        }
        let value = object.get("Condition").unwrap_or(&Value::Null);
        let boolean = self.boolean(value, &object.place.field("Condition"))?;
        Ok(Box::new(Rule::Condition(Condition::Boolean(boolean))))
    }

    fn test(&mut self, object: Object<'v, '_>) -> Read<Box<Rule>> {
        Ok(Box::new(Rule::Test(self.data_test(object)?)))
    }

    fn negated(&mut self, object: Object<'v, '_>) -> Read<Box<Rule>> {
        self.no_operators(object)?;
        let place = object.place.field("Not");
        let inner = self.nested(object.get("Not").unwrap_or(&Value::Null), &place)?;
        Ok(Box::new(Rule::Not(inner)))
    }

    fn rules(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        joined: fn(Vec<NestedRule>) -> Rule,
    ) -> Read<Box<Rule>> {
        self.no_operators(object)?;
        let place = object.place.field(name);
        let elements = self.filled_array(object.get(name).unwrap_or(&Value::Null), &place)?;
        let mut rules = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.nested(element, &place.element(index)) {
                Ok(rule) => push(&mut rules, rule),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or_else(|| Ok(boxed(joined, rules)), Err)
    }

    fn nested(&mut self, value: &'v Value, place: &Place<'_>) -> Read<Box<NestedRule>> {
        let object = self.object(value, place)?;
        let rule = self.rule(object, false);
        let comment = self.owned_text(object, "Comment");
        Ok(nested_rule(rule?, comment?))
    }

    /// Returns a boolean expression compares nothing itself.
    fn no_operators(&mut self, object: Object<'v, '_>) -> Read<()> {
        match operators(object).next() {
            Some((name, ..)) => {
                let hint = "And, Or and Not compare nothing themselves: the comparison goes into a rule within";
                Err(self.unknown_field(object, name).with_hint(self, hint))
            }
            None => Ok(()),
        }
    }
}

/// Returns the fields of a rule of a JSONPath state.
fn rule_fields(top: bool) -> impl Iterator<Item = &'static str> {
    let forms = FORMS.iter().map(|(name, _)| *name);
    let of_top = match top {
        true => &["Comment", "Next", "Assign"][..],
        false => &["Comment"],
    };
    forms
        .chain(of_top.iter().copied())
        .chain(OPERATORS.iter().copied())
}

// What moves a rule out of a box does so here, and not on the stack of what calls itself.

fn push(rules: &mut Vec<NestedRule>, rule: Box<NestedRule>) {
    rules.push(*rule);
}

fn boxed(joined: fn(Vec<NestedRule>) -> Rule, rules: Vec<NestedRule>) -> Box<Rule> {
    Box::new(joined(rules))
}

fn nested_rule(rule: Box<Rule>, comment: Option<String>) -> Box<NestedRule> {
    Box::new(NestedRule {
        rule: *rule,
        comment,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, choice, errors, jsonata_choice, machine, refused};
    use serde_json::json;

    const PLACE: &str = "at /States/A/Choices[0]";

    #[test]
    fn a_rule_has_one_form() {
        let message = format!(
            "The object must have only one of the following fields, [And, Or, Not, Variable, Condition] {PLACE}"
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
        let message = format!("Field 'Next' is not supported {PLACE}/Or[0]/Not");
        refused(&choice(json!({"Or": [{"Not": inner}]})), &message);
        let mut definition = choice(json!({"Variable": "$.a", "IsNull": true}));
        let rule = definition.pointer_mut("/States/A/Choices/0").unwrap();
        rule.as_object_mut().unwrap().remove("Next");
        refused(
            &definition,
            &format!("These fields are required: [Next] {PLACE}"),
        );
    }

    #[test]
    fn comments_of_nested_rules_are_texts() {
        let rule = |comment: serde_json::Value| {
            choice(json!({"Not": {"Variable": "$.a", "IsNull": true, "Comment": comment}}))
        };
        accepted(&rule(json!("why")));
        let message = format!("Expected value of type String {PLACE}/Not/Comment");
        refused(&rule(json!(1)), &message);
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
    fn a_jsonata_rule_has_a_condition() {
        for condition in [
            json!(true),
            json!("{% $states.input.a > 1 %}"),
            json!("${Condition}"),
        ] {
            let rule = json!({"Condition": condition, "Output": {"a": 1}, "Assign": {"b": 2}, "Comment": "why"});
            accepted(&jsonata_choice(rule));
        }
        refused(
            &jsonata_choice(json!({})),
            &format!("These fields are required: [Condition] {PLACE}"),
        );
        for condition in [json!("true"), json!(1), json!(null)] {
            let message = format!("Expected value of type Boolean {PLACE}/Condition");
            refused(&jsonata_choice(json!({"Condition": condition})), &message);
        }
    }

    #[test]
    fn rules_belong_to_one_language() {
        let fields = json!({"Condition": true, "Variable": "$.a", "IsNull": true});
        let fault = |name| {
            format!(
                "SCHEMA_VALIDATION_FAILED: The QueryLanguage is set to 'JSONata', but field '{name}' is only supported for the 'JSONPath' QueryLanguage {PLACE}"
            )
        };
        assert_eq!(
            errors(&jsonata_choice(fields)),
            [fault("Variable"), fault("IsNull")]
        );
        let rule = json!({"Variable": "$.a", "IsNull": true, "Output": 1});
        refused(
            &choice(rule),
            &format!(
                "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage {PLACE}"
            ),
        );
    }
}
