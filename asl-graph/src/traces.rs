//! Parts of a picture that a script finds: numbers of states, a line of its own for each piece of a way.
use super::EdgeKind;
use super::diagram::Scope;
use super::layout::Piece;
use super::picture::Picture;
use super::svg::data;
use std::collections::HashMap;
use std::fmt::Write;

/// What a picture with such parts is written with.
pub(crate) struct Parts<'p> {
    /// What its `id`s begin with.
    pub(crate) prefix: &'p str,
    pub(crate) names: Numbers<'p>,
}

/// Numbers of states, in the order of the text, a state before those within it.
#[derive(Default)]
pub(crate) struct Numbers<'d>(HashMap<&'d str, usize>);

impl<'d> Numbers<'d> {
    pub(crate) fn from_scope(scope: &'d Scope) -> Self {
        let mut numbers = Self::default();
        let mut open = vec![scope.nodes.iter()];
        while let Some(nodes) = open.last_mut() {
            match nodes.next() {
                Some(node) => {
                    let next = numbers.0.len();
                    numbers.0.entry(&node.name).or_insert(next);
                    open.extend(node.scopes.iter().rev().map(|scope| scope.nodes.iter()));
                }
                None => {
                    open.pop();
                }
            }
        }
        numbers
    }

    pub(crate) fn of(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}

/// The lines of one picture after the other.
#[derive(Default)]
pub(crate) struct Traces {
    next: usize,
}

impl Traces {
    /// Writes a line for each piece of the ways of a scope, once, and of which of them each edge is made.
    pub(crate) fn draw(
        &mut self,
        text: &mut String,
        picture: &Picture<'_>,
        parts: &Parts<'_>,
        arrows: &str,
    ) {
        let layout = &picture.layout;
        let mut shared: Vec<(&usize, &Piece)> = layout.onward.iter().collect();
        shared.sort_by_key(|(vertex, _)| **vertex);
        let shared = shared.into_iter().map(|(_, piece)| piece);
        let pieces: Vec<&Piece> = layout.routes.iter().flatten().chain(shared).collect();
        let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
        for piece in &pieces {
            let next = self.next + numbers.len();
            numbers.entry(piece.ends).or_insert(next);
        }
        let mut first = self.next;
        self.next += numbers.len();
        for piece in pieces {
            let Some(number) = numbers.get(&piece.ends).filter(|number| **number == first) else {
                continue;
            };
            first += 1;
            let onward = layout.onward.get(&piece.ends.1);
            let end = match onward.and_then(|onward| numbers.get(&onward.ends)) {
                Some(onward) => format!(" data-onward=\"{onward}\""),
                None if onward.is_none() && is_last(piece, picture) => {
                    format!(" marker-end=\"url(#{arrows}arrow-lit)\"")
                }
                None => String::new(),
            };
            let data = data(&[piece]);
            let _ = writeln!(
                text,
                "<path class=\"trace\" data-trace=\"{number}\" d=\"{data}\"{end}/>"
            );
        }
        for (edge, route) in layout.routes.iter().enumerate() {
            let traces = route.iter().filter_map(|piece| numbers.get(&piece.ends));
            let traces: Vec<String> = traces.map(ToString::to_string).collect();
            let (from, to, kind) = ends(picture, edge);
            let number = |name: Option<&str>| match name.and_then(|name| parts.names.of(name)) {
                Some(number) => number.to_string(),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "<g class=\"edge\" data-from=\"{}\" data-to=\"{}\" data-kind=\"{kind}\" data-traces=\"{}\"/>",
                number(from),
                number(to),
                traces.join(" ")
            );
        }
    }
}

/// Whether a piece comes to a box.
fn is_last(piece: &Piece, picture: &Picture<'_>) -> bool {
    piece.ends.1 < picture.layout.boxes.len()
}

/// The states that an edge of the layout leads from and to; none are Start and End.
fn ends<'d>(
    picture: &Picture<'d>,
    edge: usize,
) -> (Option<&'d str>, Option<&'d str>, &'static str) {
    let name = |index: usize| picture.scope.nodes.get(index).map(|node| &*node.name);
    if let Some(known) = picture.scope.edges.get(edge) {
        let kind = match known.kind {
            EdgeKind::Next => "next",
            EdgeKind::Catch => "catch",
        };
        return (name(known.from), name(known.to), kind);
    }
    let number = edge - picture.scope.edges.len();
    let state = picture.terminal_edges.get(number).and_then(|it| name(*it));
    match picture.start.is_some() && number == 0 {
        true => (None, state, "next"),
        false => (state, None, "next"),
    }
}
