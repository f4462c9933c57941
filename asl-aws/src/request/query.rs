//! Bodies of forms: the protocols query and ec2.
use super::parameters::{Scope, array, members, object};
use super::scalar;
use crate::error::RequestError;
use asl_services::{Kind, Member, Shape, TimestampFormat, Traits};
use serde_json::Value;

/// A form that is being written.
#[derive(Debug)]
pub(crate) struct Form {
    is_of_ec2: bool,
    fields: Vec<(String, String)>,
}

impl Form {
    /// Returns the fields of an operation with its input.
    pub(crate) fn fields(
        input: Option<Shape<'_>>,
        value: &Value,
        is_of_ec2: bool,
        scope: Scope<'_>,
    ) -> Result<Vec<(String, String)>, RequestError> {
        let mut form = Self {
            is_of_ec2,
            fields: Vec::new(),
        };
        if let Some(input) = input {
            form.structure(input, value, "", scope.deeper()?)?;
        }
        Ok(form.fields)
    }

    fn value(
        &mut self,
        shape: Shape<'_>,
        traits: &Traits,
        value: &Value,
        prefix: &str,
        scope: Scope<'_>,
    ) -> Result<(), RequestError> {
        match shape.kind() {
            Kind::Structure => self.structure(shape, value, prefix, scope.deeper()?),
            Kind::List(_) => self.list(shape, traits, value, prefix, scope.deeper()?),
            Kind::Map { .. } => self.map(shape, traits, value, prefix, scope.deeper()?),
            _ => {
                let text = scalar::text(shape, traits, value, TimestampFormat::Iso8601)?;
                self.fields.push((prefix.to_owned(), text.into_owned()));
                Ok(())
            }
        }
    }

    fn structure(
        &mut self,
        shape: Shape<'_>,
        value: &Value,
        prefix: &str,
        scope: Scope<'_>,
    ) -> Result<(), RequestError> {
        for (member, given) in members(shape, value, scope)? {
            let name = self.name(member);
            let place = match prefix {
                "" => name,
                prefix => format!("{prefix}.{name}"),
            };
            self.value(member.shape(), member.traits(), &given, &place, scope)
                .map_err(|error| error.within(member.name()))?;
        }
        Ok(())
    }

    fn name(&self, member: Member<'_>) -> String {
        let traits = member.traits();
        if self.is_of_ec2 {
            return match traits.query_name() {
                Some(name) => name.to_owned(),
                None => capitalized(traits.name().unwrap_or(member.name())),
            };
        }
        if let Some(name) = traits.name() {
            return name.to_owned();
        }
        // A flattened list goes by the name of its elements.
        let shape = member.shape();
        let is_list = matches!(shape.kind(), Kind::List(_));
        let of_elements = shape.element_traits().name();
        match of_elements.filter(|_| is_list && is_flattened(shape, traits)) {
            Some(name) => name.to_owned(),
            None => member.name().to_owned(),
        }
    }

    fn list(
        &mut self,
        shape: Shape<'_>,
        traits: &Traits,
        value: &Value,
        prefix: &str,
        scope: Scope<'_>,
    ) -> Result<(), RequestError> {
        let Kind::List(element) = shape.kind() else {
            return Ok(());
        };
        let elements = array(value)?;
        if elements.is_empty() && !self.is_of_ec2 {
            self.fields.push((prefix.to_owned(), String::new()));
        }
        let own = shape.element_traits();
        let prefix = match self.is_of_ec2 || is_flattened(shape, traits) {
            true => prefix.to_owned(),
            false => format!("{prefix}.{}", own.name().unwrap_or("member")),
        };
        for (index, given) in elements.iter().enumerate() {
            let place = format!("{prefix}.{}", index + 1);
            self.value(element, own, given, &place, scope)
                .map_err(|error| error.within(index.to_string()))?;
        }
        Ok(())
    }

    fn map(
        &mut self,
        shape: Shape<'_>,
        traits: &Traits,
        value: &Value,
        prefix: &str,
        scope: Scope<'_>,
    ) -> Result<(), RequestError> {
        let Kind::Map {
            value: of_values, ..
        } = shape.kind()
        else {
            return Ok(());
        };
        let prefix = match is_flattened(shape, traits) {
            true => prefix.to_owned(),
            false => format!("{prefix}.entry"),
        };
        let key_name = shape.key_traits().name().unwrap_or("key");
        let own = shape.element_traits();
        let value_name = own.name().unwrap_or("value");
        for (index, (key, given)) in object(value)?.iter().enumerate() {
            let entry = format!("{prefix}.{}", index + 1);
            self.fields
                .push((format!("{entry}.{key_name}"), key.clone()));
            let place = format!("{entry}.{value_name}");
            self.value(of_values, own, given, &place, scope)
                .map_err(|error| error.within(key))?;
        }
        Ok(())
    }
}

pub(crate) fn is_flattened(shape: Shape<'_>, traits: &Traits) -> bool {
    traits.is_flattened() || shape.traits().is_flattened()
}

fn capitalized(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next();
    let first = first.iter().map(char::to_ascii_uppercase);
    first.chain(characters).collect()
}
