//! Names of variables as numbers.
use std::collections::HashMap;

/// The name of a variable, a parameter or a label, as an index of [`Symbols`]: frames compare integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u32);

impl Symbol {
    /// The name of `$$`. It is bound like any other where an expression says `$$ := …`.
    pub(crate) const ROOT: Self = Self(0);

    /// Its place in [`Symbols::names`].
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of one expression, without `$`.
#[derive(Debug, Clone)]
pub(crate) struct Symbols {
    names: Vec<Box<str>>,
    indices: HashMap<Box<str>, Symbol>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Self {
            names: Vec::new(),
            indices: HashMap::new(),
        };
        symbols.intern("$");
        symbols
    }
}

impl Symbols {
    /// The symbol of a name, the same one each time.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.indices.get(name) {
            return *symbol;
        }
        // A text of less than 4 GiB has fewer names.
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.into());
        self.indices.insert(name.into(), symbol);
        symbol
    }

    /// The name of a symbol. Labels of `%` have names that no variable can have: `!0`, `!1` ….
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.index()).map_or("", AsRef::as_ref)
    }

    /// The symbol of a name that the expression has.
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        self.indices.get(name).copied()
    }

    /// All names, in the order of [`Symbol::index`].
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_symbol() {
        let mut symbols = Symbols::default();
        let a = symbols.intern("a");
        assert_eq!(symbols.intern("a"), a);
        assert_eq!(symbols.get("a"), Some(a));
        assert_eq!(symbols.get("b"), None);
        assert_eq!(symbols.name(Symbol::ROOT), "$");
        assert_eq!(symbols.names().collect::<Vec<_>>(), ["$", "a"]);
    }
}
