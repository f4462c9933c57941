//! Values of `${Name}`.
use crate::DefinitionText;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Values that were given for names: they add to what a template says, and override it.
///
/// ```
/// let given = asl_template::Substitutions::from_iter([("Stage", "test")]);
/// assert_eq!(given.value_of("Stage"), Some("test"));
/// assert!(given.used().contains("Stage"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Substitutions {
    values: BTreeMap<String, String>,
    used: RefCell<BTreeSet<String>>,
}

impl Substitutions {
    /// Returns the value of a name, if one was given; it counts as used then.
    pub fn value_of(&self, name: &str) -> Option<&str> {
        let (known, value) = self.values.get_key_value(name)?;
        if !self.used.borrow().contains(known) {
            self.used.borrow_mut().insert(known.clone());
        }
        Some(value)
    }

    /// Returns the names whose values were requested.
    pub fn used(&self) -> BTreeSet<String> {
        self.used.borrow().clone()
    }

    /// Returns these values with others, which override them.
    pub(crate) fn with(&self, others: &BTreeMap<String, String>) -> Self {
        let mut with = self.clone();
        let others = others.iter();
        with.values
            .extend(others.map(|(name, value)| (name.clone(), value.clone())));
        with
    }

    /// Counts as used those of these values that were requested of a copy.
    pub(crate) fn note_used(&self, copy: &Self) {
        for name in copy.used() {
            self.value_of(&name);
        }
    }

    /// Puts values in the place of the `${Name}` of a text: those given, and those of `others`.
    pub(crate) fn replace(
        &self,
        text: DefinitionText,
        others: &BTreeMap<String, String>,
    ) -> DefinitionText {
        let other = |name: &str| others.get(name).map(String::as_str);
        let values = asl_model::placeholder_values(text.as_str(), |name| {
            self.value_of(name).or_else(|| other(name))
        });
        match values.is_empty() {
            true => text,
            false => text.replaced(&values),
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Substitutions {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        let values = values.into_iter();
        Self {
            values: values
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            used: RefCell::default(),
        }
    }
}
