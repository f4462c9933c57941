//! Paths whose items carry bindings: `@$name`, `#$name`, and the ancestors of `%`.
use super::sequence::Sequence;
use super::{Evaluation, Frame, Outcome};
use crate::syntax::{NodeKind, Path, Stage, Step, Symbol};
use crate::value::{ArrayKind, Items, Tuple, Value};
use std::rc::Rc;

impl<'a> Evaluation<'a, '_> {
    /// Returns the value of a path from its first step with bindings on.
    pub(super) fn tuple_path(
        &mut self,
        path: &'a Path,
        steps: &'a [Step],
        keep: bool,
        input: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let mut steps = steps.iter();
        let mut tuples = match steps.next() {
            Some(first) => self.first_tuples(first, input, frame)?,
            None => Sequence::EMPTY,
        };
        for step in steps {
            tuples = self.tuple_step(step, tuples, frame)?;
        }
        if let Some(group) = &path.group {
            return self.group(&group.pairs, group.position, &tuples, frame);
        }
        self.charge_items(tuples.items().len())?;
        if path.tuple {
            return Ok(Value::array_of(
                kind_of(&tuples),
                tuples.items().iter().collect(),
            ));
        }
        let items = tuples.items().iter().map(item_of);
        Ok(Sequence::Many(items.collect()).into_value(keep))
    }

    fn first_tuples(
        &mut self,
        step: &'a Step,
        input: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        let NodeKind::Sort(terms) = &step.node.kind else {
            let tuples = self.tuples_of(input.items())?;
            return self.tuple_step(step, tuples, frame);
        };
        let sorted = self.sort(terms, step.node.position, input, frame)?;
        let tuples = self.tuples_of(sorted.items())?;
        let tuples = match step.index {
            Some(name) => self.number(tuples, name)?,
            None => tuples,
        };
        self.tuple_stages(&step.stages, tuples, frame)
    }

    fn tuples_of(&mut self, items: Items<'_, 'a>) -> Outcome<Sequence<'a>> {
        let mut tuples = Vec::new();
        for item in items {
            let tuple = Tuple::new(item, self.symbols);
            self.push_tuple(&mut tuples, tuple)?;
        }
        Ok(tuple_sequence(tuples))
    }

    fn push_tuple(&mut self, tuples: &mut Vec<Value<'a>>, tuple: Tuple<'a>) -> Outcome<()> {
        self.charge_items(1 + tuple.bindings.len())?;
        self.charge_memory(size_of::<Tuple<'a>>())?;
        tuples.push(Value::Tuple(Rc::new(tuple)));
        Ok(())
    }

    fn tuple_step(
        &mut self,
        step: &'a Step,
        input: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        if let NodeKind::Sort(terms) = &step.node.kind {
            let sorted = self.sort(terms, step.node.position, input, frame)?;
            return self.tuple_stages(&step.stages, sorted, frame);
        }
        let mut results = Vec::new();
        for value in input.items() {
            let Value::Tuple(tuple) = value else {
                continue;
            };
            let inner = self.frame_of(&tuple, frame)?;
            let value = self.evaluate(&step.node, &tuple.item, &inner)?;
            if !value.is_undefined() {
                let found = Sequence::from_value(value);
                for (index, item) in found.items().iter().enumerate() {
                    let next = next_tuple(step, &tuple, item, index);
                    self.push_tuple(&mut results, next)?;
                }
            }
        }
        self.tuple_stages(&step.stages, tuple_sequence(results), frame)
    }

    fn tuple_stages(
        &mut self,
        stages: &'a [Stage],
        mut tuples: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        for stage in stages {
            tuples = match stage {
                Stage::Filter(predicate) => self.filter(predicate, tuples, frame)?,
                Stage::Index(name) => self.number(tuples, *name)?,
            };
        }
        Ok(tuples)
    }

    /// Binds the position of each tuple.
    fn number(&mut self, tuples: Sequence<'a>, name: Symbol) -> Outcome<Sequence<'a>> {
        let mut numbered = Vec::new();
        for (index, value) in tuples.items().iter().enumerate() {
            if let Value::Tuple(tuple) = value {
                let mut tuple = Tuple::clone(&tuple);
                tuple.bind(name, Value::Number(index as f64));
                self.push_tuple(&mut numbered, tuple)?;
            }
        }
        Ok(Sequence::Whole(Value::array_of(kind_of(&tuples), numbered)))
    }
}

/// Returns a tuple for one of the items that a step gives for an earlier tuple.
fn next_tuple<'a>(step: &Step, from: &Tuple<'a>, item: Value<'a>, index: usize) -> Tuple<'a> {
    let mut tuple = from.clone();
    if let Value::Tuple(inner) = &item {
        tuple.item = inner.item.clone();
        for (name, value) in &inner.bindings {
            tuple.bind(*name, value.clone());
        }
        return tuple;
    }
    match step.focus {
        Some(name) => tuple.bind(name, item),
        None => tuple.item = item,
    }
    if let Some(name) = step.index {
        tuple.bind(name, Value::Number(index as f64));
    }
    for label in &step.ancestors {
        tuple.bind(*label, from.item.clone());
    }
    tuple
}

fn item_of(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Tuple(tuple) => tuple.item.clone(),
        value => value,
    }
}

fn tuple_sequence(tuples: Vec<Value<'_>>) -> Sequence<'_> {
    Sequence::Whole(Value::array_of(ArrayKind::Tuples, tuples))
}

fn kind_of(tuples: &Sequence<'_>) -> ArrayKind {
    if tuples.is_tuples() {
        ArrayKind::Tuples
    } else {
        ArrayKind::Plain
    }
}
