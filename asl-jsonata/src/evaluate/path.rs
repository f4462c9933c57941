//! Location paths.
use super::sequence::{Collector, Sequence};
use super::{Evaluation, Frame, Outcome};
use crate::syntax::{Node, NodeKind, Path, Stage, Step};
use crate::value::{Items, Value, View};
use serde_json::Value as Json;
use std::rc::Rc;

impl<'a> Evaluation<'a, '_> {
    /// The value of a path that is a lone name over an object of the data, found without more ado.
    pub(super) fn only_field(path: &'a Path, input: &Value<'a>) -> Option<Value<'a>> {
        let ([step], Value::Json(Json::Object(fields))) = (&*path.steps, input) else {
            return None;
        };
        match &step.node.kind {
            NodeKind::Name(name)
                if is_plain(step) && path.group.is_none() && !path.keep_singleton =>
            {
                Some(fields.get(&**name).map_or(Value::Undefined, Value::Json))
            }
            _ => None,
        }
    }

    /// Evaluates a path: each step over all the items that the one before gave.
    pub(super) fn path(
        &mut self,
        path: &'a Path,
        keep_array: bool,
        input: &Value<'a>,
        frame: &Rc<Frame<'a>>,
    ) -> Outcome<Value<'a>> {
        let keep = path.keep_singleton || keep_array;
        let mut sequence = start(path, input);
        let mut steps = path.steps.iter();
        if let Some(first) = steps.as_slice().first()
            && is_constructed(&first.node)
        {
            steps.next();
            let array = self.evaluate(&first.node, &sequence.to_context(), frame)?;
            // What it binds is lost, as in the reference.
            if first.focus.is_none() {
                sequence = self.constructed(array, steps.as_slice().is_empty())?;
            }
            if first.tuple && !steps.as_slice().is_empty() {
                return self.tuple_path(path, steps.as_slice(), keep, sequence, frame);
            }
        }
        let mut done = steps.len() < path.steps.len() && sequence.is_empty();
        while let (false, Some(step)) = (done, steps.next()) {
            if step.tuple {
                let rest = path.steps.get(path.steps.len() - steps.len() - 1..);
                return self.tuple_path(path, rest.unwrap_or_default(), keep, sequence, frame);
            }
            sequence = self.step(step, sequence, steps.as_slice().is_empty(), frame)?;
            done = sequence.is_empty();
        }
        if path.keep_singleton {
            sequence = sequence.with_array_kept();
        }
        match &path.group {
            Some(group) => self.group(&group.pairs, group.position, &sequence, frame),
            None => Ok(sequence.into_value(keep)),
        }
    }

    /// What an array constructor at the start of a path gives the next step. Predicates may have made something else of the array, of which the reference
    /// takes what has a length: the characters of a text.
    fn constructed(&mut self, value: Value<'a>, last: bool) -> Outcome<Sequence<'a>> {
        match value.view() {
            View::Array(_) => Ok(Sequence::Whole(value)),
            View::Text(text) if !last => {
                self.charge_items(text.len())?;
                let mut characters = Vec::new();
                for character in text.chars() {
                    characters.push(Value::text(character.to_string()));
                }
                Ok(Sequence::Many(characters))
            }
            View::Undefined => Ok(Sequence::EMPTY),
            _ if last => Ok(Sequence::One(value)),
            _ => Ok(Sequence::EMPTY),
        }
    }

    fn step(
        &mut self,
        step: &'a Step,
        input: Sequence<'a>,
        last: bool,
        frame: &Rc<Frame<'a>>,
    ) -> Outcome<Sequence<'a>> {
        if let NodeKind::Sort(terms) = &step.node.kind {
            let sorted = self.sort(terms, step.node.position, input, frame)?;
            return self.filters(&step.stages, sorted, frame);
        }
        let mut results = Collector::Empty;
        match &step.node.kind {
            NodeKind::Name(name) if is_plain(step) => {
                self.fields(input.items(), name, &mut results)?;
            }
            _ => {
                for item in input.items() {
                    let value = self.evaluate(&step.node, &item, frame)?;
                    if step.stages.is_empty() {
                        results.push(self, value)?;
                    } else {
                        let left = self.filters(&step.stages, Sequence::of(value), frame)?;
                        results.push_sequence(self, left)?;
                    }
                }
            }
        }
        Ok(results.finish(last))
    }

    /// The field of each item.
    fn fields(
        &mut self,
        items: Items<'_, 'a>,
        name: &str,
        results: &mut Collector<'a>,
    ) -> Outcome<()> {
        self.charge_steps(items.len())?;
        for item in items {
            let value = match &item {
                Value::Json(Json::Object(fields)) => match fields.get(name) {
                    Some(value) => Value::Json(value),
                    None => continue,
                },
                _ => {
                    let value = self.field(&item, name)?;
                    self.normalized(value, false)?
                }
            };
            results.push(self, value)?;
        }
        Ok(())
    }

    pub(super) fn filters(
        &mut self,
        stages: &'a [Stage],
        mut sequence: Sequence<'a>,
        frame: &Rc<Frame<'a>>,
    ) -> Outcome<Sequence<'a>> {
        for stage in stages {
            if let Stage::Filter(predicate) = stage {
                sequence = self.filter(predicate, sequence, frame)?;
            }
        }
        Ok(sequence)
    }
}

/// What the first step is evaluated over: an array is its items, but a path that begins with a variable has one context.
fn start<'a>(path: &Path, input: &Value<'a>) -> Sequence<'a> {
    let first = path.steps.first().map(|step| &step.node.kind);
    match first {
        Some(NodeKind::Variable(_) | NodeKind::Context | NodeKind::Root) => {
            Sequence::One(input.clone())
        }
        _ => Sequence::of(input.clone()),
    }
}

/// Whether a step does no more than take a field.
fn is_plain(step: &Step) -> bool {
    step.stages.is_empty() && !step.tuple && !step.node.keep_array && step.node.postfix.is_none()
}

/// Whether a first step is evaluated once over the whole context.
fn is_constructed(node: &Node) -> bool {
    match node.kind {
        NodeKind::Array { constructed, .. } | NodeKind::Block { constructed, .. } => constructed,
        _ => false,
    }
}
