//! Names of variables as numbers.
use crate::Dialect;
use crate::functions::Builtin;
use std::collections::HashMap;

/// The name of a variable, a parameter or a label, as an index of [`Symbols`]: frames compare integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u32);

impl Symbol {
    /// The name of `$$`. It is bound like any other where an expression says `$$ := …`.
    pub(crate) const ROOT: Self = Self(0);
    /// The name of `$states`.
    pub(crate) const STATES: Self = Self(1);

    /// Returns its place in [`Symbols::names`].
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of one expression, without `$`.
#[derive(Debug, Clone)]
pub(crate) struct Symbols {
    names: Vec<Name>,
    indices: HashMap<Box<str>, Symbol>,
    dialect: Dialect,
}

#[derive(Debug, Clone)]
struct Name {
    text: Box<str>,
    /// The function of the language that has this name.
    builtin: Option<Builtin>,
}

impl Symbols {
    /// No names but those that every expression has, in a language with the functions of a dialect.
    pub(crate) fn new(dialect: Dialect) -> Self {
        let mut symbols = Self {
            names: Vec::new(),
            indices: HashMap::new(),
            dialect,
        };
        symbols.intern("$");
        symbols.intern("states");
        symbols
    }

    /// Returns the symbol of a name, the same one each time.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.indices.get(name) {
            return *symbol;
        }
        // A text of less than 4 GiB has fewer names.
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(Name {
            text: name.into(),
            builtin: Builtin::named(name, self.dialect),
        });
        self.indices.insert(name.into(), symbol);
        symbol
    }

    /// Returns the name of a symbol. Labels of `%` have names that no variable can have: `!0`, `!1` ….
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        self.names
            .get(symbol.index())
            .map_or("", |name| &*name.text)
    }

    /// The function of the language that has this name.
    pub(crate) fn builtin(&self, symbol: Symbol) -> Option<Builtin> {
        self.names.get(symbol.index())?.builtin
    }

    /// Returns the symbol of a name that the expression has.
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        self.indices.get(name).copied()
    }

    /// Returns all names, in the order of [`Symbol::index`].
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &*name.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_symbol() {
        let mut symbols = Symbols::new(Dialect::Jsonata);
        let a = symbols.intern("a");
        assert_eq!(symbols.intern("a"), a);
        assert_eq!(symbols.get("a"), Some(a));
        assert_eq!(symbols.get("b"), None);
        assert_eq!(symbols.name(Symbol::ROOT), "$");
        assert_eq!(symbols.name(Symbol::STATES), "states");
        assert_eq!(symbols.names().collect::<Vec<_>>(), ["$", "states", "a"]);
    }

    #[test]
    fn a_name_is_that_of_a_function_of_its_dialect() {
        let builtin = |name, dialect| {
            let mut symbols = Symbols::new(dialect);
            let symbol = symbols.intern(name);
            symbols.builtin(symbol)
        };
        assert_eq!(
            builtin("sum", Dialect::Jsonata),
            Builtin::named("sum", Dialect::Jsonata)
        );
        assert!(builtin("eval", Dialect::Jsonata).is_some());
        assert_eq!(builtin("eval", Dialect::StatesLanguage), None);
        assert_eq!(builtin("nope", Dialect::Jsonata), None);
    }
}
