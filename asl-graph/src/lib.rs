#![doc = include_str!("../README.md")]

mod diagram;
mod dot;
pub mod labels;
mod layout;
mod mermaid;
mod overlay;
mod path;
mod picture;
mod svg;
mod traces;
mod typography;

pub use overlay::{EdgeKind, Overlay, Visit};

use asl_model::StateMachine;
use diagram::Scope;

/// A definition as a Mermaid flowchart.
///
/// The stack in use grows with the scopes that are nested in each other, which `asl_model::Options::max_nesting` limits;
/// so it does for [`dot()`], [`svg()`] and [`interactive_svg()`].
pub fn mermaid(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    mermaid::draw(&Scope::from_states(&machine.states), overlay)
}

/// A definition in the DOT language of Graphviz.
pub fn dot(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    dot::draw(&Scope::from_states(&machine.states), overlay)
}

/// A definition as a picture, laid out here: one `<svg>` with its own style, to be stored as a file or put in a page.
pub fn svg(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    svg::draw(&Scope::from_states(&machine.states), overlay, None)
}

/// A picture whose parts a script of the page around it can find, to light them up one by one.
///
/// States have `data-state`, their number from 0 in the order of the text, a state before those within it. Above the lines of
/// all edges lie others, of the class `trace`, that are not shown until a script gives them the class `lit`; `g.edge` has
/// `data-from` and `data-to`, numbers of states, empty for Start and End, `data-kind`, `next` or `catch`, and
/// `data-traces`, numbers of the elements `data-trace` that are its line; after the last of them it goes on by `data-onward`.
///
/// Several such pictures fit in one page where each has a `prefix` of its own, which its `id`s begin with: letters alone.
///
/// ```
/// use asl_graph::{Overlay, interactive_svg};
/// use asl_model::{Options, parse};
///
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}"#;
/// let (machine, _) = parse(text, Options::default())?;
/// let picture = interactive_svg(&machine, &Overlay::new(), "first");
/// assert!(picture.contains("data-state=\"0\"") && picture.contains("id=\"first-arrow-next\""));
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
pub fn interactive_svg(machine: &StateMachine, overlay: &Overlay, prefix: &str) -> String {
    let scope = Scope::from_states(&machine.states);
    let names = traces::Numbers::from_scope(&scope);
    let parts = traces::Parts { prefix, names };
    svg::draw(&scope, Some(overlay), Some(&parts))
}
