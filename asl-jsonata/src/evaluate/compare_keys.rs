//! Functions that only compare keys: `function($left, $right) { $left.key > $right.key }`.
use super::path::walked;
use super::{Evaluation, Outcome};
use crate::syntax::{Node, NodeKind, Operation, Step};
use crate::value::{Closure, Items, Value};

/// Such a function over items, whose keys are looked up once each. Its results, errors and bounds are those of calls.
pub(crate) struct KeyComparison<'v, 'a> {
    closure: &'v Closure<'a>,
    operation: &'a Operation,
    items: Items<'v, 'a>,
    left: Operand<'a>,
    right: Operand<'a>,
    left_keys: Keys<'a>,
    /// None if they are those of the left side.
    right_keys: Option<Keys<'a>>,
}

/// The key of each item, as far as a comparison has requested it.
type Keys<'a> = Vec<Option<Value<'a>>>;

/// One side of the operator.
#[derive(Clone, Copy)]
struct Operand<'a> {
    node: &'a Node,
    /// The part of an item.
    names: &'a [Step],
    /// True if the item is the second argument.
    of_second: bool,
}

impl<'a> Operand<'a> {
    fn new(node: &'a Node, of_second: bool) -> Self {
        let names = match &node.kind {
            NodeKind::Path(path) => path.steps.get(1..),
            _ => None,
        };
        Self {
            node,
            names: names.unwrap_or_default(),
            of_second,
        }
    }

    fn is_same_key(self, other: Self) -> bool {
        let kinds = |steps: &'a [Step]| steps.iter().map(|step| &step.node.kind);
        kinds(self.names).eq(kinds(other.names))
    }

    /// Returns the number of levels of its evaluation.
    fn levels(self) -> usize {
        if self.names.is_empty() { 1 } else { 2 }
    }
}

impl<'v, 'a> KeyComparison<'v, 'a> {
    /// None if the function does anything else.
    pub(crate) fn new(closure: &'v Closure<'a>, items: Items<'v, 'a>) -> Option<Self> {
        let lambda = closure.lambda;
        let order = lambda.order.filter(|_| closure.left.is_none())?;
        let NodeKind::Binary { first, rest } = &lambda.body.kind else {
            return None;
        };
        let [operation] = &**rest else {
            return None;
        };
        let left = Operand::new(first, order.swapped);
        let right = Operand::new(&operation.right, !order.swapped);
        Some(Self {
            closure,
            operation,
            left,
            right,
            items,
            left_keys: vec![None; items.len()],
            right_keys: (!left.is_same_key(right)).then(|| vec![None; items.len()]),
        })
    }

    /// Returns the result of the function for the items at two positions.
    pub(crate) fn compare(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        first: usize,
        second: usize,
    ) -> Outcome<Value<'a>> {
        evaluation.charge_steps(1)?;
        evaluation.check_calls()?;
        evaluation.check_depth(1 + self.left.levels().max(self.right.levels()))?;
        let (left, right) = if self.left.of_second {
            (second, first)
        } else {
            (first, second)
        };
        self.know(evaluation, self.left, left)?;
        self.know(evaluation, self.right, right)?;
        let right_keys = self.right_keys.as_ref().unwrap_or(&self.left_keys);
        let Operation {
            operator, position, ..
        } = *self.operation;
        let result =
            evaluation.comparison(operator, key(&self.left_keys, left), key(right_keys, right));
        result.map_err(|error| error.at(position))
    }

    /// Evaluates the key of an item, once.
    fn know(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        operand: Operand<'a>,
        place: usize,
    ) -> Outcome<()> {
        let keys = match &mut self.right_keys {
            Some(keys) if operand.of_second == self.right.of_second => keys,
            _ => &mut self.left_keys,
        };
        if let Some(key @ None) = keys.get_mut(place) {
            let item = self.items.get(place).unwrap_or_default();
            *key = Some(evaluation.key(self.closure, operand, item)?);
        }
        Ok(())
    }
}

fn key<'k, 'a>(keys: &'k Keys<'a>, place: usize) -> &'k Value<'a> {
    let key = keys.get(place).and_then(Option::as_ref);
    key.unwrap_or(&Value::Undefined)
}

impl<'a> Evaluation<'a, '_> {
    fn key(
        &mut self,
        closure: &Closure<'a>,
        operand: Operand<'a>,
        item: Value<'a>,
    ) -> Outcome<Value<'a>> {
        if let Some((key, passed)) = walked(&item, operand.names) {
            self.charge_steps(1 + passed)?;
            return Ok(key);
        }
        let parameter = closure
            .lambda
            .parameters
            .get(usize::from(operand.of_second));
        let binding = parameter.map(|name| (*name, item)).into_iter();
        let frame = self.frames.enter(&closure.frame, binding);
        let key =
            self.nested(|evaluation| evaluation.evaluate(operand.node, &closure.input, &frame))?;
        self.frames.leave(frame);
        Ok(key)
    }
}
