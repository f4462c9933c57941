//! A service, its operations, and the shapes of their inputs and outputs.
use crate::member_name::{capitalized, step_functions_name};
use crate::protocol::{Binding, Interface, Traits};

/// An AWS service.
#[derive(Debug, Clone)]
pub struct Service {
    pub(crate) name: String,
    /// None if it was not requested.
    pub(crate) interface: Option<Interface>,
    pub(crate) operations: Vec<OperationData>,
    pub(crate) shapes: Vec<ShapeData>,
}

#[derive(Debug, Clone)]
pub(crate) struct OperationData {
    pub(crate) name: String,
    pub(crate) input: Option<usize>,
    pub(crate) output: Option<usize>,
    pub(crate) binding: Binding,
}

#[derive(Debug, Clone)]
pub(crate) struct ShapeData {
    pub(crate) kind: KindData,
    pub(crate) traits: Traits,
    pub(crate) values: Vec<String>,
    pub(crate) minimum: Option<i64>,
    pub(crate) maximum: Option<i64>,
}

#[derive(Debug, Clone)]
pub(crate) enum KindData {
    Structure(Vec<MemberData>),
    /// The element, and its traits.
    List(usize, Box<Traits>),
    /// The traits are those of key and value.
    Map {
        key: usize,
        value: usize,
        traits: Box<(Traits, Traits)>,
    },
    /// A shape without references.
    Plain(Kind<'static>),
}

#[derive(Debug, Clone)]
pub(crate) struct MemberData {
    pub(crate) name: String,
    pub(crate) shape: usize,
    pub(crate) traits: Traits,
    pub(crate) is_required: bool,
}

/// An operation of a service.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'s> {
    service: &'s Service,
    data: &'s OperationData,
}

/// The shape of a value of an API.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'s> {
    service: &'s Service,
    data: &'s ShapeData,
}

/// A member of a structure.
#[derive(Debug, Clone, Copy)]
pub struct Member<'s> {
    service: &'s Service,
    data: &'s MemberData,
}

/// The type of a shape. Shapes may contain themselves.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum Kind<'s> {
    /// An object with known members: [`Shape::members`].
    Structure,
    /// An array.
    List(Shape<'s>),
    /// An object with any names.
    Map {
        /// Type of the keys.
        key: Shape<'s>,
        /// Type of the values.
        value: Shape<'s>,
    },
    /// A string.
    String,
    /// A whole number of 32 bits.
    Integer,
    /// A whole number of 64 bits.
    Long,
    /// A number of 32 bits.
    Float,
    /// A number of 64 bits.
    Double,
    /// True or false.
    Boolean,
    /// Bytes.
    Blob,
    /// A timestamp.
    Timestamp,
    /// Any JSON.
    Document,
}

impl Service {
    /// Returns its name in `aws-sdk:` resources.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the common part of its requests. None unless it was read by
    /// [`Services::callable_service`](crate::Services::callable_service).
    pub fn interface(&self) -> Option<&Interface> {
        self.interface.as_ref()
    }

    /// Returns its operations, in the order of the API.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        self.operations.iter().map(|data| Operation {
            service: self,
            data,
        })
    }

    /// Returns the operation that an action names: `putEvents`, or `PutEvents` as the API has it.
    pub fn operation(&self, action: &str) -> Option<Operation<'_>> {
        let wanted = capitalized(action);
        self.operations()
            .find(|operation| operation.name() == wanted)
    }

    fn shape(&self, index: usize) -> Option<Shape<'_>> {
        self.shapes.get(index).map(|data| Shape {
            service: self,
            data,
        })
    }

    /// Shapes refer to shapes that are there: the decoder saw to that.
    fn referred(&self, index: usize) -> Shape<'_> {
        const ANY: &ShapeData = &ShapeData {
            kind: KindData::Plain(Kind::Document),
            traits: Traits::none(),
            values: Vec::new(),
            minimum: None,
            maximum: None,
        };
        self.shape(index).unwrap_or(Shape {
            service: self,
            data: ANY,
        })
    }
}

impl<'s> Operation<'s> {
    /// Returns its name in the API: `PutEvents`.
    pub fn name(self) -> &'s str {
        &self.data.name
    }

    /// Returns its request, of a service with an [`Interface`].
    pub fn binding(self) -> &'s Binding {
        &self.data.binding
    }

    /// Returns the input structure; None if there is no input.
    pub fn input(self) -> Option<Shape<'s>> {
        self.service.shape(self.data.input?)
    }

    /// Returns the output structure; None if there is no output.
    pub fn output(self) -> Option<Shape<'s>> {
        self.service.shape(self.data.output?)
    }
}

impl<'s> Shape<'s> {
    /// Returns its type.
    pub fn kind(self) -> Kind<'s> {
        match &self.data.kind {
            KindData::Structure(_) => Kind::Structure,
            KindData::List(member, _) => Kind::List(self.service.referred(*member)),
            KindData::Map { key, value, .. } => Kind::Map {
                key: self.service.referred(*key),
                value: self.service.referred(*value),
            },
            KindData::Plain(kind) => *kind,
        }
    }

    /// Returns the traits of all its values.
    pub fn traits(self) -> &'s Traits {
        &self.data.traits
    }

    /// Returns the traits of the elements of a list, or of the values of a map.
    pub fn element_traits(self) -> &'s Traits {
        match &self.data.kind {
            KindData::List(_, traits) => traits,
            KindData::Map { traits, .. } => &traits.1,
            _ => Traits::NONE,
        }
    }

    /// Returns the traits of the keys of a map.
    pub fn key_traits(self) -> &'s Traits {
        match &self.data.kind {
            KindData::Map { traits, .. } => &traits.0,
            _ => Traits::NONE,
        }
    }

    /// Returns the members of a structure.
    pub fn members(self) -> impl Iterator<Item = Member<'s>> {
        let members = match &self.data.kind {
            KindData::Structure(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(move |data| Member {
            service: self.service,
            data,
        })
    }

    /// The member of a structure that has this name in the API, or for a state.
    pub fn member(self, name: &str) -> Option<Member<'s>> {
        let named = |member: &Member<'s>| member.name() == name;
        let mut members = self.members();
        members.find(named).or_else(|| {
            self.members()
                .find(|member| member.step_functions_names().iter().any(|own| own == name))
        })
    }

    /// Returns the values of an enumeration; none of any other shape.
    pub fn values(self) -> &'s [String] {
        &self.data.values
    }

    /// Returns the least length of a text, of bytes, a list or a map, or the least number.
    pub fn minimum(self) -> Option<i64> {
        self.data.minimum
    }

    /// Returns the greatest length or number.
    pub fn maximum(self) -> Option<i64> {
        self.data.maximum
    }
}

impl<'s> Member<'s> {
    /// Returns its name in the API.
    pub fn name(self) -> &'s str {
        &self.data.name
    }

    /// Returns the names for a state: for optimized integrations, and for `aws-sdk:` ones, which differ in acronyms.
    pub fn step_functions_names(self) -> [String; 2] {
        [capitalized(self.name()), step_functions_name(self.name())]
    }

    /// Returns its traits.
    pub fn traits(self) -> &'s Traits {
        &self.data.traits
    }

    /// Returns true if the member is required.
    pub fn is_required(self) -> bool {
        self.data.is_required
    }

    /// Returns the shape of the member.
    pub fn shape(self) -> Shape<'s> {
        self.service.referred(self.data.shape)
    }
}
