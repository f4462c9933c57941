//! `[…]`, `{…}`, and grouping.
use super::frame::Bindings;
use super::sequence::Sequence;
use super::{Evaluation, Failure, Frame, Outcome, failure};
use crate::syntax::{Node, NodeKind, Symbol};
use crate::value::{ArrayKind, NamedEntries, Object, Text, Tuple, Value};
use smallvec::SmallVec;

/// The combination of several values: nothing, a single value, or an array of all of them, with arrays flattened.
#[derive(Default)]
enum AppendedValues<'a> {
    #[default]
    Nothing,
    One(Value<'a>),
    Many(Vec<Value<'a>>),
}

impl<'a> AppendedValues<'a> {
    fn push(&mut self, evaluation: &mut Evaluation<'a, '_>, value: Value<'a>) -> Outcome<()> {
        *self = match std::mem::take(self) {
            unchanged if value.is_undefined() => unchanged,
            Self::Nothing => Self::One(value),
            Self::One(first) => {
                let mut items = Vec::new();
                evaluation.append(&mut items, first)?;
                evaluation.append(&mut items, value)?;
                Self::Many(items)
            }
            Self::Many(mut items) => {
                evaluation.append(&mut items, value)?;
                Self::Many(items)
            }
        };
        Ok(())
    }

    fn into_value(self) -> Value<'a> {
        match self {
            Self::Nothing => Value::Undefined,
            Self::One(value) => value,
            Self::Many(items) => Value::array(items),
        }
    }
}

/// Up to so many keys are distinguished by a look through all of them.
const SEARCHED: usize = 8;

/// The items of one key, and which of the pairs named it.
struct Members<'a> {
    pair: usize,
    items: AppendedValues<'a>,
}

impl<'a> Evaluation<'a, '_> {
    pub(super) fn array_constructor(
        &mut self,
        items: &'a [Node],
        constructed: bool,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let mut array = Vec::new();
        for item in items {
            let value = self.evaluate(item, input, frame)?;
            if matches!(item.kind, NodeKind::Array { .. }) && !value.is_undefined() {
                self.charge_items(1)?;
                array.push(value);
            } else {
                self.append(&mut array, value)?;
            }
        }
        let kind = if constructed {
            ArrayKind::Constructed
        } else {
            ArrayKind::Plain
        };
        Ok(Value::array_of(kind, array))
    }

    /// `{…}` over its context.
    pub(super) fn object_constructor(
        &mut self,
        pairs: &'a [(Node, Node)],
        position: u32,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        if input.is_array() || pairs.len() > SEARCHED {
            return self.group(pairs, position, &Sequence::from_value(input.clone()), frame);
        }
        self.charge_steps(1)?;
        let mut named: SmallVec<[(Text<'a>, &'a Node); SEARCHED]> = SmallVec::new();
        for (key, value) in pairs {
            let Some(key) = self.group_key(key, position, input, frame)? else {
                continue;
            };
            if named.iter().any(|(known, _)| *known == key) {
                return Err(self.key_defined_twice(key)?.at(position));
            }
            self.charge_fields(1)?;
            named.push((key, value));
        }
        let mut object = Object::with_capacity(named.len());
        for (key, value) in named {
            let value = self.evaluate(value, input, frame)?;
            if !value.is_undefined() {
                self.charge_fields(1)?;
                object.push(key, value);
            }
        }
        Ok(Value::object(object))
    }

    /// Returns the text of a key in a context; None if it is undefined.
    fn group_key(
        &mut self,
        key: &'a Node,
        position: u32,
        context: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Option<Text<'a>>> {
        let key = self.evaluate(key, context, frame)?;
        if key.is_undefined() {
            return Ok(None);
        }
        let Some(text) = key.to_text() else {
            let key = self.quoted(&key)?;
            let message = format!("Key in object structure must evaluate to a string; got: {key}");
            return Err(failure("T1003", message).at(position));
        };
        self.charge_scan(text.len())?;
        Ok(Some(text))
    }

    fn key_defined_twice(&mut self, key: Text<'a>) -> Outcome<Failure> {
        let key = self.quoted(&Value::Text(key))?;
        let message = format!("Multiple key definitions evaluate to same key: {key}");
        Ok(failure("D1009", message))
    }

    /// Groups items by the keys that the pairs name, and evaluates the value of each pair once over all the items of its key.
    pub(super) fn group(
        &mut self,
        pairs: &'a [(Node, Node)],
        position: u32,
        input: &Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        self.charge_steps(input.items().len())?;
        let tuples = input.is_tuples();
        let mut groups = NamedEntries::with_capacity(0);
        for item in input.items() {
            self.add_to_groups(&mut groups, pairs, position, &item, tuples, frame)?;
        }
        if input.is_empty() {
            // Nothing is grouped as one item that is nothing, so that `{…}` of constants has its fields.
            self.add_to_groups(
                &mut groups,
                pairs,
                position,
                &Value::Undefined,
                false,
                frame,
            )?;
        }
        let mut object = Object::with_capacity(groups.len());
        for (key, members) in groups {
            let Some((_, value)) = pairs.get(members.pair) else {
                continue;
            };
            let items = members.items.into_value();
            let value = if tuples {
                let (item, bindings) = self.merged(&items)?;
                self.evaluate(value, &item, &frame.inside(bindings))?
            } else {
                self.evaluate(value, &items, frame)?
            };
            if !value.is_undefined() {
                self.charge_fields(1)?;
                object.insert(key, value);
            }
        }
        Ok(Value::object(object))
    }

    fn add_to_groups(
        &mut self,
        groups: &mut NamedEntries<'a, Members<'a>>,
        pairs: &'a [(Node, Node)],
        position: u32,
        item: &Value<'a>,
        tuples: bool,
        frame: &Frame<'a>,
    ) -> Outcome<()> {
        let inner;
        let (context, frame) = match item {
            Value::Tuple(tuple) if tuples => {
                inner = self.frame_of(tuple, frame)?;
                (&tuple.item, &inner)
            }
            _ => (item, frame),
        };
        for (pair, (key, _)) in pairs.iter().enumerate() {
            let Some(key) = self.group_key(key, position, context, frame)? else {
                continue;
            };
            let Some(members) = groups.get_mut(&key) else {
                self.charge_fields(1)?;
                let items = AppendedValues::One(item.clone());
                groups.insert(key, Members { pair, items });
                continue;
            };
            if members.pair != pair {
                return Err(self.key_defined_twice(key)?.at(position));
            }
            members.items.push(self, item.clone())?;
        }
        Ok(())
    }

    /// Returns the items and the bindings of several tuples, each put together.
    fn merged(&mut self, tuples: &Value<'a>) -> Outcome<(Value<'a>, Bindings<'a>)> {
        let mut item = AppendedValues::Nothing;
        let mut bindings: Vec<(Symbol, AppendedValues<'a>)> = Vec::new();
        let sequence = Sequence::from_value(tuples.clone());
        for value in sequence.items() {
            let Value::Tuple(tuple) = value else {
                continue;
            };
            self.charge_steps(tuple.bindings.len())?;
            item.push(self, tuple.item.clone())?;
            for (name, value) in &Tuple::clone(&tuple).bindings {
                if !bindings.iter().any(|(known, _)| known == name) {
                    bindings.push((*name, AppendedValues::Nothing));
                }
                if let Some((_, values)) = bindings.iter_mut().find(|(known, _)| known == name) {
                    values.push(self, value.clone())?;
                }
            }
        }
        let bindings = bindings.into_iter();
        Ok((
            item.into_value(),
            bindings
                .map(|(name, values)| (name, values.into_value()))
                .collect(),
        ))
    }
}
