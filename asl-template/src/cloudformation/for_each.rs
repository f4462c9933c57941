//! Loops of the transform AWS::LanguageExtensions: `Fn::ForEach` in the resources of a template (CloudFormation template
//! reference, Fn::ForEach).
use super::names::default_of;
use crate::Substitutions;
use asl_model::escaped_segment;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const PREFIX: &str = "Fn::ForEach::";
/// Values that the loops of a template may make: CloudFormation takes far fewer.
const MOST_VALUES: usize = 500_000;
/// Bytes of their texts.
const MOST_BYTES: usize = 32 << 20;

/// A template whose loops are unrolled.
#[derive(Debug)]
pub(crate) struct UnrolledTemplate {
    pub(crate) value: Value,
    /// Pointers of values whose place in the file is another, with that place. The values in one follow it.
    pub(crate) origins: BTreeMap<String, String>,
}

/// Returns true if a field is a loop.
pub(crate) fn is_loop(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Unrolls the loops in the resources of a template. Returns None if there are none, or if they make too much. A loop over a
/// list that is not known stays as it is.
pub(crate) fn unroll(template: &Value, given: &Substitutions) -> Option<UnrolledTemplate> {
    let resources = template.get("Resources")?;
    if !has_loop(resources) {
        return None;
    }
    let mut unroller = Unroller {
        template,
        given,
        origins: BTreeMap::new(),
        bound: Vec::new(),
        values_left: MOST_VALUES,
        bytes_left: MOST_BYTES,
    };
    let place = Place {
        now: "/Resources".to_owned(),
        origin: "/Resources".to_owned(),
    };
    let resources = unroller.copy(resources, &place)?;
    let mut fields = template.as_object()?.clone();
    fields.insert("Resources".to_owned(), resources);
    Some(UnrolledTemplate {
        value: Value::Object(fields),
        origins: unroller.origins,
    })
}

fn has_loop(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(fields) => {
                if fields.keys().any(|name| is_loop(name)) {
                    return true;
                }
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    false
}

/// The place of a value: its pointer after unrolling, and in the file.
struct Place {
    now: String,
    origin: String,
}

impl Place {
    fn child(&self, name: &str, origin: &str) -> Self {
        Self {
            now: format!("{}/{}", self.now, escaped_segment(name)),
            origin: format!("{}/{}", self.origin, escaped_segment(origin)),
        }
    }
}

struct Unroller<'t> {
    template: &'t Value,
    given: &'t Substitutions,
    origins: BTreeMap<String, String>,
    /// The identifiers of the loops around, with their values.
    bound: Vec<(String, String)>,
    values_left: usize,
    bytes_left: usize,
}

impl Unroller<'_> {
    /// Copies a value with its loops unrolled. Returns None if there is too much. Templates nest little: their readers limit it.
    fn copy(&mut self, value: &Value, place: &Place) -> Option<Value> {
        self.values_left = self.values_left.checked_sub(1)?;
        Some(match value {
            Value::Object(fields) => match self.bound_reference(fields) {
                Some(text) => Value::String(text),
                None => {
                    let mut copied = Map::new();
                    self.copy_fields(fields, place, &mut copied)?;
                    Value::Object(copied)
                }
            },
            Value::Array(elements) => {
                let mut copied = Vec::with_capacity(elements.len());
                for (index, element) in elements.iter().enumerate() {
                    let index = index.to_string();
                    copied.push(self.copy(element, &place.child(&index, &index))?);
                }
                Value::Array(copied)
            }
            Value::String(text) => Value::String(self.replaced(text)?),
            scalar => scalar.clone(),
        })
    }

    /// Copies fields, and those that loops among them make.
    fn copy_fields(
        &mut self,
        fields: &Map<String, Value>,
        place: &Place,
        copied: &mut Map<String, Value>,
    ) -> Option<()> {
        for (name, value) in fields {
            let unrolled = is_loop(name).then(|| self.loop_of(value)).flatten();
            let Some((identifier, values, body)) = unrolled else {
                self.copy_field(name, value, place, copied)?;
                continue;
            };
            let origin = place.child(name, name).child("2", "2").origin;
            let body_place = Place {
                now: place.now.clone(),
                origin,
            };
            for value in values {
                self.bound.push((identifier.clone(), value));
                self.copy_fields(body, &body_place, copied)?;
                self.bound.pop();
            }
        }
        Some(())
    }

    fn copy_field(
        &mut self,
        name: &str,
        value: &Value,
        around: &Place,
        copied: &mut Map<String, Value>,
    ) -> Option<()> {
        let made = self.replaced(name)?;
        let place = around.child(&made, name);
        if !self.bound.is_empty() {
            self.origins.insert(place.now.clone(), place.origin.clone());
        }
        let copy = self.copy(value, &place)?;
        copied.insert(made, copy);
        Some(())
    }

    /// Returns the identifier, the values and the body of a loop whose list is known.
    fn loop_of<'v>(
        &self,
        value: &'v Value,
    ) -> Option<(String, Vec<String>, &'v Map<String, Value>)> {
        let [identifier, collection, body] = value.as_array()?.as_slice() else {
            return None;
        };
        let values = match collection {
            Value::Array(elements) => {
                let values = elements.iter().map(|element| self.scalar(element));
                values.collect::<Option<Vec<_>>>()?
            }
            other => {
                let list = self.scalar(other)?;
                list.split(',')
                    .map(|value| value.trim().to_owned())
                    .collect()
            }
        };
        Some((identifier.as_str()?.to_owned(), values, body.as_object()?))
    }

    /// Returns the text of an element, or of the parameter that it refers to.
    fn scalar(&self, value: &Value) -> Option<String> {
        match value {
            Value::String(text) => Some(self.substituted(text)),
            Value::Number(number) => Some(number.to_string()),
            Value::Object(fields) => {
                let name = reference(fields)?;
                let given = || self.given.value_of(name).map(str::to_owned);
                let default = || default_of(self.template.get("Parameters")?.get(name)?);
                self.value_of(name).or_else(given).or_else(default)
            }
            _ => None,
        }
    }

    /// Returns the value of a loop around.
    fn value_of(&self, identifier: &str) -> Option<String> {
        let mut inner_first = self.bound.iter().rev();
        let bound = inner_first.find(|(name, _)| name == identifier);
        bound.map(|(_, value)| value.clone())
    }

    fn bound_reference(&self, fields: &Map<String, Value>) -> Option<String> {
        self.value_of(reference(fields)?)
    }

    fn replaced(&mut self, text: &str) -> Option<String> {
        let text = self.substituted(text);
        self.bytes_left = self.bytes_left.checked_sub(text.len())?;
        Some(text)
    }

    /// Replaces `${Identifier}`, and `&{Identifier}` by the letters and digits of its value.
    fn substituted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (identifier, value) in self.bound.iter().rev() {
            if text.contains(&format!("${{{identifier}}}")) {
                text = text.replace(&format!("${{{identifier}}}"), value);
            }
            if text.contains(&format!("&{{{identifier}}}")) {
                let plain: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
                text = text.replace(&format!("&{{{identifier}}}"), &plain);
            }
        }
        text
    }
}

/// Returns the name in `{"Ref": NAME}`.
fn reference(fields: &Map<String, Value>) -> Option<&str> {
    match fields.len() {
        1 => fields.get("Ref")?.as_str(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resources(template: &Value) -> Value {
        let unrolled = unroll(template, &Substitutions::default()).expect("there is a loop");
        unrolled.value["Resources"].clone()
    }

    #[test]
    fn a_loop_makes_a_resource_for_each_value() {
        let template = json!({"Resources": {"Before": {"Type": "T"}, "Fn::ForEach::All": ["Name", ["A", "b.c"],
            {"Table&{Name}": {"Type": "T", "Properties": {"Own": {"Ref": "Name"}, "Text": "x-${Name}", "${Name}": {"Ref": "Other"}}}}]}});
        assert_eq!(
            resources(&template),
            json!({"Before": {"Type": "T"},
                "TableA": {"Type": "T", "Properties": {"Own": "A", "Text": "x-A", "A": {"Ref": "Other"}}},
                "Tablebc": {"Type": "T", "Properties": {"Own": "b.c", "Text": "x-b.c", "b.c": {"Ref": "Other"}}}})
        );
    }

    #[test]
    fn loops_are_in_loops_and_in_properties() {
        let inner = json!(["Y", [1, 2], {"R${X}${Y}": {"Fn::ForEach::P": ["Z", ["p"], {"${Z}": "${X}${Z}"}]}}]);
        let template =
            json!({"Resources": {"Fn::ForEach::A": ["X", ["a", "b"], {"Fn::ForEach::B": inner}]}});
        let expected =
            json!({"Ra1": {"p": "ap"}, "Ra2": {"p": "ap"}, "Rb1": {"p": "bp"}, "Rb2": {"p": "bp"}});
        assert_eq!(resources(&template), expected);
    }

    #[test]
    fn a_list_comes_from_a_parameter() {
        let template = json!({"Parameters": {"Names": {"Type": "CommaDelimitedList", "Default": "a, b"}},
            "Resources": {"Fn::ForEach::A": ["X", {"Ref": "Names"}, {"R${X}": "T"}]}});
        assert_eq!(resources(&template), json!({"Ra": "T", "Rb": "T"}));
    }

    #[test]
    fn a_parameter_that_is_kept_elsewhere_is_no_list() {
        let template = json!({"Parameters": {"Names": {"Type": "AWS::SSM::Parameter::Value<List<String>>", "Default": "/a/b"}},
            "Resources": {"Fn::ForEach::A": ["X", {"Ref": "Names"}, {"R${X}": "T"}]}});
        assert_eq!(resources(&template), template["Resources"]);
    }

    #[test]
    fn a_loop_over_an_unknown_list_stays() {
        let template =
            json!({"Resources": {"Fn::ForEach::A": ["X", {"Ref": "Names"}, {"R${X}": "T"}]}});
        assert_eq!(resources(&template), template["Resources"]);
    }

    #[test]
    fn the_places_of_what_a_loop_makes_are_known() {
        let template = json!({"Resources": {"Fn::ForEach::A": ["X", ["a/b"], {"R${X}": {"Type": "T"}, "Same": 1}]}});
        let unrolled = unroll(&template, &Substitutions::default()).expect("there is a loop");
        for (now, origin) in [
            ("/Resources/Ra~1b", "/Resources/Fn::ForEach::A/2/R${X}"),
            (
                "/Resources/Ra~1b/Type",
                "/Resources/Fn::ForEach::A/2/R${X}/Type",
            ),
            ("/Resources/Same", "/Resources/Fn::ForEach::A/2/Same"),
        ] {
            assert_eq!(unrolled.origins[now], origin);
        }
    }

    #[test]
    fn loops_that_make_too_much_are_left() {
        let values: Vec<u32> = (0..200).collect();
        let mut body = json!({"R${A}${B}${C}": {"Type": "T"}});
        for name in ["C", "B", "A"] {
            body = json!({ format!("Fn::ForEach::{name}"): [name, values, body] });
        }
        let template = json!({ "Resources": body });
        assert!(unroll(&template, &Substitutions::default()).is_none());
    }
}
