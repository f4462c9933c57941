//! Data shared by all parts of one evaluation.
use super::budget::Budget;
use super::selection::View;
use super::{Selection, select};
use crate::ast::Segments;
use crate::{EvaluationLimits, QueryError};
use serde_json::Value;
use std::cell::OnceCell;

/// The document and the values of the paths from `$` in filters, each computed once however many nodes are looked at.
pub(crate) struct Context<'d> {
    document: &'d Value,
    pub(super) budget: Budget,
    values: Vec<OnceCell<Option<Selection<'d>>>>,
}

impl<'d> Context<'d> {
    /// For an evaluation whose filters have `slots` paths from `$`.
    pub(crate) fn new(document: &'d Value, slots: usize, limits: EvaluationLimits) -> Self {
        Self {
            document,
            budget: Budget::new(limits),
            values: std::iter::repeat_with(OnceCell::new).take(slots).collect(),
        }
    }

    /// Steps taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.budget.steps_used()
    }

    pub(super) fn document(&self) -> &'d Value {
        self.document
    }

    /// Returns the value of a path from `$`, if it has one.
    pub(super) fn document_value(
        &self,
        slot: usize,
        segments: &Segments,
    ) -> Result<Option<View<'_>>, QueryError> {
        let Some(cell) = self.values.get(slot) else {
            return Ok(None);
        };
        if let Some(known) = cell.get() {
            return Ok(known.as_ref().map(Selection::view));
        }
        let found = present(select(segments, self.document, self))?;
        Ok(cell.get_or_init(|| found).as_ref().map(Selection::view))
    }
}

/// Takes a path that leads nowhere for undefined; other faults stay.
pub(super) fn present<T>(result: Result<T, QueryError>) -> Result<Option<T>, QueryError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Segment;
    use serde_json::json;

    /// However many nodes a filter looks at, a path from `$` costs once.
    #[test]
    fn a_path_from_the_document_is_followed_once() {
        let document = json!({"a": [1, 2]});
        let context = Context::new(&document, 1, EvaluationLimits::default());
        let segments = Segments::new(vec![Segment::Scan, Segment::Wildcard]);
        let View::Array(first) = context.document_value(0, &segments).unwrap().unwrap() else {
            panic!("no array")
        };
        let View::Array(second) = context.document_value(0, &segments).unwrap().unwrap() else {
            panic!("no array")
        };
        let values: Vec<&Value> = first.iter().map(|value| &**value).collect();
        assert_eq!(values, [&json!([1, 2]), &json!(1), &json!(2)]);
        assert!(
            std::ptr::eq(first, second),
            "the same values, not ones found again"
        );
    }
}
