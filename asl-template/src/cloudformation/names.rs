//! `Ref`, `Fn::GetAtt`, `Fn::FindInMap` and `Fn::If`: what names of a template stand for.
use super::evaluate::{Evaluator, TemplateValue};
use super::references::name_property;
use crate::DefinitionText;
use crate::node::Node;
use serde_json::Value;

/// Types whose attributes only a deployment knows.
const MADE_BY_DEPLOYMENT: [&str; 4] = [
    "AWS::CloudFormation::",
    "AWS::Serverless::Application",
    "AWS::ServiceCatalog::",
    "Custom::",
];

impl<'t> Evaluator<'t> {
    pub(super) fn reference(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let name = argument.str()?;
        match name {
            "AWS::NoValue" => return Some(TemplateValue::Nothing),
            "AWS::NotificationARNs" => return Some(TemplateValue::List(Vec::new())),
            _ => {}
        }
        let parameter = self.root.at(&["Parameters", name]);
        let is_list = parameter.is_some_and(|parameter| {
            let of = parameter.get("Type").and_then(|it| it.str());
            of.is_some_and(|it| it == "CommaDelimitedList" || it.starts_with("List<"))
        });
        let Some(value) = self.find(name) else {
            self.refuse_name(argument, name);
            return Some(TemplateValue::Text(
                argument.to_definition_text(&format!("${{{name}}}")),
            ));
        };
        Some(match is_list && !value.starts_with("${") {
            true => TemplateValue::List(
                value
                    .split(',')
                    .map(|one| argument.to_definition_text(one.trim()))
                    .collect(),
            ),
            false => TemplateValue::Text(argument.to_definition_text(&value)),
        })
    }

    pub(super) fn attribute(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let name = match argument.value {
            Value::Array(_) => {
                let parts = self.list(argument);
                let parts: Vec<&str> = parts.iter().map(DefinitionText::as_str).collect();
                parts.join(".")
            }
            _ => self.text(argument).as_str().to_owned(),
        };
        let value = self.find(&name).unwrap_or_else(|| {
            self.refuse_name(argument, &name);
            format!("${{{name}}}")
        });
        Some(TemplateValue::Text(argument.to_definition_text(&value)))
    }

    fn refuse_name(&mut self, node: &Node<'_>, name: &str) {
        if !self.names.is_lenient() {
            let name = name.split('.').next().unwrap_or_default();
            let message = format!("the template has neither a parameter nor a resource '{name}'");
            self.refuse(node, message);
        }
    }

    /// Returns the value of a name: a given value, a pseudo parameter, a parameter, a resource, or an attribute of a
    /// resource.
    pub(super) fn find(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.given.value_of(name) {
            return Some(value.to_owned());
        }
        if name.starts_with("AWS::") {
            return self.account.pseudo(name);
        }
        if let Some(parameter) = self.root.at(&["Parameters", name]) {
            return Some(default_of(parameter.value).unwrap_or_else(|| format!("${{{name}}}")));
        }
        if self.names.resource(name).is_some() {
            let physical = self.physical_name(name);
            let resource = self.names.resource(name)?;
            return Some(self.account.reference(&resource.resource_type, &physical));
        }
        let Some((id, attribute)) = name.split_once('.') else {
            return self.names.is_generated(name).then(|| name.to_owned());
        };
        let physical = self.physical_name(id);
        let resource = self.names.resource(id);
        let made_here = resource.filter(|resource| {
            let is_other = |it: &&str| resource.resource_type.starts_with(it);
            !resource.resource_type.is_empty() && !MADE_BY_DEPLOYMENT.iter().any(is_other)
        });
        match (made_here, attribute) {
            // What SAM publishes of a function.
            (Some(it), "Alias" | "Version") => {
                Some(self.account.attribute(&it.resource_type, &physical, "Arn"))
            }
            (Some(it), _) => {
                let value = self
                    .account
                    .attribute(&it.resource_type, &physical, attribute);
                Some(value)
            }
            (None, _) => {
                let is_known = resource.is_some() || self.names.is_generated(id);
                is_known.then(|| format!("${{{name}}}"))
            }
        }
    }

    /// Returns the name that a resource has: the one that its properties give it, else the one that the template gives it.
    pub(crate) fn physical_name(&mut self, id: &str) -> String {
        if let Some(known) = self.physical_names.get(id) {
            return known.clone();
        }
        let resource = self.names.resource(id);
        let own = resource.map_or_else(|| id.to_owned(), |resource| resource.name.clone());
        // A name that leads back to itself ends here.
        self.physical_names.insert(id.to_owned(), own.clone());
        let given = resource.and_then(|it| name_property(&it.resource_type));
        let resources = self.resources.clone();
        let given = given.and_then(|given| resources?.at(&[id, "Properties", given]));
        let Some(given) = given else { return own };
        let name = self.text(&given);
        // The function of an alias may be given by its ARN.
        let name = name.as_str();
        let name = name
            .rsplit_once(":function:")
            .map_or(name, |(_, name)| name);
        let is_known = !name.is_empty() && !name.contains("${");
        let name = if is_known { name.to_owned() } else { own };
        self.physical_names.insert(id.to_owned(), name.clone());
        name
    }

    /// Returns true if a condition is true or unknown.
    pub(crate) fn is_condition_met(&mut self, name: &'t str) -> bool {
        self.holds(name, 0)
    }

    pub(super) fn find_in_map(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let [map, first, second] = argument.elements().collect::<Vec<_>>().try_into().ok()?;
        let names = [map, first, second].map(|node| self.text(&node));
        let [map, first, second] = names.each_ref().map(DefinitionText::as_str);
        let found = self.root.at(&["Mappings", map, first, second])?;
        Some(match found.value {
            Value::Array(_) => TemplateValue::List(self.list(&found)),
            _ => TemplateValue::Text(argument.to_definition_text(self.text(&found).as_str())),
        })
    }

    pub(super) fn choose(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let [condition, yes, no] = argument.elements().collect::<Vec<_>>().try_into().ok()?;
        let holds = self.holds(condition.str()?, 0);
        Some(self.evaluate(if holds { &yes } else { &no }))
    }

    /// Returns true if a condition is true or unknown.
    fn holds(&mut self, name: &'t str, depth: usize) -> bool {
        if let Some(known) = self.conditions.get(name) {
            return *known;
        }
        let condition = self.root.at(&["Conditions", name]);
        let holds = condition
            .and_then(|it| self.is_true(&it, depth))
            .unwrap_or(true);
        self.conditions.insert(name, holds);
        holds
    }

    fn is_true(&mut self, node: &Node<'t>, depth: usize) -> Option<bool> {
        if depth > 32 {
            return None;
        }
        let (name, argument) = node.fields().next()?;
        let all = |this: &mut Self| -> Option<Vec<bool>> {
            let elements = argument.elements();
            elements.map(|it| this.is_true(&it, depth + 1)).collect()
        };
        match name {
            "Condition" => Some(self.holds(argument.str()?, depth + 1)),
            "Fn::And" => Some(!all(self)?.contains(&false)),
            "Fn::Or" => Some(all(self)?.contains(&true)),
            "Fn::Not" => Some(!all(self)?.contains(&true)),
            "Fn::Equals" => {
                let both: Vec<DefinitionText> =
                    argument.elements().map(|it| self.text(&it)).collect();
                let [one, other] = both.as_slice() else {
                    return None;
                };
                let is_open = |text: &DefinitionText| text.as_str().contains("${");
                let are_known = !is_open(one) && !is_open(other);
                are_known.then(|| one.as_str() == other.as_str())
            }
            _ => None,
        }
    }
}

/// Returns the default of a parameter that is a value, and not the name of one that is kept elsewhere.
pub(super) fn default_of(parameter: &Value) -> Option<String> {
    let of = parameter.get("Type").and_then(Value::as_str);
    if of.is_some_and(|it| it.starts_with("AWS::SSM::Parameter")) {
        return None;
    }
    match parameter.get("Default")? {
        Value::String(text) => Some(text.clone()),
        value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
        _ => None,
    }
}
