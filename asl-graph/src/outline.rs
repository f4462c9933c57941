//! The content of a graph.
use super::diagram::Scope;
use super::{Overlay, dot, lenient, mermaid, page, svg, traces};
use asl_model::{Diagnostics, StateMachine};
use serde_json::Value;

/// The states of a definition and the ways between them, accepted or not, ready to be drawn.
///
/// The stack in use grows with the scopes that are nested in each other, which `asl_model::Options::max_nesting` limits; of a
/// definition that is refused, a hundred are drawn.
///
/// ```
/// use asl_graph::Outline;
/// use asl_model::{Options, parse_value};
/// use serde_json::json;
///
/// let definition = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}});
/// let faults = parse_value(&definition, Options::default()).unwrap_err();
/// let outline = Outline::of_refused(&definition, &faults).unwrap();
/// assert!(outline.mermaid(None).contains("s1[\"B<br/><small>no such state</small>\"]:::missing"));
/// ```
#[derive(Debug)]
pub struct Outline(Scope);

impl Outline {
    /// Creates the outline of a valid definition.
    pub fn from_machine(machine: &StateMachine) -> Self {
        Self(Scope::from_states(&machine.states))
    }

    /// Creates an outline of an invalid definition, with its problems marked, and with missing states that others target.
    /// None if it has no states.
    pub fn of_refused(definition: &Value, faults: &Diagnostics) -> Option<Self> {
        lenient::outline(definition, faults).map(Self)
    }

    /// Draws a Mermaid flowchart.
    pub fn mermaid(&self, overlay: Option<&Overlay>) -> String {
        mermaid::draw(&self.0, overlay)
    }

    /// Draws a graph in the DOT language of Graphviz.
    pub fn dot(&self, overlay: Option<&Overlay>) -> String {
        dot::draw(&self.0, overlay)
    }

    /// Draws a picture: one `<svg>` element with its own style, for a file or a page.
    pub fn svg(&self, overlay: Option<&Overlay>) -> String {
        svg::draw(&self.0, overlay, None)
    }

    /// As a PNG of twice the picture's size, in the colours of a light page; a picture that is too large for viewers is made smaller.
    /// It is drawn with a font of its own, which has Latin, Greek and Cyrillic letters.
    ///
    /// # Errors
    /// Returns an error if the picture cannot be drawn.
    #[cfg(feature = "png")]
    pub fn png(&self, overlay: Option<&Overlay>) -> Result<Vec<u8>, crate::PngError> {
        crate::png::draw(&self.svg(overlay))
    }

    /// Draws a self-contained page: the picture, with moving, zooming and searching, and the details of each state. The page
    /// loads nothing from the network. `definition` is the JSON of the outline.
    ///
    /// ```
    /// use asl_graph::Outline;
    /// use asl_model::{Options, parse_value};
    /// use serde_json::json;
    ///
    /// let definition = json!({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}});
    /// let (machine, _) = parse_value(&definition, Options::default())?;
    /// let page = Outline::from_machine(&machine).html(&definition, "order.asl.json", None);
    /// assert!(page.starts_with("<!doctype html>") && page.contains("<title>order.asl.json</title>"));
    /// # Ok::<(), asl_model::Diagnostics>(())
    /// ```
    pub fn html(&self, definition: &Value, title: &str, overlay: Option<&Overlay>) -> String {
        page::draw(&self.0, definition, title, overlay)
    }

    /// Draws a picture whose parts scripts can find; see [`interactive_svg`](crate::interactive_svg).
    pub fn interactive_svg(&self, overlay: Option<&Overlay>, prefix: &str) -> String {
        let names = traces::Numbers::from_scope(&self.0);
        let parts = traces::Parts { prefix, names };
        svg::draw(&self.0, overlay, Some(&parts))
    }
}
