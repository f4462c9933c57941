//! Query languages as types. They decide which fields a builder has.
use crate::QueryLanguage;

mod private {
    pub trait Private {}
    impl Private for super::JsonPath {}
    impl Private for super::Jsonata {}
}

/// A query language: [`JsonPath`] or [`Jsonata`].
pub trait Language: private::Private {
    /// The value of "QueryLanguage".
    const QUERY_LANGUAGE: QueryLanguage;
}

/// JSONPath, payload templates and intrinsic functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonPath {}

/// JSONata expressions within `{%` and `%}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Jsonata {}

impl Language for JsonPath {
    const QUERY_LANGUAGE: QueryLanguage = QueryLanguage::JSONPath;
}

impl Language for Jsonata {
    const QUERY_LANGUAGE: QueryLanguage = QueryLanguage::JSONata;
}
