//! The fields that an object of arguments may have.
use super::optimized::Own;
use asl_services::{Member, Shape, step_functions_name};

/// Fields of an arguments object: the members of the API's structure, with the differences of an optimized integration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Structure<'s> {
    pub(crate) shape: Option<Shape<'s>>,
    pub(crate) own: Option<&'static Own>,
    pub(crate) is_sdk: bool,
}

/// The expected type of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ExpectedType<'s> {
    /// The type of a shape.
    Shape(Shape<'s>),
    /// An object that only an integration has.
    Own(&'static Own),
    /// Any JSON.
    Anything,
}

impl<'s> Structure<'s> {
    /// Returns the type of a field; None if it does not exist.
    pub(crate) fn field(&self, name: &str) -> Option<ExpectedType<'s>> {
        if let Some(own) = self.own {
            if own.plain.contains(&name) {
                return Some(ExpectedType::Anything);
            }
            let mut within = own.within.iter();
            if let Some((_, object)) = within.find(|(known, _)| *known == name) {
                return Some(ExpectedType::Own(object));
            }
        }
        let member = self.members().find(|member| is_named(member, name))?;
        Some(ExpectedType::Shape(member.shape()))
    }

    /// Returns the names of fields that must be there.
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

    /// Fields of which one must be there.
    pub(crate) fn either(&self) -> &'static [&'static str] {
        self.own.map_or(&[][..], |own| own.either)
    }

    /// Returns the names of all fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let is_sdk = self.is_sdk;
        let plain = self.own.map_or(&[][..], |own| own.plain).iter();
        let within = self.own.map_or(&[][..], |own| own.within).iter();
        let own = plain.copied().chain(within.map(|(name, _)| *name));
        let own: Vec<String> = own.map(str::to_owned).collect();
        let members = self.members().map(move |member| name_of(&member, is_sdk));
        let besides: Vec<String> = members.filter(|name| !own.contains(name)).collect();
        own.into_iter().chain(besides)
    }

    /// The field that was meant by a name, but for the case of letters.
    pub(crate) fn in_another_case(&self, name: &str) -> Option<String> {
        self.names().find(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns the field that may have been meant by a name.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let names: Vec<String> = self.names().collect();
        let nearest = asl_model::nearest(name, names.iter().map(String::as_str));
        nearest.map(str::to_owned)
    }

    fn members(&self) -> impl Iterator<Item = Member<'s>> + use<'s> {
        self.shape.into_iter().flat_map(Shape::members)
    }
}

/// Returns a member's name for a state: acronyms are words for the SDK alone.
fn name_of(member: &Member<'_>, is_sdk: bool) -> String {
    match is_sdk {
        true => step_functions_name(member.name()),
        false => {
            let [capitalized, _] = member.step_functions_names();
            capitalized
        }
    }
}

/// Returns true if a member goes by the name. Of names with acronyms or digits it is not known how much of them the service
/// writes with capitals: they are taken in any case, with a capital letter first.
fn is_named(member: &Member<'_>, name: &str) -> bool {
    let own = member.name();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return false;
    }
    let is_plain = own.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_plain && !own.eq_ignore_ascii_case(name) {
        return is_renamed(own, name);
    }
    let [capitalized, of_sdk] = member.step_functions_names();
    let is_certain = capitalized == of_sdk && !own.bytes().any(|b| b.is_ascii_digit());
    match is_certain {
        true => name == capitalized,
        false => of_sdk.eq_ignore_ascii_case(name),
    }
}

/// Returns true if the SDK for Java, after which names go, calls a member so since its own is a word of Java: `static` is
/// "StaticValue", `NULL` is "Nul".
fn is_renamed(own: &str, name: &str) -> bool {
    let whole = name.strip_suffix("Value");
    (own == "NULL" && name == "Nul") || whole.is_some_and(|whole| whole.eq_ignore_ascii_case(own))
}
