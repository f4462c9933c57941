#![doc = include_str!("../README.md")]

mod diagram;
mod dot;
pub mod labels;
mod layout;
mod mermaid;
mod overlay;
mod picture;
mod svg;
mod typography;

pub use overlay::{EdgeKind, Overlay, Visit};

use asl_model::StateMachine;
use diagram::Scope;

/// A definition as a Mermaid flowchart.
///
/// The stack in use grows with the scopes that are nested in each other, which `asl_model::Options::max_nesting` limits;
/// so it does for [`dot()`] and [`svg()`].
pub fn mermaid(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    mermaid::draw(&Scope::from_states(&machine.states), overlay)
}

/// A definition in the DOT language of Graphviz.
pub fn dot(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    dot::draw(&Scope::from_states(&machine.states), overlay)
}

/// A definition as a picture, laid out here: one `<svg>` with its own style, to be stored as a file or put in a page.
pub fn svg(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    svg::draw(&Scope::from_states(&machine.states), overlay)
}
