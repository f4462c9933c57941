//! Roles of the parts of a definition, by their location.
use asl_model::FieldOwner;

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
    Machine,
    State,
    Branch,
    Processor,
    ProcessorConfig,
    Retrier,
    Catcher,
    Rule,
    NestedRule,
    ItemReader,
    ReaderConfig,
    ItemBatcher,
    ResultWriter,
    WriterConfig,
}

impl Owner {
    /// The same in the words of the model, but for states, whose type counts.
    pub(crate) fn in_model(self) -> Option<FieldOwner> {
        Some(match self {
            Self::State => return None,
            Self::Machine => FieldOwner::Machine,
            Self::Branch => FieldOwner::Branch,
            Self::Processor => FieldOwner::ItemProcessor,
            Self::ProcessorConfig => FieldOwner::ProcessorConfig,
            Self::Retrier => FieldOwner::Retrier,
            Self::Catcher => FieldOwner::Catcher,
            Self::Rule => FieldOwner::ChoiceRule,
            Self::NestedRule => FieldOwner::NestedRule,
            Self::ItemReader => FieldOwner::ItemReader,
            Self::ReaderConfig => FieldOwner::ReaderConfig,
            Self::ItemBatcher => FieldOwner::ItemBatcher,
            Self::ResultWriter => FieldOwner::ResultWriter,
            Self::WriterConfig => FieldOwner::WriterConfig,
        })
    }

    /// Returns true if it holds states.
    pub(crate) fn is_scope(self) -> bool {
        matches!(self, Self::Machine | Self::Branch | Self::Processor)
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
    match (owner, name) {
        (Owner::Machine | Owner::Branch | Owner::Processor, "States") => Role::States,
        (Owner::Machine | Owner::Branch | Owner::Processor, "StartAt") => Role::Target,
        (Owner::State | Owner::Rule | Owner::Catcher, "Next") => Role::Target,
        (Owner::State, "Default") => Role::Target,
        (Owner::State, "Branches") => Role::List(Owner::Branch),
        (Owner::State, "ItemProcessor" | "Iterator") => Role::Owner(Owner::Processor),
        (Owner::State, "Choices") => Role::List(Owner::Rule),
        (Owner::State, "Retry") => Role::List(Owner::Retrier),
        (Owner::State, "Catch") => Role::List(Owner::Catcher),
        (Owner::State, "ItemReader") => Role::Owner(Owner::ItemReader),
        (Owner::State, "ItemBatcher") => Role::Owner(Owner::ItemBatcher),
        (Owner::State, "ResultWriter") => Role::Owner(Owner::ResultWriter),
        (Owner::Processor, "ProcessorConfig") => Role::Owner(Owner::ProcessorConfig),
        (Owner::ItemReader, "ReaderConfig") => Role::Owner(Owner::ReaderConfig),
        (Owner::ResultWriter, "WriterConfig") => Role::Owner(Owner::WriterConfig),
        (Owner::Rule | Owner::NestedRule, "And" | "Or") => Role::List(Owner::NestedRule),
        (Owner::Rule | Owner::NestedRule, "Not") => Role::Owner(Owner::NestedRule),
        (Owner::Retrier | Owner::Catcher, "ErrorEquals") => Role::ErrorNames,
        (_, "Assign") => Role::Assign,
        (
            _,
            "Parameters" | "Arguments" | "ResultSelector" | "Output" | "ItemSelector" | "Items"
            | "BatchInput" | "Credentials",
        ) => Role::Template,
        (_, "Result") => Role::Data,
        _ => Role::Field,
    }
}
