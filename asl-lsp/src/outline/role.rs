//! Roles of the parts of a definition, by their location.
use asl_model::{FieldOwner, FieldRole, StateType};

/// The role of a value in its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is in no definition.
    Outside,
    /// An object whose fields the language knows.
    Owner(Owner),
    /// The list of an owner's objects: "Branches", "Choices", "Retry", "Catch", "And" …
    List(Owner),
    /// "States".
    States,
    /// "StartAt", "Next", "Default": the name of a state.
    Target,
    /// "ErrorEquals".
    ErrorNames,
    ErrorName,
    /// "Assign".
    Assign,
    /// Data with paths or expressions in it.
    Template,
    /// Data that nothing is looked for in.
    Data,
    /// Any other field.
    Field,
}

/// An object whose fields the language knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A state, whose type is another field.
    State,
    /// Any other object.
    Other(FieldOwner),
}

impl Owner {
    /// Returns the owner in the model; None for a state.
    pub(crate) fn in_model(self) -> Option<FieldOwner> {
        match self {
            Self::State => None,
            Self::Other(owner) => Some(owner),
        }
    }

    /// Returns true if it holds states.
    pub(crate) fn is_scope(self) -> bool {
        self.in_model().is_some_and(FieldOwner::is_scope)
    }

    /// Returns the role of a field in the grammar; the type of a state does not matter.
    fn role_of(self, field: &str) -> Option<FieldRole> {
        let any_state = FieldOwner::State(StateType::Pass);
        self.in_model().unwrap_or(any_state).role(field)
    }
}

impl Role {
    /// Returns the role of what a value with this role holds under a name, or as an element.
    pub(crate) fn of_child(self, name: &str) -> Self {
        match self {
            Self::Outside => Self::Outside,
            Self::Owner(owner) => of_field(owner, name),
            Self::List(owner) => Self::Owner(owner),
            Self::States => Self::Owner(Owner::State),
            Self::ErrorNames => Self::ErrorName,
            Self::Assign | Self::Template => Self::Template,
            Self::Target | Self::ErrorName | Self::Data | Self::Field => Self::Data,
        }
    }
}

fn of_field(owner: Owner, name: &str) -> Role {
    match owner.role_of(name) {
        Some(FieldRole::Object(owner)) => Role::Owner(Owner::Other(owner)),
        Some(FieldRole::List(owner)) => Role::List(Owner::Other(owner)),
        Some(FieldRole::States) => Role::States,
        Some(FieldRole::Target) => Role::Target,
        Some(FieldRole::ErrorNames) => Role::ErrorNames,
        Some(FieldRole::Variables) => Role::Assign,
        Some(FieldRole::Template) => Role::Template,
        Some(FieldRole::Data) => Role::Data,
        Some(FieldRole::Value) | None => Role::Field,
    }
}
