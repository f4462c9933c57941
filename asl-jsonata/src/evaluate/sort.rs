//! `^(…)`, and the order in which sorting compares.
use super::sequence::Sequence;
use super::{Evaluation, Frame, Outcome, failure};
use crate::functions::merge_sorted;
use crate::syntax::SortTerm;
use crate::value::{ArrayKind, Value, View};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Values of the terms for one item, as far as comparisons need them.
type Keys<'a> = SmallVec<[Value<'a>; 1]>;

/// An order-by clause over its items.
struct Clause<'a, 'v> {
    terms: &'a [SortTerm],
    position: u32,
    items: &'v [Value<'a>],
    keys: Vec<Keys<'a>>,
    /// True if the items are tuples, known as such.
    tuples: bool,
    frame: &'v Frame<'a>,
}

impl<'a> Evaluation<'a, '_> {
    /// Sorts by the terms; items that are equal stay in order, and those without a value come last.
    pub(super) fn sort(
        &mut self,
        terms: &'a [SortTerm],
        position: u32,
        input: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        let count = input.items().len();
        if count <= 1 {
            return Ok(input);
        }
        self.charge_items(2 * count)?;
        let items: Vec<Value<'a>> = input.items().iter().collect();
        let mut clause = Clause {
            terms,
            position,
            items: &items,
            keys: vec![Keys::new(); count],
            tuples: input.is_tuples(),
            frame,
        };
        let order = merge_sorted(self, count, |evaluation, left, right| {
            clause.follows(evaluation, left, right)
        })?;
        let sorted = order.iter().filter_map(|index| items.get(*index).cloned());
        Ok(Sequence::Whole(Value::array_of(
            ArrayKind::Plain,
            sorted.collect(),
        )))
    }
}

impl<'a> Clause<'a, '_> {
    fn follows(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        left: usize,
        right: usize,
    ) -> Outcome<bool> {
        for (index, term) in self.terms.iter().enumerate() {
            self.know(evaluation, left, index, term)?;
            self.know(evaluation, right, index, term)?;
            let (left, right) = (self.key(left, index), self.key(right, index));
            let ordering = match (left.is_undefined(), right.is_undefined()) {
                (true, true) => Ordering::Equal,
                (true, false) => return Ok(true),
                (false, true) => return Ok(false),
                (false, false) => {
                    let ordering = evaluation.compare_keys(left, right);
                    let ordering = ordering.map_err(|error| error.at(self.position))?;
                    if term.descending {
                        ordering.reverse()
                    } else {
                        ordering
                    }
                }
            };
            if ordering.is_ne() {
                return Ok(ordering.is_gt());
            }
        }
        Ok(false)
    }

    fn key(&self, item: usize, index: usize) -> &Value<'a> {
        let keys = self.keys.get(item);
        keys.and_then(|keys| keys.get(index))
            .unwrap_or(&Value::Undefined)
    }

    /// Evaluates a term for an item, once.
    fn know(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        item: usize,
        index: usize,
        term: &'a SortTerm,
    ) -> Outcome<()> {
        let (Some(keys), Some(value)) = (self.keys.get_mut(item), self.items.get(item)) else {
            return Ok(());
        };
        if keys.len() > index {
            return Ok(());
        }
        keys.push(match value {
            Value::Tuple(tuple) if self.tuples => {
                let frame = evaluation.frame_of(tuple, self.frame)?;
                evaluation.evaluate(&term.expression, &tuple.item, &frame)?
            }
            _ => evaluation.evaluate(&term.expression, value, self.frame)?,
        });
        Ok(())
    }
}

impl<'a> Evaluation<'a, '_> {
    fn compare_keys(&mut self, left: &Value<'a>, right: &Value<'a>) -> Outcome<Ordering> {
        match (left.view(), right.view()) {
            (View::Number(left), View::Number(right)) => {
                Ok(left.partial_cmp(&right).unwrap_or(Ordering::Greater))
            }
            (View::Text(left), View::Text(right)) => self.compare_text(left, right),
            (View::Number(_), View::Text(_)) | (View::Text(_), View::Number(_)) => {
                let (left, right) = (self.quoted(left)?, self.quoted(right)?);
                Err(failure(
                    "T2007",
                    format!(
                        "Type mismatch when comparing values {left} and {right} in order-by clause"
                    ),
                ))
            }
            _ => Err(failure(
                "T2008",
                "The expressions within an order-by clause must evaluate to numeric or string values",
            )),
        }
    }
}
