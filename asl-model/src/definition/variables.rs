//! Assigning state machine variables (2024 specification, State Machine Variables).
use crate::TemplateNode;

/// "Assign": the variables that get a value, in the order of the text.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Assign {
    /// Variables; each name occurs once.
    pub variables: Vec<Assignment>,
}

/// A variable and its new value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assignment {
    /// The variable's name, without `$` and without the suffix `.$`.
    pub name: String,
    /// Value of the variable: a template in the state's query language.
    pub value: TemplateNode,
}
