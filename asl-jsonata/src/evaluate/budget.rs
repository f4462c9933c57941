//! Resources of an evaluation, counted in advance, so that the same evaluation always ends in the same way.
use super::{Evaluation, Outcome, failure};
use crate::value::{Text, Value};
use crate::{EvaluationError, Limits};
use std::sync::atomic::Ordering;

/// The remaining budget.
pub(super) struct Budget {
    limits: Limits,
    steps: u64,
    /// Steps for later, if the evaluation can be cancelled: the flag is read before each piece of them is used.
    reserve: u64,
    memory: usize,
    depth: usize,
    data_depth: usize,
    /// Calls within calls: functions that call functions nest without a node between them.
    calls: usize,
}

/// A level looks at the stack, and grows it where little is left.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 2 << 20;

/// Number of levels that always fit into the rest of the stack; a thousand fit into the larger stack.
const SHALLOW: usize = 50;
const DEEP_STACK: usize = 2 << 20;

/// Steps between two reads of the flag that cancels an evaluation.
const PIECE: u64 = 1 << 16;

/// Bytes of text that cost a step.
const TEXT_PER_STEP: usize = 64;

impl Budget {
    pub(super) fn new(limits: Limits, can_be_cancelled: bool) -> Self {
        let (steps, reserve) = match can_be_cancelled {
            true => (0, limits.max_steps),
            false => (limits.max_steps, 0),
        };
        Self {
            limits,
            steps,
            reserve,
            memory: limits.max_memory,
            depth: 0,
            data_depth: 0,
            calls: 0,
        }
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Steps paid for so far.
    pub(super) fn steps_used(&self) -> u64 {
        self.budget.limits.max_steps - self.budget.steps - self.budget.reserve
    }

    /// Pays for nodes evaluated or items touched.
    pub(crate) fn charge_steps(&mut self, count: usize) -> Outcome<()> {
        match self.budget.steps.checked_sub(count as u64) {
            Some(left) => {
                self.budget.steps = left;
                Ok(())
            }
            None => self.charge_reserve(count as u64),
        }
    }

    /// Pays with the next piece of the reserve.
    #[cold]
    fn charge_reserve(&mut self, count: u64) -> Outcome<()> {
        if self.budget.reserve == 0 {
            return Err(self.out_of_steps());
        }
        let is_cancelled = self.host.cancelled.map(|it| it.load(Ordering::Relaxed));
        if is_cancelled == Some(true) {
            let message = "The evaluation was cancelled";
            return Err(failure(EvaluationError::CANCELLED, message));
        }
        let budget = &mut self.budget;
        let piece = PIECE.max(count).min(budget.reserve);
        budget.reserve -= piece;
        budget.steps += piece;
        match budget.steps.checked_sub(count) {
            Some(left) => {
                budget.steps = left;
                Ok(())
            }
            None => Err(self.out_of_steps()),
        }
    }

    /// Pays for bytes that are about to be taken.
    pub(crate) fn charge_memory(&mut self, bytes: usize) -> Outcome<()> {
        match self.budget.memory.checked_sub(bytes) {
            Some(left) => {
                self.budget.memory = left;
                Ok(())
            }
            None => Err(self.out_of_memory()),
        }
    }

    /// Pays for items that are about to be put into an array.
    pub(crate) fn charge_items(&mut self, count: usize) -> Outcome<()> {
        self.charge_memory(count.saturating_mul(size_of::<Value<'a>>()))?;
        self.charge_steps(count)
    }

    /// Pays for fields that are about to be put into an object.
    pub(crate) fn charge_fields(&mut self, count: usize) -> Outcome<()> {
        self.charge_memory(count.saturating_mul(2 * size_of::<(Text<'a>, Value<'a>)>()))?;
        self.charge_steps(count)
    }

    /// Pays for reading text.
    pub(crate) fn charge_scan(&mut self, bytes: usize) -> Outcome<()> {
        self.charge_steps(bytes / TEXT_PER_STEP + 1)
    }

    /// Pays for text that is about to be made.
    pub(crate) fn charge_text(&mut self, bytes: usize) -> Outcome<()> {
        self.charge_memory(bytes)?;
        self.charge_scan(bytes)
    }

    /// Fails if a created value is too large. Existing values may have any size.
    pub(super) fn check_size(&mut self, value: &Value<'a>) -> Outcome<()> {
        let limits = self.budget.limits;
        let fits = match value {
            Value::Array(array) => array.items().len() <= limits.max_array_items,
            // Counted only if it could be too long: a unit of UTF-16 takes from 1 to 3 bytes.
            Value::Text(text) if text.len() > limits.max_text_characters => {
                self.charge_scan(text.len())?;
                text.encode_utf16().count() <= limits.max_text_characters
            }
            _ => true,
        };
        if fits { Ok(()) } else { Err(self.too_large()) }
    }

    /// Fails where `$range` would make too many items.
    pub(crate) fn check_range(&mut self, count: usize) -> Outcome<()> {
        let most = self.budget.limits.max_range_items;
        if count <= most {
            return Ok(());
        }
        Err(failure(
            EvaluationError::TOO_LARGE,
            format!("the range is too large: more than {most} items"),
        ))
    }

    /// Begins inside of so many levels.
    pub(super) fn start_at(&mut self, levels: usize) {
        self.budget.depth = levels;
    }

    /// Fails where an evaluation may not nest `levels` deeper.
    pub(super) fn check_depth(&mut self, levels: usize) -> Outcome<()> {
        if self.budget.depth.saturating_add(levels) > self.budget.limits.max_depth {
            return Err(self.too_deep());
        }
        Ok(())
    }

    /// Evaluates something one level deeper, on a stack that has room for it.
    pub(super) fn nested<T>(&mut self, action: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.check_depth(1)?;
        self.budget.depth += 1;
        let outcome = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || action(self));
        self.budget.depth -= 1;
        outcome
    }

    /// Fails where no call may nest in those that are running.
    pub(super) fn check_calls(&mut self) -> Outcome<()> {
        if self.budget.calls >= self.budget.limits.max_depth {
            return Err(self.too_deep());
        }
        Ok(())
    }

    /// Calls a function within the call of another, on a stack that has room for it.
    pub(super) fn within_call<T>(
        &mut self,
        action: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        self.check_calls()?;
        self.budget.calls += 1;
        let outcome = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || action(self));
        self.budget.calls -= 1;
        outcome
    }

    /// Walks one level deeper into a value, on a stack that has room for it.
    pub(crate) fn within<T>(&mut self, action: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.budget.data_depth >= self.budget.limits.max_data_depth {
            return Err(self.too_deep_data());
        }
        self.budget.data_depth += 1;
        let outcome = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || action(self));
        self.budget.data_depth -= 1;
        outcome
    }

    /// Does what recurses so many levels deep without looking at the stack.
    pub(crate) fn on_stack_for<T>(levels: usize, action: impl FnOnce() -> T) -> T {
        if levels <= SHALLOW {
            return action();
        }
        stacker::maybe_grow(DEEP_STACK, 2 * DEEP_STACK, action)
    }

    #[cold]
    fn out_of_steps(&mut self) -> Box<EvaluationError> {
        (self.budget.steps, self.budget.reserve) = (0, 0);
        let limit = self.budget.limits.max_steps;
        failure(
            EvaluationError::TOO_LONG,
            format!(
                "Expression evaluation takes too long: more than {limit} steps. Check for infinite loop"
            ),
        )
    }

    #[cold]
    fn out_of_memory(&mut self) -> Box<EvaluationError> {
        let limit = self.budget.limits.max_memory;
        failure(
            EvaluationError::TOO_LARGE,
            format!("Expression evaluation makes too much data: more than {limit} bytes"),
        )
    }

    #[cold]
    fn too_large(&mut self) -> Box<EvaluationError> {
        let Limits {
            max_array_items,
            max_text_characters,
            ..
        } = self.budget.limits;
        failure(
            EvaluationError::TOO_LARGE,
            format!(
                "One value is too large: more than {max_array_items} items or {max_text_characters} characters"
            ),
        )
    }

    #[cold]
    fn too_deep_data(&mut self) -> Box<EvaluationError> {
        let limit = self.budget.limits.max_data_depth;
        failure(
            EvaluationError::TOO_DEEP,
            format!("The data nests too deep: more than {limit} levels"),
        )
    }

    #[cold]
    fn too_deep(&mut self) -> Box<EvaluationError> {
        let limit = self.budget.limits.max_depth;
        failure(
            EvaluationError::TOO_DEEP,
            format!(
                "Expression evaluation nests too deep: more than {limit} levels. Check for non-terminating recursive function.  Consider rewriting as tail-recursive"
            ),
        )
    }
}
