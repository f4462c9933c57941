//! Reads values with their positions, so that all errors of a file are reported at once.
use super::fault::Fault;
use crate::compare::member_pointer;
use asl_path::json::described;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt::Display;

/// Collects errors.
#[derive(Debug, Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn push(&self, pointer: &str, is_name: bool, message: impl Display) {
        self.0.borrow_mut().push(Fault {
            message: message.to_string(),
            pointer: pointer.to_owned(),
            is_name,
            position: None,
        });
    }

    pub(super) fn into_list(self) -> Vec<Fault> {
        self.0.into_inner()
    }
}

/// A value of the file, with its position.
#[derive(Debug, Clone)]
pub(super) struct Node<'f> {
    pub(super) faults: &'f Faults,
    pub(super) value: &'f Value,
    pub(super) pointer: String,
}

impl<'f> Node<'f> {
    /// Reports an error in the value.
    pub(super) fn fault(&self, message: impl Display) {
        self.faults.push(&self.pointer, false, message);
    }

    /// Reports an error in the name of the field.
    pub(super) fn fault_of_name(&self, message: impl Display) {
        self.faults.push(&self.pointer, true, message);
    }

    fn expected<T>(&self, what: &str) -> Option<T> {
        self.fault(format!("expected {what}, found {}", described(self.value)));
        None
    }

    pub(super) fn text(&self) -> Option<&'f str> {
        self.value.as_str().or_else(|| self.expected("a string"))
    }

    pub(super) fn whole_number(&self) -> Option<u64> {
        let number = self.value.as_u64();
        number.or_else(|| self.expected("a whole number from 0"))
    }

    /// Seconds, from 0.
    pub(super) fn seconds(&self) -> Option<f64> {
        let seconds = self.value.as_f64().filter(|seconds| *seconds >= 0.0);
        seconds.or_else(|| self.expected("a number of seconds from 0"))
    }

    /// Returns a number from 0: seconds, or how often.
    pub(super) fn seconds_or_count(&self) -> Option<f64> {
        let number = self.value.as_f64().filter(|number| *number >= 0.0);
        number.or_else(|| self.expected("a number from 0"))
    }

    pub(super) fn yes(&self) -> Option<()> {
        match self.value {
            Value::Bool(true) => Some(()),
            _ => self.expected("true"),
        }
    }

    pub(super) fn object(&self) -> Option<&'f Map<String, Value>> {
        self.value
            .as_object()
            .or_else(|| self.expected("an object"))
    }

    /// Returns the fields of an object whose names the file chooses.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'f str, Self)> + use<'f> {
        let entries = self.object().into_iter().flatten();
        let (faults, pointer) = (self.faults, self.pointer.clone());
        entries.map(move |(name, value)| {
            let pointer = member_pointer(&pointer, name);
            let node = Node {
                faults,
                value,
                pointer,
            };
            (name.as_str(), node)
        })
    }

    /// Returns the elements of an array; one value alone is an array of one.
    pub(super) fn one_or_more(&self) -> Vec<Self> {
        match self.value {
            Value::Array(elements) => self.at_each(elements),
            _ => vec![self.clone()],
        }
    }

    pub(super) fn elements(&self) -> Option<Vec<Self>> {
        match self.value {
            Value::Array(elements) => Some(self.at_each(elements)),
            _ => self.expected("an array"),
        }
    }

    fn at_each(&self, elements: &'f [Value]) -> Vec<Self> {
        let at = |(index, value)| Node {
            faults: self.faults,
            value,
            pointer: format!("{}/{index}", self.pointer),
        };
        elements.iter().enumerate().map(at).collect()
    }

    /// The fields of an object whose names are known.
    pub(super) fn fields(&self) -> Option<Fields<'f>> {
        Some(Fields {
            node: self.clone(),
            map: self.object()?,
            asked: RefCell::default(),
        })
    }
}

/// An object of known fields: those that were requested are known.
#[derive(Debug)]
pub(super) struct Fields<'f> {
    pub(super) node: Node<'f>,
    map: &'f Map<String, Value>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'f> Fields<'f> {
    /// Returns the field of this name, be it null.
    pub(super) fn get(&self, name: &'static str) -> Option<Node<'f>> {
        self.asked.borrow_mut().push(name);
        Some(Node {
            faults: self.node.faults,
            value: self.map.get(name)?,
            pointer: member_pointer(&self.node.pointer, name),
        })
    }

    /// Reports unknown fields. Fields that start with `x-` are for anchors.
    pub(super) fn finish(self) {
        let asked = self.asked.into_inner();
        let known = |name: &str| asked.contains(&name) || name.starts_with("x-");
        for name in self.map.keys().filter(|name| !known(name)) {
            let hint = asl_model::did_you_mean(name, asked.iter().copied());
            let message = match hint.is_empty() {
                true => format!(
                    "unknown field `{name}`: expected one of {}",
                    asked.join(", ")
                ),
                false => format!("unknown field `{name}`{hint}"),
            };
            let pointer = member_pointer(&self.node.pointer, name);
            self.node.faults.push(&pointer, true, message);
        }
    }
}
