//! The names, signatures and arities of the built-in functions.
use super::signature::Signature;
use crate::Dialect;
use std::sync::LazyLock;

/// Where a function exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Everywhere,
    Only(Dialect),
}

struct Definition {
    name: &'static str,
    signature: LazyLock<Signature>,
    /// How many parameters it declares: what a partial application may leave open.
    parameters: usize,
    /// How many arguments a higher-order function offers it: its parameters before the first with a default.
    arity: usize,
    scope: Scope,
}

macro_rules! function {
    ($name:literal, $signature:literal, $parameters:literal) => {
        function!(
            Scope::Everywhere,
            $name,
            $signature,
            $parameters,
            $parameters
        )
    };
    ($dialect:ident, $name:literal, $signature:literal, $parameters:literal) => {
        function!(
            Scope::Only(Dialect::$dialect),
            $name,
            $signature,
            $parameters,
            $parameters
        )
    };
    ($scope:expr, $name:literal, $signature:literal, $parameters:literal, $arity:literal) => {
        Definition {
            name: $name,
            signature: LazyLock::new(|| Signature::parse($signature).unwrap_or_default()),
            parameters: $parameters,
            arity: $arity,
            scope: $scope,
        }
    };
}

/// By name, so that a name is found by halving.
static DEFINITIONS: [Definition; 71] = [
    function!("abs", "<n-:n>", 1),
    function!("append", "<xx:a>", 2),
    function!("assert", "<bs?:x>", 2),
    function!("average", "<a<n>:n>", 1),
    function!("base64decode", "<s-:s>", 1),
    function!("base64encode", "<s-:s>", 1),
    function!("boolean", "<x-:b>", 1),
    function!("ceil", "<n-:n>", 1),
    function!("clone", "<(oa)-:o>", 1),
    function!("contains", "<s-(sf):b>", 2),
    function!("count", "<a:n>", 1),
    function!("decodeUrl", "<s-:s>", 1),
    function!("decodeUrlComponent", "<s-:s>", 1),
    function!("distinct", "<x:x>", 1),
    function!("each", "<o-f:a>", 2),
    function!("encodeUrl", "<s-:s>", 1),
    function!("encodeUrlComponent", "<s-:s>", 1),
    function!("error", "<s?:x>", 1),
    function!(Jsonata, "eval", "<sx?:x>", 2),
    function!("exists", "<x:b>", 1),
    function!("filter", "<af>", 2),
    function!("floor", "<n-:n>", 1),
    function!("formatBase", "<n-n?:s>", 2),
    function!("formatInteger", "<n-s:s>", 2),
    function!("formatNumber", "<n-so?:s>", 3),
    function!("fromMillis", "<n-s?s?:s>", 3),
    function!(StatesLanguage, "hash", "<s-s:s>", 2),
    function!("join", "<a<s>s?:s>", 2),
    function!("keys", "<x-:a<s>>", 1),
    function!("length", "<s-:n>", 1),
    function!("lookup", "<x-s:x>", 2),
    function!("lowercase", "<s-:s>", 1),
    function!("map", "<af>", 2),
    function!("match", "<s-f<s:o>n?:a<o>>", 3),
    function!("max", "<a<n>:n>", 1),
    function!("merge", "<a<o>:o>", 1),
    function!("millis", "<:n>", 0),
    function!("min", "<a<n>:n>", 1),
    function!("not", "<x-:b>", 1),
    function!("now", "<s?s?:s>", 2),
    function!("number", "<(nsb)-:n>", 1),
    function!("pad", "<s-ns?:s>", 3),
    function!(StatesLanguage, "parse", "<s-:x>", 1),
    function!("parseInteger", "<s-s:n>", 2),
    function!(StatesLanguage, "partition", "<an:a<a>>", 2),
    function!("power", "<n-n:n>", 2),
    function!(Jsonata, "random", "<:n>", 0),
    function!(StatesLanguage, "random", "<n?:n>", 1),
    function!(StatesLanguage, "range", "<nnn:a<n>>", 3),
    function!("reduce", "<afj?:j>", 3),
    function!("replace", "<s-(sf)(sf)n?:s>", 4),
    function!("reverse", "<a:a>", 1),
    function!("round", "<n-n?:n>", 2),
    function!("shuffle", "<a:a>", 1),
    function!("sift", "<o-f?:o>", 2),
    function!("single", "<af?>", 2),
    function!("sort", "<af?:a>", 2),
    function!("split", "<s-(sf)n?:a<s>>", 3),
    function!("spread", "<x-:a<o>>", 1),
    function!("sqrt", "<n-:n>", 1),
    function!(Scope::Everywhere, "string", "<x-b?:s>", 2, 1),
    function!("substring", "<s-nn?:s>", 3),
    function!("substringAfter", "<s-s:s>", 2),
    function!("substringBefore", "<s-s:s>", 2),
    function!("sum", "<a<n>:n>", 1),
    function!("toMillis", "<s-s?:n>", 2),
    function!("trim", "<s-:s>", 1),
    function!("type", "<x:s>", 1),
    function!("uppercase", "<s-:s>", 1),
    function!(StatesLanguage, "uuid", "<:s>", 0),
    function!("zip", "<a+>", 0),
];

/// A function that JSONata or the service defines.
#[derive(Clone, Copy)]
pub(crate) struct Builtin(&'static Definition);

impl Builtin {
    /// The function of that name in a dialect.
    pub(crate) fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let first = DEFINITIONS.partition_point(|function| function.name < name);
        let same = DEFINITIONS.iter().skip(first);
        same.take_while(|function| function.name == name)
            .find(|function| match function.scope {
                Scope::Everywhere => true,
                Scope::Only(only) => only == dialect,
            })
            .map(Self)
    }

    /// Its name, without `$`.
    pub(crate) fn name(self) -> &'static str {
        self.0.name
    }

    /// What it accepts.
    pub(crate) fn signature(self) -> &'static Signature {
        &self.0.signature
    }

    /// How many parameters it declares: what a partial application may leave open.
    pub(crate) fn parameters(self) -> usize {
        self.0.parameters
    }

    /// How many arguments a higher-order function offers it.
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
