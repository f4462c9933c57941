//! Values of an evaluation.
//!
//! What an expression only passes through stays borrowed: from its own literals, or from the data of its environment. [`Value::view`] shows a value without
//! regard to where it lives; code that makes values charges the evaluation for them first (`evaluate/budget.rs`).

mod array;
mod compare;
mod convert;
mod function;
mod named;
mod object;
mod release;
mod shared;
mod tuple;

pub(crate) use array::{Array, ArrayKind, Items};
pub(crate) use convert::json_number;
pub(crate) use function::{Closure, Composition, Function, Native, Open, Transformer};
pub(crate) use named::NamedEntries;
pub(crate) use object::{Fields, Object};
pub(crate) use release::{PendingValues, release};
pub(crate) use shared::Text;
pub(crate) use tuple::Tuple;

use serde_json::Value as Json;
use std::rc::Rc;

/// A value; cloning one never copies its content.
#[derive(Clone, Default)]
pub(crate) enum Value<'a> {
    /// No value at all.
    #[default]
    Undefined,
    Null,
    Boolean(bool),
    /// A number that was computed; it may be infinite or no number, which most functions refuse.
    Number(f64),
    /// An integer beyond 2^53 that was read from a text, with all its digits.
    Integer(i64),
    Text(Text<'a>),
    /// Any JSON that exists already, a number with all its digits.
    Json(&'a Json),
    Array(Rc<Array<'a>>),
    Object(Rc<Object<'a>>),
    Function(Rc<Function<'a>>),
    /// An item of a path that carries bindings; only an array of kind `Tuples`, and what sorting makes of one, holds it.
    Tuple(Rc<Tuple<'a>>),
}

/// The content of a value, independent of its storage.
#[derive(Clone, Copy)]
pub(crate) enum View<'v, 'a> {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    Text(&'v str),
    Array(Items<'v, 'a>),
    Object(Fields<'v, 'a>),
    Function(&'v Rc<Function<'a>>),
}

impl<'a> Value<'a> {
    /// The value as its type has it.
    pub(crate) fn view(&self) -> View<'_, 'a> {
        match self {
            Self::Undefined => View::Undefined,
            Self::Null => View::Null,
            Self::Boolean(value) => View::Boolean(*value),
            Self::Number(value) => View::Number(*value),
            Self::Integer(value) => View::Number(*value as f64),
            Self::Text(text) => View::Text(text),
            Self::Json(json) => View::from_json(json),
            Self::Array(array) => View::Array(Items::Made(array.items())),
            Self::Object(object) => View::Object(Fields::Made(object)),
            Self::Function(function) => View::Function(function),
            Self::Tuple(tuple) => View::Object(Fields::Tuple(tuple)),
        }
    }

    /// Text that lives elsewhere.
    pub(crate) fn borrowed(text: &'a str) -> Self {
        Self::Text(Text::Borrowed(text))
    }

    /// Text that was made; charge for it with `charge_text` first.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::shared(text))
    }

    /// Creates an array that stays one; charge for its items with `charge_items` first.
    pub(crate) fn array(items: Vec<Self>) -> Self {
        Self::array_of(ArrayKind::Plain, items)
    }

    /// Creates a sequence: empty it is undefined, and one of a single item is that item, as soon as it is the value of an
    /// expression.
    pub(crate) fn sequence(items: Vec<Self>) -> Self {
        Self::array_of(ArrayKind::Sequence, items)
    }

    /// Creates an array of any kind.
    pub(crate) fn array_of(kind: ArrayKind, items: Vec<Self>) -> Self {
        Self::Array(Rc::new(Array::new(kind, items)))
    }

    /// Creates an object; charge for its fields with `charge_fields` first.
    pub(crate) fn object(object: Object<'a>) -> Self {
        Self::Object(Rc::new(object))
    }

    pub(crate) fn function(function: Function<'a>) -> Self {
        Self::Function(Rc::new(function))
    }

    pub(crate) fn is_undefined(&self) -> bool {
        matches!(self, Self::Undefined)
    }

    pub(crate) fn is_function(&self) -> bool {
        matches!(self, Self::Function(_))
    }

    /// Returns the number, if it is one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Integer(number) => Some(*number as f64),
            Self::Json(Json::Number(number)) => Some(number.as_f64().unwrap_or(f64::NAN)),
            _ => None,
        }
    }

    /// Returns true if it is an integer that exists already, whose digits a number that is computed may not hold.
    pub(crate) fn is_integer_of_data(&self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Json(Json::Number(number)) => !number.is_f64(),
            _ => false,
        }
    }

    /// Returns all digits of an integer of 64 bits that exists already.
    pub(crate) fn exact_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            Self::Json(Json::Number(number)) => number.as_i64(),
            _ => None,
        }
    }

    /// Returns the text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self.view() {
            View::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the items, if it is an array or a sequence.
    pub(crate) fn as_items(&self) -> Option<Items<'_, 'a>> {
        match self.view() {
            View::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the text, sharing the value's storage, if it is text.
    pub(crate) fn to_text(&self) -> Option<Text<'a>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Json(Json::String(text)) => Some(Text::Borrowed(text)),
            _ => None,
        }
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Json(Json::Array(_)))
    }

    /// Returns the kind of array, if it is one.
    pub(crate) fn array_kind(&self) -> Option<ArrayKind> {
        match self {
            Self::Array(array) => Some(array.kind()),
            Self::Json(Json::Array(_)) => Some(ArrayKind::Plain),
            _ => None,
        }
    }

    /// Returns true if it is a sequence, and so no array of the data or of a constructor.
    pub(crate) fn is_sequence(&self) -> bool {
        matches!(self, Self::Array(array) if array.kind().is_sequence())
    }

    /// Returns true if both are the same value, not only equal ones: scalars by value, the others by identity (`===` of the
    /// reference).
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(left), Self::Array(right)) => Rc::ptr_eq(left, right),
            (Self::Object(left), Self::Object(right)) => Rc::ptr_eq(left, right),
            (Self::Function(left), Self::Function(right)) => left.is_same(right),
            _ => match (self.view(), other.view()) {
                (View::Undefined, View::Undefined) | (View::Null, View::Null) => true,
                (View::Boolean(left), View::Boolean(right)) => left == right,
                (View::Number(left), View::Number(right)) => left == right,
                (View::Text(left), View::Text(right)) => left == right,
                (View::Array(Items::Json(left)), View::Array(Items::Json(right))) => {
                    std::ptr::eq(left, right)
                }
                (View::Object(Fields::Json(left)), View::Object(Fields::Json(right))) => {
                    std::ptr::eq(left, right)
                }
                _ => false,
            },
        }
    }
}

impl<'a> View<'_, 'a> {
    fn from_json(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(*value),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::Array(Items::Json(items)),
            Json::Object(fields) => Self::Object(Fields::Json(fields)),
        }
    }
}

impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        Self::Json(json)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
