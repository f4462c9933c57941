//! Where a generated state is.
use proptest::prelude::*;

/// A query language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    JsonPath,
    Jsonata,
}

impl Language {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::JsonPath => "JSONPath",
            Self::Jsonata => "JSONata",
        }
    }
}

/// The languages of a machine's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Languages {
    /// A JSONPath machine with states of its own language only.
    JsonPath,
    /// A JSONPath machine with states of both.
    Both,
    /// A JSONata machine.
    Jsonata,
}

/// A scope of a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) languages: Languages,
    /// How many levels of scopes may be below it.
    pub(super) depth: u32,
}

/// A state of a scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) language: Language,
    /// That of its scope; variables of other depths have other names.
    pub(super) depth: u32,
    languages: Languages,
}

impl Place {
    pub(super) fn below(self) -> Self {
        Self {
            depth: self.depth.saturating_sub(1),
            ..self
        }
    }

    /// A state of a language that the machine allows.
    pub(super) fn setting(self) -> BoxedStrategy<Setting> {
        let state = move |language| Setting {
            language,
            depth: self.depth,
            languages: self.languages,
        };
        let (json_path, jsonata) = (state(Language::JsonPath), state(Language::Jsonata));
        match self.languages {
            Languages::JsonPath => Just(json_path).boxed(),
            Languages::Jsonata => Just(jsonata).boxed(),
            Languages::Both => prop_oneof![Just(json_path), Just(jsonata)].boxed(),
        }
    }
}

impl Setting {
    /// Whether "QueryLanguage" can be left out.
    pub(super) fn is_machines_language(self) -> bool {
        (self.language == Language::Jsonata) == (self.languages == Languages::Jsonata)
    }
}
