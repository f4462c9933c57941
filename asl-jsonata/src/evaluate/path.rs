//! Location paths.
use super::sequence::{Collector, Sequence};
use super::{Evaluation, Frame, Outcome, normalized, unwrapped};
use crate::syntax::{Node, NodeKind, Origin, Path, Stage, Step, Symbol};
use crate::value::{Items, Value, View};
use asl_path::field;
use serde_json::Value as Json;

impl<'a> Evaluation<'a, '_> {
    /// Returns the value of a path that consists of names, without copying; None if the names lead through arrays, or to a
    /// value that the evaluation created. It costs as much as taking the steps one after another, except for a single name.
    pub(super) fn walk(
        &mut self,
        origin: Origin,
        steps: &'a [Step],
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Option<Value<'a>>> {
        if origin == Origin::Name {
            let Some((value, passed)) = walked(input, steps) else {
                return Ok(None);
            };
            if steps.len() > 1 {
                self.charge_steps(passed)?;
            }
            return Ok(Some(value));
        }
        // The first step is evaluated one level inside of the path.
        self.check_depth(2)?;
        let (start, cost, taken) = self.start(origin, input, frame);
        let Some((value, passed)) = walked(&start, steps.get(taken..).unwrap_or_default()) else {
            return Ok(None);
        };
        self.charge_steps(cost + passed)?;
        Ok(Some(value))
    }

    /// Returns the start of a path that consists of names, the cost, and the number of its steps.
    fn start(
        &mut self,
        origin: Origin,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> (Value<'a>, usize, usize) {
        let name = match origin {
            Origin::Name | Origin::Context => return (unwrapped(input), 1, 1),
            Origin::Variable(name) => name,
            Origin::States(_) => Symbol::STATES,
        };
        let (bound, cost) = frame.get(name);
        let cost = 1 + cost;
        if let Some(value) = bound {
            return (value, cost, 1);
        }
        if let Origin::States(field) = origin
            && let Some(value) = self.states_field(field)
        {
            return (value, cost + 1, 2);
        }
        (self.global(name).to_value(), cost, 1)
    }

    /// Evaluates a path: each step    /// Evaluates a path: each step over all the items that the one before gave.
    pub(super) fn path(
        &mut self,
        path: &'a Path,
        keep_array: bool,
        input: &Value<'a>,
        frame: &Frame<'a>,
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

    /// Returns the items of an array constructor at the start of a path for the next step. Predicates may have replaced the
    /// array: the reference then uses anything with a length, such as the characters of a string.
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
        frame: &Frame<'a>,
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
                        let left =
                            self.filters(&step.stages, Sequence::from_value(value), frame)?;
                        results.push_sequence(self, left)?;
                    }
                }
            }
        }
        Ok(results.finish(last))
    }

    /// Returns the field of each item.
    fn fields(
        &mut self,
        items: Items<'_, 'a>,
        name: &str,
        results: &mut Collector<'a>,
    ) -> Outcome<()> {
        self.charge_steps(items.len())?;
        match items {
            Items::Json(items) => {
                for item in items {
                    self.push_field(&Value::Json(item), name, results)?;
                }
            }
            Items::Made(items) => {
                for item in items {
                    self.push_field(item, name, results)?;
                }
            }
        }
        Ok(())
    }

    fn push_field(
        &mut self,
        item: &Value<'a>,
        name: &str,
        results: &mut Collector<'a>,
    ) -> Outcome<()> {
        if let Value::Json(Json::Object(fields)) = item {
            return match field(fields, name) {
                Some(value) => results.push_json(self, value),
                None => Ok(()),
            };
        }
        let value = self.field(item, name)?;
        results.push(self, normalized(value, false))
    }

    pub(super) fn filters(
        &mut self,
        stages: &'a [Stage],
        mut sequence: Sequence<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Sequence<'a>> {
        for stage in stages {
            if let Stage::Filter(predicate) = stage {
                sequence = self.filter(predicate, sequence, frame)?;
            }
        }
        Ok(sequence)
    }
}

/// The field that a lone name is of an object of the data.
pub(super) fn only_field<'a>(path: &'a Path, input: &Value<'a>) -> Option<Value<'a>> {
    let ([step], Some(Origin::Name), Value::Json(Json::Object(fields))) =
        (&*path.steps, path.origin, input)
    else {
        return None;
    };
    Some(field(fields, step.name()?).map_or(Value::Undefined, Value::Json))
}

/// Returns the value at names, and the number of names; None if they lead through arrays, or to a value that the evaluation
/// created.
pub(super) fn walked<'a>(from: &Value<'a>, steps: &'a [Step]) -> Option<(Value<'a>, usize)> {
    let mut at = from;
    let mut steps = steps.iter();
    let mut passed = 0;
    loop {
        match at {
            Value::Undefined => return Some((Value::Undefined, passed)),
            Value::Json(json) => {
                let (value, more) = walked_in_json(json, steps)?;
                return Some((value.map_or(Value::Undefined, Value::Json), passed + more));
            }
            Value::Array(_) | Value::Tuple(_) => return None,
            _ => {}
        }
        let Some(step) = steps.next() else {
            return Some((at.clone(), passed));
        };
        passed += 1;
        let found = match at {
            Value::Object(fields) => fields.get(step.name()?),
            _ => None,
        };
        match found {
            Some(value) => at = value,
            None => return Some((Value::Undefined, passed)),
        }
    }
}

fn walked_in_json<'a>(
    mut at: &'a Json,
    steps: std::slice::Iter<'a, Step>,
) -> Option<(Option<&'a Json>, usize)> {
    let count = steps.len();
    for (before, step) in steps.enumerate() {
        let found = match at {
            Json::Object(fields) => field(fields, step.name()?),
            Json::Array(_) => return None,
            _ => None,
        };
        match found {
            Some(value) => at = value,
            None => return Some((None, before + 1)),
        }
    }
    Some((Some(at), count))
}

/// Returns the context of the first step: an array is a sequence of its items, but a path that starts with a variable has
/// one context.
fn start<'a>(path: &Path, input: &Value<'a>) -> Sequence<'a> {
    let first = path.steps.first().map(|step| &step.node.kind);
    match first {
        Some(NodeKind::Variable(_) | NodeKind::Context | NodeKind::Root) => {
            Sequence::One(input.clone())
        }
        _ => Sequence::from_value(input.clone()),
    }
}

/// Returns true if a step does no more than take a field.
fn is_plain(step: &Step) -> bool {
    step.stages.is_empty() && !step.tuple && !step.node.keep_array && step.node.postfix.is_none()
}

/// Returns true if a first step is evaluated once over the whole context.
fn is_constructed(node: &Node) -> bool {
    match node.kind {
        NodeKind::Array { constructed, .. } | NodeKind::Block { constructed, .. } => constructed,
        _ => false,
    }
}
