//! Possible data: a superset of the actual data.
use super::object::Object;
use asl_path::Step;
use serde_json::Value;
use std::sync::Arc;

/// Maximum number of shapes in one shape; in larger ones, everything below the top is any value.
const MOST_SHAPES: usize = 256;
/// Maximum nesting of shapes.
const DEEPEST: usize = 8;

/// The values that there may be at a place.
#[derive(Debug, Clone)]
pub(in crate::flow) enum Shape {
    /// None at all: nothing gets here.
    Nothing,
    /// Any.
    Anything,
    /// Some: never all or none.
    Some(Arc<Kinds>),
}

/// Values by their kinds.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::flow) struct Kinds {
    /// A null, a boolean, a number or a string.
    scalar: bool,
    /// Shape of array elements; no value for empty arrays.
    array: Option<Shape>,
    object: Option<Object>,
    /// Shapes within it, and how deep they nest.
    size: usize,
    depth: usize,
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) | (Self::Anything, Self::Anything) => true,
            (Self::Some(left), Self::Some(right)) => Arc::ptr_eq(left, right) || left == right,
            _ => false,
        }
    }
}

impl Shape {
    /// A null, a boolean, a number or a string.
    pub(in crate::flow) fn scalar() -> Self {
        Self::new(true, None, None)
    }

    pub(in crate::flow) fn array_of(element: Self) -> Self {
        Self::new(false, Some(element), None)
    }

    pub(in crate::flow) fn object(object: Object) -> Self {
        Self::new(false, None, Some(object))
    }

    fn new(scalar: bool, array: Option<Self>, object: Option<Object>) -> Self {
        let mut kinds = Kinds {
            scalar,
            array,
            object,
            size: 1,
            depth: 1,
        };
        kinds.measure();
        if kinds.size > MOST_SHAPES || kinds.depth > DEEPEST {
            kinds.flatten();
            kinds.measure();
        }
        match kinds {
            Kinds {
                scalar: false,
                array: None,
                object: None,
                ..
            } => Self::Nothing,
            kinds => Self::Some(Arc::new(kinds)),
        }
    }

    /// Returns the shape of a literal value. A placeholder in it can become anything.
    pub(in crate::flow) fn of_value(value: &Value) -> Self {
        Self::of_value_within(value, DEEPEST)
    }

    fn of_value_within(value: &Value, depth: usize) -> Self {
        let Some(below) = depth.checked_sub(1) else {
            return Self::Anything;
        };
        match value {
            Value::String(text) if text.contains("${") => Self::Anything,
            Value::Object(fields) => {
                Self::object(Object::of(fields.iter().map(|(name, value)| {
                    (
                        Arc::from(name.as_str()),
                        Self::of_value_within(value, below),
                    )
                })))
            }
            Value::Array(elements) => {
                let elements = elements
                    .iter()
                    .map(|value| Self::of_value_within(value, below));
                Self::array_of(elements.fold(Self::Nothing, |all, one| all.join(&one)))
            }
            _ => Self::scalar(),
        }
    }

    pub(in crate::flow) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    fn kinds(&self) -> Option<&Kinds> {
        match self {
            Self::Some(kinds) => Some(kinds),
            Self::Nothing | Self::Anything => None,
        }
    }

    /// True if there may be an array, and whether there may be an object.
    pub(in crate::flow) fn may_be_array_or_object(&self) -> (bool, bool) {
        match self {
            Self::Nothing => (false, false),
            Self::Anything => (true, true),
            Self::Some(kinds) => (kinds.array.is_some(), kinds.object.is_some()),
        }
    }

    /// The elements of the arrays.
    pub(in crate::flow) fn elements(&self) -> Self {
        match self {
            Self::Some(kinds) => kinds.array.clone().unwrap_or(Self::Nothing),
            other => other.clone(),
        }
    }

    /// The objects alone: None if they could be any.
    pub(in crate::flow) fn objects(&self) -> Option<Object> {
        self.kinds()
            .map(|kinds| kinds.object.clone().unwrap_or_default())
    }

    /// Returns the shape after a step of a path. An index past the end of an array may select null.
    pub(in crate::flow) fn step(&self, step: &Step) -> Self {
        match (self, step) {
            (Self::Nothing, _) => Self::Nothing,
            (Self::Anything, _) => Self::Anything,
            (Self::Some(kinds), Step::Field(name)) => kinds
                .object
                .as_ref()
                .map_or(Self::Nothing, |object| object.get(name)),
            (Self::Some(kinds), Step::Index(_)) => match &kinds.array {
                None => Self::Nothing,
                Some(Self::Nothing) => Self::Anything,
                Some(element) => element.join(&Self::scalar()),
            },
        }
    }

    /// Returns the shape after a name in JSONata, which maps over the elements of an array.
    pub(in crate::flow) fn name(&self, name: &str) -> Self {
        let Some(kinds) = self.kinds() else {
            return self.clone();
        };
        let of_object = kinds.object.as_ref().map(|object| object.get(name));
        let of_elements = kinds.array.as_ref().map(|element| element.name(name));
        match of_elements {
            // One of them or several.
            Some(Self::Some(_) | Self::Anything) => Self::Anything,
            Some(Self::Nothing) | None => of_object.unwrap_or(Self::Nothing),
        }
    }

    /// Returns the shape after writing a value at a Reference Path.
    pub(in crate::flow) fn written(&self, steps: &[Step], value: &Self) -> Self {
        let Some((step, rest)) = steps.split_first() else {
            return value.clone();
        };
        let (Step::Field(name), false) = (step, value.is_nothing()) else {
            return match value.is_nothing() {
                true => Self::Nothing,
                false => Self::Anything,
            };
        };
        if steps.len() > DEEPEST {
            return Self::Anything;
        }
        let mut object = match self {
            Self::Nothing => return Self::Nothing,
            Self::Anything => Object::any(),
            Self::Some(kinds) => match &kinds.object {
                Some(object) => object.clone(),
                None => return Self::Anything,
            },
        };
        let there = object.get(name);
        let written = match rest.is_empty() {
            true => value.clone(),
            // Objects are made on the way where there are none.
            false => {
                let made = Self::object(Object::default()).written(rest, value);
                made.join(&there.written(rest, value))
            }
        };
        object.set(&Arc::from(name.as_str()), written);
        Self::object(object)
    }

    /// All values of both.
    pub(in crate::flow) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Anything, _) | (_, Self::Anything) => Self::Anything,
            (Self::Nothing, shape) | (shape, Self::Nothing) => shape.clone(),
            (Self::Some(left), Self::Some(right)) if Arc::ptr_eq(left, right) => self.clone(),
            (Self::Some(left), Self::Some(right)) => {
                let joined = left.join(right);
                match joined == *self {
                    true => self.clone(),
                    false => joined,
                }
            }
        }
    }

    /// The join, without what changes: so that it grows few times.
    pub(in crate::flow) fn widened(&self, other: &Self) -> Self {
        let (Some(old), Some(new)) = (self.kinds(), other.kinds()) else {
            return self.join(other);
        };
        let element = match (&old.array, &new.array) {
            (Some(old), Some(new)) if old.join(new) != *old => Some(Self::Anything),
            (Some(element), _) | (None, Some(element)) => Some(element.clone()),
            (None, None) => None,
        };
        let object = match (&old.object, &new.object) {
            (Some(old), Some(new)) => {
                let mut joined = old.join(new);
                for (name, shape) in &mut joined.fields {
                    if old.get(name) != *shape {
                        *shape = Self::Anything;
                    }
                }
                joined.forget();
                Some(joined)
            }
            (Some(object), None) | (None, Some(object)) => Some(object.clone()),
            (None, None) => None,
        };
        Self::new(old.scalar || new.scalar, element, object)
    }

    /// The names that objects have.
    pub(in crate::flow) fn names(&self) -> impl Iterator<Item = &str> {
        let objects = self
            .kinds()
            .and_then(|kinds| kinds.object.as_ref())
            .into_iter();
        objects.flat_map(|object| object.fields.iter().map(|(name, _)| &**name))
    }

    /// Describes the shape in words: the fields of an object, or another kind.
    pub(in crate::flow) fn described(&self) -> String {
        const NAMES: usize = 6;
        let Some(kinds) = self.kinds() else {
            return "nothing".to_owned();
        };
        let object = kinds.object.as_ref().map(|object| {
            let names = object.fields.iter().take(NAMES);
            let names: Vec<String> = names.map(|(name, _)| format!("'{name}'")).collect();
            match object.fields.len().saturating_sub(NAMES) {
                0 if names.is_empty() => "an empty object".to_owned(),
                0 => format!("an object of {}", names.join(", ")),
                more => format!("an object of {} and {more} more", names.join(", ")),
            }
        });
        let array = kinds.array.as_ref().map(|_| "an array".to_owned());
        let scalar = kinds
            .scalar
            .then(|| "a string, number, boolean or null".to_owned());
        let kinds: Vec<String> = [object, array, scalar].into_iter().flatten().collect();
        kinds.join(", or ")
    }
}

impl Kinds {
    fn join(&self, other: &Self) -> Shape {
        let array = match (&self.array, &other.array) {
            (Some(left), Some(right)) => Some(left.join(right)),
            (left, right) => left.as_ref().or(right.as_ref()).cloned(),
        };
        let object = match (&self.object, &other.object) {
            (Some(left), Some(right)) => Some(left.join(right)),
            (left, right) => left.as_ref().or(right.as_ref()).cloned(),
        };
        Shape::new(self.scalar || other.scalar, array, object)
    }

    fn measure(&mut self) {
        let fields = self.object.iter().flat_map(|object| &object.fields);
        let within = fields.map(|(_, shape)| shape).chain(&self.array);
        let (mut size, mut depth) = (1, 1);
        for shape in within {
            let (its_size, its_depth) = shape.kinds().map_or((1, 0), |it| (it.size, it.depth));
            size += its_size;
            depth = depth.max(1 + its_depth);
        }
        (self.size, self.depth) = (size, depth);
    }

    /// Discards everything below the top.
    fn flatten(&mut self) {
        let is_deep = |shape: &Shape| shape.kinds().is_some_and(|it| it.size > 1);
        let fields = self.object.iter_mut().flat_map(|object| &mut object.fields);
        for shape in fields.map(|(_, shape)| shape).chain(&mut self.array) {
            if is_deep(shape) {
                *shape = Shape::Anything;
            }
        }
        if let Some(object) = &mut self.object {
            object.forget();
        }
    }
}
