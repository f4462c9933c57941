//! Predicates.
use super::sequence::Sequence;
use super::{Evaluation, Frame, Outcome, finite};
use crate::syntax::{Node, NodeKind};
use crate::value::{ArrayKind, Items, Value, View};
use serde_json::Value as Json;

impl<'a> Evaluation<'a, '_> {
    /// Returns the items for which a predicate holds: it is true for them, or it is, or holds, their position.
    pub(super) fn filter(
        &mut self,
        predicate: &'a Node,
        input: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        let tuples = input.is_tuples();
        let items = input.items();
        if let NodeKind::Literal(Json::Number(number)) = &predicate.kind {
            let found = position(number.as_f64().unwrap_or(f64::NAN), items.len());
            let found = found.and_then(|index| items.get(index));
            return Ok(match found {
                Some(item) if tuples => self.tuple_sequence(vec![item]),
                Some(item) if !item.is_undefined() => Sequence::from_value(item),
                _ => Sequence::EMPTY,
            });
        }
        let mut kept = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let times = match &item {
                Value::Tuple(tuple) if tuples => {
                    let frame = self.frame_of(tuple, frame)?;
                    let verdict = self.evaluate(predicate, &tuple.item, &frame)?;
                    self.times_chosen(&verdict, index, items.len())?
                }
                _ => {
                    let verdict = self.evaluate(predicate, &item, frame)?;
                    self.times_chosen(&verdict, index, items.len())?
                }
            };
            if times > 0 {
                self.charge_items(times)?;
                kept.extend(std::iter::repeat_n(item, times));
            }
        }
        Ok(if tuples {
            self.tuple_sequence(kept)
        } else {
            Sequence::Many(kept)
        })
    }

    /// Returns how many times a predicate with this value selects the item at a position.
    fn times_chosen(&mut self, verdict: &Value<'a>, index: usize, length: usize) -> Outcome<usize> {
        match verdict.view() {
            View::Boolean(chosen) => Ok(usize::from(chosen)),
            View::Number(number) => Ok(match finite(number)? {
                Some(number) => usize::from(position(number, length) == Some(index)),
                None => 0,
            }),
            View::Array(items) => match self.times_listed(items, index, length)? {
                Some(times) => Ok(times),
                None => Ok(usize::from(self.truth(verdict)?)),
            },
            _ => Ok(usize::from(self.truth(verdict)?)),
        }
    }

    /// Returns how many times a list of positions contains this one; None if it is not a list of numbers.
    fn times_listed(
        &mut self,
        items: Items<'_, 'a>,
        index: usize,
        length: usize,
    ) -> Outcome<Option<usize>> {
        let mut times = 0;
        let mut numbers = true;
        for item in items {
            self.charge_steps(1)?;
            match item.as_number().map(finite).transpose()?.flatten() {
                Some(number) => times += usize::from(position(number, length) == Some(index)),
                None => numbers = false,
            }
        }
        Ok(numbers.then_some(times))
    }

    fn tuple_sequence(&self, tuples: Vec<Value<'a>>) -> Sequence<'a> {
        Sequence::Whole(Value::array_of(ArrayKind::Tuples, tuples))
    }
}

/// Returns the position of a number: rounded down, and from the end if it is negative.
fn position(number: f64, length: usize) -> Option<usize> {
    let number = number.floor();
    let number = if number < 0.0 {
        number + length as f64
    } else {
        number
    };
    (number >= 0.0 && number < length as f64).then_some(number as usize)
}
