//! Items of a path that carry bindings (`@$name`, `#$name`, `%`).
use super::Value;
use super::release::{PendingValues, nests, release};
use crate::evaluate::Bindings;
use crate::syntax::{Symbol, Symbols};

/// An item and what its path has bound on the way to it.
#[derive(Clone)]
pub(crate) struct Tuple<'a> {
    names: &'a Symbols,
    pub(crate) item: Value<'a>,
    pub(crate) bindings: Bindings<'a>,
}

impl<'a> Tuple<'a> {
    /// Creates an item without bindings.
    pub(crate) fn new(item: Value<'a>, names: &'a Symbols) -> Self {
        Self {
            names,
            item,
            bindings: Bindings::new(),
        }
    }

    pub(crate) fn bind(&mut self, name: Symbol, value: Value<'a>) {
        let bound = self.bindings.iter_mut().find(|(bound, _)| *bound == name);
        match bound {
            Some(binding) => binding.1 = value,
            None => self.bindings.push((name, value)),
        }
    }

    /// Returns the bindings of a tuple for an expression that expects an item, as in the reference after sorting: `@` is the
    /// item.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let bindings = self.bindings.iter();
        let bindings = bindings.map(|(name, value)| (self.names.name(*name), value.clone()));
        std::iter::once(("@", self.item.clone())).chain(bindings)
    }

    pub(super) fn give(&mut self, pending: &mut PendingValues<'a>) {
        let bindings = std::mem::take(&mut self.bindings).into_iter();
        pending.extend(bindings.map(|(_, value)| value));
        pending.extend([std::mem::take(&mut self.item)]);
    }
}

impl Drop for Tuple<'_> {
    fn drop(&mut self) {
        if nests(&self.item) || self.bindings.iter().any(|(_, value)| nests(value)) {
            release(|pending| self.give(pending));
        }
    }
}
