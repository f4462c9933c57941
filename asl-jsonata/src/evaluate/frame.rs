//! Frames: what names are bound to where an expression is evaluated.
use super::{Evaluation, Outcome};
use crate::syntax::Symbol;
use crate::value::{PendingValues, Tuple, Value, release};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// The bindings of a block, a call or a tuple, inside those of its surroundings; none around an expression that binds no name of its own. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Frame<'a>(Option<Rc<Level<'a>>>);

/// The bindings of one frame, without those around it.
pub(crate) struct Level<'a> {
    outer: Frame<'a>,
    bindings: RefCell<Bindings<'a>>,
    /// A function remembers it, so it may outlive its block, and refer to itself.
    captured: Cell<bool>,
}

/// Frames and bindings looked at for one step.
const PASSED_PER_STEP: usize = 8;

/// Maximum number of frames kept for reuse.
const MOST_SPARE: usize = 8;

/// Names and their values.
pub(crate) type Bindings<'a> = SmallVec<[(Symbol, Value<'a>); 2]>;

impl<'a> Frame<'a> {
    /// Returns a frame inside this one.
    pub(crate) fn inside(&self, bindings: Bindings<'a>) -> Self {
        Self(Some(Rc::new(Level {
            outer: self.clone(),
            bindings: RefCell::new(bindings),
            captured: Cell::new(false),
        })))
    }

    /// Binds a name in this very frame; the steps that it costs.
    pub(crate) fn bind(&self, name: Symbol, value: Value<'a>) -> usize {
        let Some(level) = &self.0 else {
            debug_assert!(
                false,
                "`Syntax::binds` has not said that this would be bound"
            );
            return 0;
        };
        let mut bindings = level.bindings.borrow_mut();
        let passed = bindings.len();
        match bindings.iter_mut().find(|(bound, _)| *bound == name) {
            Some(binding) => binding.1 = value,
            None => bindings.push((name, value)),
        }
        passed / PASSED_PER_STEP
    }

    /// Returns true if it or a frame around it binds a name.
    pub(super) fn binds(&self, name: Symbol) -> bool {
        self.get(name).0.is_some()
    }

    /// Returns the binding of a name in this frame or an outer one, and the number of steps of the search.
    pub(super) fn get(&self, name: Symbol) -> (Option<Value<'a>>, usize) {
        let mut next = self.0.as_deref();
        let mut passed = 0;
        while let Some(level) = next {
            let bindings = level.bindings.borrow();
            let found = bindings.iter().rev().find(|(bound, _)| *bound == name);
            if let Some((_, value)) = found {
                return (Some(value.clone()), passed / PASSED_PER_STEP);
            }
            passed += 1 + bindings.len();
            next = level.outer.0.as_deref();
        }
        (None, passed / PASSED_PER_STEP)
    }

    /// Gives up the values that only it and the frames that only it holds have.
    pub(crate) fn give(self, pending: &mut PendingValues<'a>) {
        let mut next = self.0;
        while let Some(mut level) = next.and_then(Rc::into_inner) {
            level.give_bindings(pending);
            next = level.outer.0.take();
        }
    }
}

impl<'a> Level<'a> {
    fn give_bindings(&self, pending: &mut PendingValues<'a>) {
        let bindings = std::mem::take(&mut *self.bindings.borrow_mut());
        pending.extend(bindings.into_iter().map(|(_, value)| value));
    }
}

impl Drop for Level<'_> {
    fn drop(&mut self) {
        if self.captured.get() {
            release(|pending| {
                self.give_bindings(pending);
                std::mem::take(&mut self.outer).give(pending);
            });
        }
    }
}

/// The frames of an evaluation that are more than bindings.
#[derive(Default)]
pub(super) struct Frames<'a> {
    /// Those that functions remember.
    captured: Vec<Weak<Level<'a>>>,
    /// Empty ones that nothing holds.
    spare: Vec<Rc<Level<'a>>>,
}

impl<'a> Frames<'a> {
    /// Empties the frames that functions remember, since a function that is bound in such a frame keeps it.
    pub(super) fn end(&mut self) {
        for level in std::mem::take(&mut self.captured) {
            if let Some(level) = level.upgrade() {
                release(|pending| level.give_bindings(pending));
            }
        }
    }

    #[cfg(test)]
    pub(super) fn captured(&self) -> Vec<Weak<Level<'a>>> {
        self.captured.clone()
    }

    /// Returns a frame inside another one.
    pub(super) fn enter(
        &mut self,
        outer: &Frame<'a>,
        bindings: impl Iterator<Item = (Symbol, Value<'a>)>,
    ) -> Frame<'a> {
        let Some(mut spare) = self.spare.pop() else {
            return outer.inside(bindings.collect());
        };
        let Some(level) = Rc::get_mut(&mut spare) else {
            return outer.inside(bindings.collect());
        };
        level.outer = outer.clone();
        let bound = level.bindings.get_mut();
        for binding in bindings {
            bound.push(binding);
        }
        Frame(Some(spare))
    }

    /// Returns the frame of a block: a new one if it may bind a name.
    pub(super) fn of_block(&mut self, outer: &Frame<'a>, binds: bool) -> Frame<'a> {
        if binds {
            self.enter(outer, std::iter::empty())
        } else {
            outer.clone()
        }
    }

    /// Releases a frame, and keeps it for reuse if nothing else refers to it.
    pub(super) fn leave(&mut self, frame: Frame<'a>) {
        let Some(mut spare) = frame.0 else {
            return;
        };
        if self.spare.len() < MOST_SPARE
            && let Some(level) = Rc::get_mut(&mut spare)
        {
            level.outer = Frame::default();
            level.bindings.get_mut().clear();
            self.spare.push(spare);
        }
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Returns the value of a name; undefined if it has none.
    pub(super) fn lookup(&mut self, name: Symbol, frame: &Frame<'a>) -> Outcome<Value<'a>> {
        match self.bound(name, frame)? {
            Some(value) => Ok(value),
            None => Ok(self.global(name).to_value()),
        }
    }

    /// Returns the binding of a name in the expression.
    pub(super) fn bound(&mut self, name: Symbol, frame: &Frame<'a>) -> Outcome<Option<Value<'a>>> {
        let (value, cost) = frame.get(name);
        self.charge_steps(cost)?;
        Ok(value)
    }

    /// Returns a frame with the bindings of a tuple.
    pub(super) fn frame_of(&mut self, tuple: &Tuple<'a>, outer: &Frame<'a>) -> Outcome<Frame<'a>> {
        self.charge_steps(tuple.bindings.len())?;
        Ok(self.frames.enter(outer, tuple.bindings.iter().cloned()))
    }

    /// Keeps an eye on the frames that a function remembers: they count as memory, and are emptied when the evaluation ends.
    pub(super) fn capture(&mut self, frame: &Frame<'a>) -> Outcome<()> {
        let mut next = &frame.0;
        while let Some(level) = next {
            if level.captured.replace(true) {
                break;
            }
            self.charge_memory(size_of::<Level<'a>>() + size_of::<usize>())?;
            self.frames.captured.push(Rc::downgrade(level));
            next = &level.outer.0;
        }
        Ok(())
    }
}
