//! A diagram with sizes and places: scopes within states within scopes.
use super::EdgeKind;
use super::diagram::{Node, Scope};
use super::layout::{EdgeInput, Layout, Point, Size, layout};
use super::typography::{BOLD, width, wrap};

/// Size of names.
pub(crate) const NAME_SIZE: f64 = 13.0;
/// Size of details and labels.
pub(crate) const DETAIL_SIZE: f64 = 11.0;
/// From line to line.
pub(crate) const NAME_LINE: f64 = 17.0;
/// From line to line.
pub(crate) const DETAIL_LINE: f64 = 14.0;
/// Side of the icon's tile.
pub(crate) const TILE: f64 = 26.0;
/// Padding between a card's edge and its content.
pub(crate) const PADDING: f64 = 10.0;
/// Around what a state holds.
pub(crate) const INSET: f64 = 16.0;
/// Between what a label says and the line it interrupts.
pub(crate) const LABEL_PADDING: f64 = 4.0;

const WIDEST_NAME: f64 = 210.0;
const WIDEST_LABEL: f64 = 170.0;
const MOST_LABEL_LINES: usize = 4;
/// Start and End.
pub(crate) const TERMINAL: Size = Size {
    width: 56.0,
    height: 24.0,
};

/// A scope with places.
#[derive(Debug)]
pub(crate) struct Picture<'d> {
    pub(crate) scope: &'d Scope,
    pub(crate) cards: Vec<Card<'d>>,
    /// Lines of each edge's label.
    pub(crate) labels: Vec<Vec<String>>,
    pub(crate) layout: Layout,
    /// Indexes of the boxes of Start and End, if they are shown.
    pub(crate) start: Option<usize>,
    pub(crate) end: Option<usize>,
    /// Edges of the layout that are not of the scope: from Start and to End, by the state.
    pub(crate) terminal_edges: Vec<usize>,
}

/// A state with its size.
#[derive(Debug)]
pub(crate) struct Card<'d> {
    pub(crate) node: &'d Node,
    pub(crate) name: Vec<String>,
    pub(crate) detail: Vec<String>,
    pub(crate) size: Size,
    /// Height of the part with name and detail.
    pub(crate) header: f64,
    /// Nested pictures with their positions.
    pub(crate) pictures: Vec<(Point, Picture<'d>)>,
}

impl<'d> Picture<'d> {
    /// Lays out a scope and all within; Start and End are shown of the outermost one.
    pub(crate) fn new(scope: &'d Scope, outermost: bool) -> Self {
        let cards: Vec<Card<'d>> = scope.nodes.iter().map(Card::new).collect();
        let mut boxes: Vec<Size> = cards.iter().map(|card| card.size).collect();
        let labels: Vec<Vec<String>> = scope
            .edges
            .iter()
            .map(|edge| label_lines(&edge.labels))
            .collect();
        let mut edges: Vec<EdgeInput> = scope
            .edges
            .iter()
            .zip(&labels)
            .map(|(edge, lines)| EdgeInput {
                from: edge.from,
                to: edge.to,
                label: label_size(lines),
                is_exception: edge.kind == EdgeKind::Catch,
            })
            .collect();
        let (mut start, mut end) = (None, None);
        let mut terminal_edges = Vec::new();
        if outermost {
            let plain = |from, to| EdgeInput {
                from,
                to,
                label: None,
                is_exception: false,
            };
            if let Some(first) = scope.start {
                start = Some(boxes.len());
                edges.push(plain(boxes.len(), first));
                terminal_edges.push(first);
                boxes.push(TERMINAL);
            }
            if scope.nodes.iter().any(|node| node.ends) {
                end = Some(boxes.len());
                for (index, _) in scope.nodes.iter().enumerate().filter(|(_, node)| node.ends) {
                    edges.push(plain(index, boxes.len()));
                    terminal_edges.push(index);
                }
                boxes.push(TERMINAL);
            }
        }
        let layout = layout(&boxes, &edges, start.or(scope.start).unwrap_or(0));
        Self {
            scope,
            cards,
            labels,
            layout,
            start,
            end,
            terminal_edges,
        }
    }

    /// Returns true if there is no state where an edge of the layout leads to.
    pub(crate) fn leads_nowhere(&self, edge: usize) -> bool {
        let scope = self.scope;
        let to = match (scope.edges.get(edge), scope.start) {
            (Some(known), _) => Some(known.to),
            (None, start) if self.start.is_some() && edge == scope.edges.len() => start,
            _ => None,
        };
        to.is_some_and(|to| scope.is_missing(to))
    }

    /// Returns the states that an edge of the layout leads from and to, and why; none are Start and End.
    pub(crate) fn ends(&self, edge: usize) -> (Option<&'d str>, Option<&'d str>, EdgeKind) {
        let scope = self.scope;
        let name = |index: usize| scope.nodes.get(index).map(|node| &*node.name);
        if let Some(known) = scope.edges.get(edge) {
            return (name(known.from), name(known.to), known.kind);
        }
        let number = edge - scope.edges.len();
        let state = self.terminal_edges.get(number).and_then(|it| name(*it));
        match self.start.is_some() && number == 0 {
            true => (None, state, EdgeKind::Next),
            false => (state, None, EdgeKind::Next),
        }
    }
}

impl<'d> Card<'d> {
    fn new(node: &'d Node) -> Self {
        let name = wrap(&node.name, NAME_SIZE * BOLD, WIDEST_NAME, 3);
        let detail = match node.detail.is_empty() {
            true => Vec::new(),
            false => wrap(&node.detail, DETAIL_SIZE, WIDEST_NAME, 2),
        };
        let widest_name = name.iter().map(|line| width(line, NAME_SIZE * BOLD));
        let widest_detail = detail.iter().map(|line| width(line, DETAIL_SIZE));
        let text = widest_name.chain(widest_detail).fold(0.0, f64::max);
        let retry = if node.retries { 18.0 } else { 0.0 };
        let lines = name.len() as f64 * NAME_LINE + detail.len() as f64 * DETAIL_LINE;
        let header = lines.max(TILE) + 2.0 * PADDING;
        let mut card = Self {
            node,
            name,
            detail,
            size: Size {
                width: (PADDING + TILE + PADDING + text + retry + PADDING + 2.0).max(112.0),
                height: header,
            },
            header,
            pictures: Vec::new(),
        };
        card.place_scopes(&node.scopes);
        card
    }

    /// Places the nested scopes side by side below the header.
    fn place_scopes(&mut self, scopes: &'d [Scope]) {
        if scopes.is_empty() {
            return;
        }
        let pictures: Vec<Picture<'d>> = scopes
            .iter()
            .map(|scope| Picture::new(scope, false))
            .collect();
        let inner = |picture: &Picture<'_>| picture.layout.size.width + 2.0 * INSET;
        let gaps = (pictures.len() + 1) as f64 * INSET;
        let total: f64 = pictures.iter().map(inner).sum::<f64>() + gaps;
        let tallest = pictures
            .iter()
            .map(|picture| picture.layout.size.height)
            .fold(0.0, f64::max);
        let mut x = INSET + (self.size.width - total).max(0.0) / 2.0;
        self.size.width = self.size.width.max(total);
        self.size.height = self.header + tallest + 3.0 * INSET;
        for picture in pictures {
            let step = inner(&picture) + INSET;
            self.pictures.push((
                Point {
                    x: x + INSET,
                    y: self.header + INSET,
                },
                picture,
            ));
            x += step;
        }
    }
}

/// Returns each condition on its own line, long ones broken.
fn label_lines(labels: &[String]) -> Vec<String> {
    let most = if labels.len() > 1 { 1 } else { 3 };
    let mut lines: Vec<String> = labels
        .iter()
        .take(MOST_LABEL_LINES)
        .flat_map(|label| wrap(label, DETAIL_SIZE, WIDEST_LABEL, most))
        .collect();
    if labels.len() > MOST_LABEL_LINES {
        lines.push(format!("and {} more", labels.len() - MOST_LABEL_LINES));
    }
    lines
}

fn label_size(lines: &[String]) -> Option<Size> {
    if lines.is_empty() {
        return None;
    }
    let widest = lines
        .iter()
        .map(|line| width(line, DETAIL_SIZE))
        .fold(0.0, f64::max);
    Some(Size {
        width: widest + 2.0 * LABEL_PADDING,
        height: lines.len() as f64 * DETAIL_LINE + LABEL_PADDING,
    })
}
