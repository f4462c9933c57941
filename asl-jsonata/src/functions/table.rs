//! The names, signatures and arities of the built-in functions.
use super::signature::{Signature, in_call};
use super::{
    array, aws, encoding, general, higher_order, matching, number, object, sort, string, time,
};
use crate::Dialect;
use crate::evaluate::{Arguments, Evaluation, Outcome};
use crate::value::Value;
use std::sync::LazyLock;

/// The dialects that have a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Everywhere,
    Only(Dialect),
}

impl Scope {
    fn holds(self, dialect: Dialect) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Only(only) => only == dialect,
        }
    }
}

struct Definition {
    name: &'static str,
    signature: LazyLock<Signature>,
    /// Number of declared parameters, which a partial application can leave open.
    parameters: usize,
    /// Number of arguments from a higher-order function: parameters before the first one with a default.
    arity: usize,
    scope: Scope,
    body: Body,
}

/// The body of a function, for arguments that match its signature, one per parameter.
type Body = for<'a, 'e> fn(&mut Evaluation<'a, 'e>, Arguments<'a>) -> Outcome<Value<'a>>;

macro_rules! function {
    ($name:literal, $signature:literal, $parameters:literal, $body:expr) => {
        function!(
            Scope::Everywhere,
            $name,
            $signature,
            $parameters,
            $parameters,
            $body
        )
    };
    ($dialect:ident, $name:literal, $signature:literal, $parameters:literal, $body:expr) => {
        function!(
            Scope::Only(Dialect::$dialect),
            $name,
            $signature,
            $parameters,
            $parameters,
            $body
        )
    };
    ($scope:expr, $name:literal, $signature:literal, $parameters:literal, $arity:literal, $body:expr) => {
        Definition {
            name: $name,
            signature: LazyLock::new(|| Signature::parse($signature).unwrap_or_default()),
            parameters: $parameters,
            arity: $arity,
            scope: $scope,
            body: $body,
        }
    };
}

/// By name, so that a name is found by halving.
static DEFINITIONS: [Definition; 71] = [
    function!("abs", "<n-:n>", 1, number::abs),
    function!("append", "<xx:a>", 2, array::append),
    function!("assert", "<bs?:x>", 2, general::assert),
    function!("average", "<a<n>:n>", 1, number::average),
    function!("base64decode", "<s-:s>", 1, encoding::base64_decode),
    function!("base64encode", "<s-:s>", 1, encoding::base64_encode),
    function!("boolean", "<x-:b>", 1, general::boolean),
    function!("ceil", "<n-:n>", 1, number::ceil),
    function!("clone", "<(oa)-:o>", 1, general::clone),
    function!("contains", "<s-(sf):b>", 2, matching::contains),
    function!("count", "<a:n>", 1, array::count),
    function!("decodeUrl", "<s-:s>", 1, encoding::decode_url),
    function!(
        "decodeUrlComponent",
        "<s-:s>",
        1,
        encoding::decode_url_component
    ),
    function!("distinct", "<x:x>", 1, array::distinct),
    function!("each", "<o-f:a>", 2, higher_order::each),
    function!("encodeUrl", "<s-:s>", 1, encoding::encode_url),
    function!(
        "encodeUrlComponent",
        "<s-:s>",
        1,
        encoding::encode_url_component
    ),
    function!("error", "<s?:x>", 1, general::error),
    function!(Jsonata, "eval", "<sx?:x>", 2, general::eval),
    function!("exists", "<x:b>", 1, general::exists),
    function!("filter", "<af>", 2, higher_order::filter),
    function!("floor", "<n-:n>", 1, number::floor),
    function!("formatBase", "<n-n?:s>", 2, number::format_base),
    function!("formatInteger", "<n-s:s>", 2, time::format_integer),
    function!("formatNumber", "<n-so?:s>", 3, time::format_number),
    function!("fromMillis", "<n-s?s?:s>", 3, time::from_millis),
    function!(StatesLanguage, "hash", "<s-s:s>", 2, aws::hash),
    function!("join", "<a<s>s?:s>", 2, string::join),
    function!("keys", "<x-:a<s>>", 1, object::keys),
    function!("length", "<s-:n>", 1, string::length),
    function!("lookup", "<x-s:x>", 2, object::lookup),
    function!("lowercase", "<s-:s>", 1, string::lowercase),
    function!("map", "<af>", 2, higher_order::map),
    function!("match", "<s-f<s:o>n?:a<o>>", 3, matching::find_matches),
    function!("max", "<a<n>:n>", 1, number::max),
    function!("merge", "<a<o>:o>", 1, object::merge),
    function!("millis", "<:n>", 0, time::millis),
    function!("min", "<a<n>:n>", 1, number::min),
    function!("not", "<x-:b>", 1, general::not),
    function!("now", "<s?s?:s>", 2, time::now),
    function!("number", "<(nsb)-:n>", 1, number::number),
    function!("pad", "<s-ns?:s>", 3, string::pad),
    function!(StatesLanguage, "parse", "<s-:x>", 1, aws::parse),
    function!("parseInteger", "<s-s:n>", 2, time::parse_integer),
    function!(StatesLanguage, "partition", "<xn?:a<a>>", 2, aws::partition),
    function!("power", "<n-n:n>", 2, number::power),
    function!(Jsonata, "random", "<:n>", 0, number::random),
    function!(StatesLanguage, "random", "<n?:n>", 1, aws::random),
    function!(StatesLanguage, "range", "<nnn?:a<n>>", 3, aws::range),
    function!("reduce", "<afj?:j>", 3, higher_order::reduce),
    function!("replace", "<s-(sf)(sf)n?:s>", 4, matching::replace),
    function!("reverse", "<a:a>", 1, array::reverse),
    function!("round", "<n-n?:n>", 2, number::round),
    function!("shuffle", "<a:a>", 1, array::shuffle),
    function!("sift", "<o-f?:o>", 2, higher_order::sift),
    function!("single", "<af?>", 2, higher_order::single),
    function!("sort", "<af?:a>", 2, sort::sort),
    function!("split", "<s-(sf)n?:a<s>>", 3, matching::split),
    function!("spread", "<x-:a<o>>", 1, object::spread),
    function!("sqrt", "<n-:n>", 1, number::sqrt),
    function!(
        Scope::Everywhere,
        "string",
        "<x-b?:s>",
        2,
        1,
        string::string
    ),
    function!("substring", "<s-nn?:s>", 3, string::substring),
    function!("substringAfter", "<s-s:s>", 2, string::substring_after),
    function!("substringBefore", "<s-s:s>", 2, string::substring_before),
    function!("sum", "<a<n>:n>", 1, number::sum),
    function!("toMillis", "<s-s?:n>", 2, time::to_millis),
    function!("trim", "<s-:s>", 1, string::trim),
    function!("type", "<x:s>", 1, general::type_of),
    function!("uppercase", "<s-:s>", 1, string::uppercase),
    function!(StatesLanguage, "uuid", "<:s>", 0, aws::uuid),
    function!("zip", "<a+>", 0, array::zip),
];

/// A function that JSONata or the service defines.
#[derive(Clone, Copy)]
pub(crate) struct Builtin(&'static Definition);

impl Builtin {
    /// Returns the names of a dialect's functions, without `$`, in order.
    pub(crate) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
        let there = DEFINITIONS.iter();
        there
            .filter(move |function| function.scope.holds(dialect))
            .map(|function| function.name)
    }

    /// Returns the function of that name in a dialect.
    pub(crate) fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let first = DEFINITIONS.partition_point(|function| function.name < name);
        let same = DEFINITIONS.iter().skip(first);
        same.take_while(|function| function.name == name)
            .find(|function| function.scope.holds(dialect))
            .map(Self)
    }

    /// Returns its name, without `$`.
    pub(crate) fn name(self) -> &'static str {
        self.0.name
    }

    /// Calls the function with the arguments of the call, after those that a partial application bound, and with the
    /// context: the value of `$` at the call; null if another function calls it.
    ///
    /// It assigns the arguments by its signature, and uses the context if the signature says so. It charges the evaluation
    /// in advance for the items and text that it reads, and for the data that it creates. An error without a position gets
    /// the position of the call.
    ///
    /// # Errors
    ///
    /// The arguments do not match, or the function fails.
    pub(crate) fn call<'a>(
        self,
        evaluation: &mut Evaluation<'a, '_>,
        arguments: Arguments<'a>,
        context: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        let name = Some(self.name());
        let arguments = self
            .signature()
            .validate(evaluation, arguments, context, name)?;
        (self.0.body)(evaluation, arguments).map_err(|error| in_call(error, self.name()))
    }

    /// Returns the signature.
    pub(crate) fn signature(self) -> &'static Signature {
        &self.0.signature
    }

    /// Returns the number of declared parameters, which a partial application can leave open.
    pub(crate) fn parameters(self) -> usize {
        self.0.parameters
    }

    /// Returns the number of arguments from a higher-order function.
    pub(crate) fn arity(self) -> usize {
        self.0.arity
    }
}

impl PartialEq for Builtin {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Builtin {}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "${}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_signatures_can_be_read() {
        assert!(DEFINITIONS.is_sorted_by_key(|function| function.name));
        for function in &DEFINITIONS {
            let parameters = function.signature.parameters();
            assert!(
                parameters == function.parameters || function.name == "zip",
                "{}",
                function.name
            );
        }
    }

    #[test]
    fn each_dialect_has_its_functions() {
        let has = |name, dialect| Builtin::named(name, dialect).is_some();
        for name in ["abs", "zip", "random", "now"] {
            assert!(has(name, Dialect::Jsonata), "{name}");
            assert!(has(name, Dialect::StatesLanguage), "{name}");
        }
        for name in ["partition", "range", "hash", "uuid", "parse"] {
            assert!(!has(name, Dialect::Jsonata), "{name}");
            assert!(has(name, Dialect::StatesLanguage), "{name}");
        }
        assert!(has("eval", Dialect::Jsonata));
        assert!(!has("eval", Dialect::StatesLanguage));
        assert!(!has("", Dialect::Jsonata));
        assert!(!has("formatdate", Dialect::Jsonata));
    }

    #[test]
    fn a_seed_is_an_argument_in_the_states_language_only() {
        let parameters = |dialect| Builtin::named("random", dialect).map(Builtin::parameters);
        assert_eq!(parameters(Dialect::Jsonata), Some(0));
        assert_eq!(parameters(Dialect::StatesLanguage), Some(1));
    }
}
