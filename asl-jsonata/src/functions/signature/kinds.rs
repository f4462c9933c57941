//! Kinds of values.
use crate::value::{Value, View};
use std::ops::BitOr;

/// The kind of a value for signatures; also a set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const ARRAY: Self = Self(1);
    pub(super) const STRING: Self = Self(1 << 1);
    pub(super) const NUMBER: Self = Self(1 << 2);
    pub(super) const BOOLEAN: Self = Self(1 << 3);
    pub(super) const NULL: Self = Self(1 << 4);
    pub(super) const FUNCTION: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    /// No value; every parameter accepts it.
    pub(super) const UNDEFINED: Self = Self(1 << 7);
    pub(super) const NONE: Self = Self(0);
    pub(super) const ANY: Self = Self(u8::MAX);

    /// Returns the kind of a value.
    pub(super) fn from_value(value: &Value<'_>) -> Self {
        match value.view() {
            View::Undefined => Self::UNDEFINED,
            View::Null => Self::NULL,
            View::Boolean(_) => Self::BOOLEAN,
            View::Number(_) => Self::NUMBER,
            View::Text(_) => Self::STRING,
            View::Array(_) => Self::ARRAY,
            View::Object(_) => Self::OBJECT,
            View::Function(_) => Self::FUNCTION,
        }
    }

    /// Returns the kind that a letter of a signature stands for.
    pub(super) fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'a' => Self::ARRAY,
            's' => Self::STRING,
            'n' => Self::NUMBER,
            'b' => Self::BOOLEAN,
            'l' => Self::NULL,
            'f' => Self::FUNCTION,
            'o' => Self::OBJECT,
            _ => return None,
        })
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn accepts(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
