//! Objects within a state: retriers, catchers, Choice Rules and the parts of a distributed Map State.
use super::fields::Fields;
use super::language::Language;
use serde_json::Value;
use std::marker::PhantomData;

/// The objects that a [`Part`] can build.
pub mod kind {
    macro_rules! kinds {
        ($($(#[$attribute:meta])* $name:ident,)+) => {
            $($(#[$attribute])* #[derive(Debug, Clone, Copy, PartialEq, Eq)] pub enum $name {})+
        };
    }

    kinds! {
        /// A member of "Retry".
        Retrier,
        /// A member of "Catch" without its target.
        Catcher,
        /// A member of "Catch".
        CompleteCatcher,
        /// A member of "Choices".
        ChoiceRule,
        /// A member of "Choices" without its target.
        OpenChoiceRule,
        /// "ItemReader".
        ItemReader,
        /// "ReaderConfig".
        ReaderConfig,
        /// "ItemBatcher".
        ItemBatcher,
        /// "ResultWriter".
        ResultWriter,
    }

    mod private {
        pub trait Private {}
        impl Private for super::ItemReader {}
        impl Private for super::ResultWriter {}
    }

    /// Parts with "Parameters" or "Arguments".
    pub trait Requests: private::Private {}
    impl Requests for ItemReader {}
    impl Requests for ResultWriter {}
}

/// Builds an object within a state. The aliases in [`json_path`](super::json_path) and [`jsonata`](super::jsonata) name each.
#[must_use = "a part is built to be given to a state"]
#[derive(Debug, Clone, PartialEq)]
pub struct Part<K, L> {
    pub(super) fields: Fields,
    marker: PhantomData<fn() -> (K, L)>,
}

impl<K, L: Language> Part<K, L> {
    pub(super) fn empty() -> Self {
        Self::of(Fields::default())
    }

    pub(super) fn of(fields: Fields) -> Self {
        Self {
            fields,
            marker: PhantomData,
        }
    }

    pub(super) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.set(name, value);
        self
    }

    pub(super) fn set_form(mut self, forms: &[&str], name: &str, value: impl Into<Value>) -> Self {
        self.fields.set_form(forms, name, value);
        self
    }
}

impl<K, L> From<Part<K, L>> for Value {
    fn from(part: Part<K, L>) -> Self {
        part.fields.into()
    }
}
