//! Frames: what names are bound to where an expression is evaluated.
use super::{Evaluation, Outcome};
use crate::syntax::Symbol;
use crate::value::{Tuple, Value, release};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The bindings of a block, a call or a tuple, inside those of its surroundings.
pub(crate) struct Frame<'a> {
    outer: Option<Rc<Self>>,
    bindings: RefCell<Bindings<'a>>,
    /// A function remembers it, so it may outlive its block, and refer to itself.
    captured: Cell<bool>,
}

/// Frames and bindings looked at for one step.
const PASSED_PER_STEP: usize = 8;

/// Names and their values.
pub(crate) type Bindings<'a> = SmallVec<[(Symbol, Value<'a>); 2]>;

impl<'a> Frame<'a> {
    pub(crate) fn new(outer: Option<Rc<Self>>, bindings: Bindings<'a>) -> Rc<Self> {
        Rc::new(Self {
            outer,
            bindings: RefCell::new(bindings),
            captured: Cell::new(false),
        })
    }

    /// A frame inside this one.
    pub(crate) fn inside(self: &Rc<Self>, bindings: Bindings<'a>) -> Rc<Self> {
        Self::new(Some(Rc::clone(self)), bindings)
    }

    /// Binds a name in this very frame.
    pub(crate) fn bind(&self, name: Symbol, value: Value<'a>) {
        let mut bindings = self.bindings.borrow_mut();
        match bindings.iter_mut().find(|(bound, _)| *bound == name) {
            Some(binding) => binding.1 = value,
            None => bindings.push((name, value)),
        }
    }

    fn get(&self, name: Symbol) -> Option<Value<'a>> {
        let bindings = self.bindings.borrow();
        let found = bindings.iter().rev().find(|(bound, _)| *bound == name);
        found.map(|(_, value)| value.clone())
    }

    /// Gives up its bindings, and the frames that only it held.
    pub(crate) fn take_values(&mut self) -> Vec<Value<'a>> {
        let mut values = Vec::new();
        self.take_bindings(&mut values);
        let mut outer = self.outer.take();
        while let Some(mut frame) = outer.and_then(Rc::into_inner) {
            frame.take_bindings(&mut values);
            outer = frame.outer.take();
        }
        values
    }

    fn take_bindings(&self, values: &mut Vec<Value<'a>>) {
        let bindings = std::mem::take(&mut *self.bindings.borrow_mut());
        values.extend(bindings.into_iter().map(|(_, value)| value));
    }

    /// Lets go of what is bound, so that functions bound in frames that they remember do not keep each other forever.
    pub(super) fn clear(&self) {
        let mut values = Vec::new();
        self.take_bindings(&mut values);
        release(values);
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        if self.captured.get() {
            release(self.take_values());
        }
    }
}

impl<'a> Evaluation<'a, '_> {
    /// What a name is bound to; undefined where it is not.
    pub(super) fn lookup(&mut self, name: Symbol, frame: &Frame<'a>) -> Outcome<Value<'a>> {
        let mut next = Some(frame);
        let mut passed = 0;
        while let Some(frame) = next {
            if let Some(value) = frame.get(name) {
                self.charge_steps(passed / PASSED_PER_STEP)?;
                return Ok(value);
            }
            passed += 1 + frame.bindings.borrow().len();
            next = frame.outer.as_deref();
        }
        self.charge_steps(passed / PASSED_PER_STEP)?;
        Ok(self.global(name))
    }

    /// A frame with the bindings of a tuple.
    pub(super) fn frame_of(
        &mut self,
        tuple: &Tuple<'a>,
        outer: &Rc<Frame<'a>>,
    ) -> Outcome<Rc<Frame<'a>>> {
        self.charge_steps(tuple.bindings.len())?;
        Ok(outer.inside(tuple.bindings.clone()))
    }

    /// Keeps an eye on the frames that a function remembers: they count as memory, and are emptied when the evaluation ends.
    pub(super) fn capture(&mut self, frame: &Rc<Frame<'a>>) -> Outcome<()> {
        let mut next = Some(frame);
        while let Some(frame) = next {
            if frame.captured.replace(true) {
                break;
            }
            self.charge_memory(size_of::<Frame<'a>>() + size_of::<usize>())?;
            self.captured.push(Rc::downgrade(frame));
            next = frame.outer.as_ref();
        }
        Ok(())
    }
}
