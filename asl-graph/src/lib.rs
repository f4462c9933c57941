#![doc = include_str!("../README.md")]

mod diagram;
mod dot;
pub mod labels;
mod layout;
mod lenient;
mod mermaid;
mod outline;
mod overlay;
mod page;
mod path;
mod picture;
#[cfg(feature = "png")]
mod png;
mod svg;
mod traces;
mod trial;
mod typed;
mod typography;

pub use outline::Outline;
pub use overlay::{EdgeKind, Overlay, Visit};
#[cfg(feature = "png")]
pub use png::PngError;

use asl_model::StateMachine;

/// Returns a definition as a Mermaid flowchart; see [`Outline::mermaid`].
pub fn mermaid(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    Outline::from_machine(machine).mermaid(overlay)
}

/// Returns a definition in the DOT language of Graphviz; see [`Outline::dot`].
pub fn dot(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    Outline::from_machine(machine).dot(overlay)
}

/// Returns a definition as a picture; see [`Outline::svg`].
pub fn svg(machine: &StateMachine, overlay: Option<&Overlay>) -> String {
    Outline::from_machine(machine).svg(overlay)
}

/// Returns a picture whose parts a script of the page around it can find, to light them up one by one.
///
/// States have `data-state`, their number from 0 in the order of the text, a state before those within it. Above the lines of
/// all edges lie others, of the class `trace`, that are not shown until a script gives them the class `lit`; `g.edge` has
/// `data-from` and `data-to`, numbers of states, empty for Start and End, `data-kind`, `next` or `catch`, and
/// `data-traces`, numbers of the elements `data-trace` that are its line; after the last of them it continues by `data-onward`.
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
    Outline::from_machine(machine).interactive_svg(Some(overlay), prefix)
}
