//! The fields that an object of arguments may have.
use super::nearest::nearest;
use super::optimized::Own;
use asl_services::{Member, Shape, step_functions_name};

/// What an object of arguments may have: the members of an API's structure, and what an optimized integration has besides or
/// otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Structure<'s> {
    pub(crate) shape: Option<Shape<'s>>,
    pub(crate) own: Option<&'static Own>,
    pub(crate) is_sdk: bool,
}

/// What a field may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected<'s> {
    /// What the shape says.
    Shape(Shape<'s>),
    /// Any JSON.
    Anything,
}

impl<'s> Structure<'s> {
    /// What the field of that name may hold; None where there is no such field.
    pub(crate) fn field(&self, name: &str) -> Option<Expected<'s>> {
        if self.own.is_some_and(|own| own.plain.contains(&name)) {
            return Some(Expected::Anything);
        }
        let member = self.members().find(|member| is_named(member, name))?;
        Some(Expected::Shape(member.shape()))
    }

    /// The names of fields that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = String> {
        let own = self.own;
        let needs_not = move |name: &String| {
            own.is_some_and(|own| {
                let name = name.as_str();
                own.optional.contains(&name) || own.required.contains(&name)
            })
        };
        let is_sdk = self.is_sdk;
        let required = self.members().filter(|member| member.is_required());
        let names = required.map(move |member| name_of(&member, is_sdk));
        let besides = own.map_or(&[][..], |own| own.required);
        let besides = besides.iter().map(|name| (*name).to_owned());
        names.filter(move |name| !needs_not(name)).chain(besides)
    }

    /// The names of all fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let is_sdk = self.is_sdk;
        let plain = self.own.map_or(&[][..], |own| own.plain);
        let members = self.members().map(move |member| name_of(&member, is_sdk));
        let members = members.filter(move |name| !plain.contains(&name.as_str()));
        plain.iter().map(|name| (*name).to_owned()).chain(members)
    }

    /// The field that was meant by a name, but for the case of letters.
    pub(crate) fn in_another_case(&self, name: &str) -> Option<String> {
        self.names().find(|known| known.eq_ignore_ascii_case(name))
    }

    /// The field that may have been meant by a name.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        nearest(name, self.names())
    }

    fn members(&self) -> impl Iterator<Item = Member<'s>> + use<'s> {
        self.shape.into_iter().flat_map(Shape::members)
    }
}

/// A member's name for a state: acronyms are words for the SDK alone.
fn name_of(member: &Member<'_>, is_sdk: bool) -> String {
    match is_sdk {
        true => step_functions_name(member.name()),
        false => {
            let [capitalized, _] = member.step_functions_names();
            capitalized
        }
    }
}

/// Whether a member goes by the name. Either way to write acronyms is taken: which the service takes is not known of all.
fn is_named(member: &Member<'_>, name: &str) -> bool {
    let own = member.name();
    let begins_small = name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_plain = own.bytes().all(|b| b.is_ascii_alphanumeric());
    if begins_small {
        return false;
    }
    if is_plain && !own.eq_ignore_ascii_case(name) {
        return is_renamed(own, name);
    }
    member.step_functions_names().iter().any(|it| it == name)
}

/// Whether the SDK for Java, after which names go, calls a member so since its own is a word of Java: `static` is
/// "StaticValue", `NULL` is "Nul".
fn is_renamed(own: &str, name: &str) -> bool {
    let whole = name.strip_suffix("Value");
    (own == "NULL" && name == "Nul") || whole.is_some_and(|whole| whole.eq_ignore_ascii_case(own))
}
