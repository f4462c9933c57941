//! Shapes of objects.
use super::shape::Shape;
use std::sync::Arc;

/// Fields that are distinguished; what has more may have any.
const MOST_FIELDS: usize = 64;

/// The objects among the values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::flow) struct Object {
    /// Shapes of possible fields, by name.
    pub(super) fields: Vec<(Arc<str>, Shape)>,
    /// True if it may have other fields, of any shape.
    open: bool,
}

impl Object {
    /// With any fields.
    pub(super) fn any() -> Self {
        Self {
            fields: Vec::new(),
            open: true,
        }
    }

    /// With these fields and no other.
    pub(in crate::flow) fn of(fields: impl IntoIterator<Item = (Arc<str>, Shape)>) -> Self {
        let mut object = Self::default();
        for (name, shape) in fields {
            object.set(&name, shape);
        }
        object
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.fields
            .binary_search_by(|(known, _)| (**known).cmp(name))
    }

    pub(in crate::flow) fn get(&self, name: &str) -> Shape {
        let found = self.position(name).ok().and_then(|at| self.fields.get(at));
        match found {
            Some((_, shape)) => shape.clone(),
            None if self.open => Shape::Anything,
            None => Shape::Nothing,
        }
    }

    /// A name with a placeholder in it may become any.
    pub(in crate::flow) fn set(&mut self, name: &Arc<str>, shape: Shape) {
        if name.contains("${") {
            self.open = true;
            self.forget();
        }
        let is_told = !(self.open && matches!(shape, Shape::Anything));
        match self.position(name) {
            Ok(at) if is_told => {
                if let Some((_, old)) = self.fields.get_mut(at) {
                    *old = shape;
                }
            }
            Ok(at) => drop(self.fields.remove(at)),
            Err(_) if !is_told => {}
            Err(at) if self.fields.len() < MOST_FIELDS => {
                self.fields.insert(at, (Arc::clone(name), shape));
            }
            Err(_) => self.open = true,
        }
    }

    /// Of what may have any field, those are not distinguished that are anything.
    pub(super) fn forget(&mut self) {
        let open = self.open;
        let is_told = |(_, shape): &(Arc<str>, Shape)| !(open && matches!(shape, Shape::Anything));
        self.fields.retain(is_told);
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        let mut joined = Self {
            fields: Vec::new(),
            open: self.open || other.open,
        };
        let names = self.fields.iter().chain(&other.fields);
        for (name, _) in names {
            if joined.position(name).is_err() {
                joined.set(name, self.get(name).join(&other.get(name)));
            }
        }
        joined
    }
}
