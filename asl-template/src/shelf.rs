//! Templates that are read while others are looked at.
use crate::node::Template;
use std::cell::{Cell, OnceCell};

/// Files that one template may name, and these, and so on.
const MOST: usize = 256;

/// Keeps templates as long as itself, so that one can contain parts of another.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    first: OnceCell<Box<Place>>,
    count: Cell<usize>,
}

#[derive(Debug)]
struct Place {
    template: Template,
    next: OnceCell<Box<Self>>,
}

impl Shelf {
    /// Keeps another one; None if there are too many.
    pub(crate) fn add(&self, template: Template) -> Option<&Template> {
        if self.count.get() >= MOST {
            return None;
        }
        self.count.set(self.count.get() + 1);
        let mut place = &self.first;
        while let Some(taken) = place.get() {
            place = &taken.next;
        }
        let kept = place.get_or_init(|| {
            Box::new(Place {
                template,
                next: OnceCell::new(),
            })
        });
        Some(&kept.template)
    }

    /// The templates that are kept.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Template> {
        let mut place = &self.first;
        std::iter::from_fn(move || {
            let taken = place.get()?;
            place = &taken.next;
            Some(&taken.template)
        })
    }
}
