//! Objects within a state: retriers, catchers, Choice Rules and the parts of a distributed Map State.
use super::fields::Fields;
use super::language::{JsonPath, Jsonata, Language};
use serde_json::Value;
use std::marker::PhantomData;

/// The objects that a [`Part`] can build.
pub mod kind {
    use super::super::kinds::kinds;

    kinds! {
        groups {
            /// Parts with "Comment".
            HasComment,
            /// Parts with "Assign".
            Assigns,
            /// Parts with "Output".
            HasOutput,
            /// Parts with "Parameters" or "Arguments".
            Requests,
        }
        kinds {
            /// A member of "Retry".
            Retrier: HasComment;
            /// A member of "Catch" without its target.
            Catcher: HasComment, Assigns, HasOutput;
            /// A member of "Catch".
            CompleteCatcher: ;
            /// A member of "Choices".
            ChoiceRule: HasComment, Assigns, HasOutput;
            /// A member of "Choices" without its target.
            OpenChoiceRule: ;
            /// "ItemReader".
            ItemReader: Requests;
            /// "ReaderConfig".
            ReaderConfig: ;
            /// "ItemBatcher".
            ItemBatcher: ;
            /// "ResultWriter".
            ResultWriter: Requests;
        }
    }
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

impl<K: kind::HasComment, L: Language> Part<K, L> {
    /// Sets "Comment".
    pub fn comment(self, comment: impl Into<String>) -> Self {
        self.set("Comment", comment.into())
    }
}

impl<K: kind::Assigns, L: Language> Part<K, L> {
    /// Sets "Assign": an object of variables and their values.
    pub fn assign(self, variables: impl Into<Value>) -> Self {
        self.set("Assign", variables)
    }
}

impl<K: kind::HasOutput> Part<K, Jsonata> {
    /// Sets "Output", a template.
    pub fn output(self, output: impl Into<Value>) -> Self {
        self.set("Output", output)
    }
}

impl<K: kind::Requests> Part<K, JsonPath> {
    /// Sets "Parameters", a payload template.
    pub fn parameters(self, parameters: impl Into<Value>) -> Self {
        self.set("Parameters", parameters)
    }
}

impl<K: kind::Requests> Part<K, Jsonata> {
    /// Sets "Arguments", a template.
    pub fn arguments(self, arguments: impl Into<Value>) -> Self {
        self.set("Arguments", arguments)
    }
}
