//! Parts of a picture that a script finds: numbers of states, a line of its own for each piece of a way.
use super::diagram::Scope;
use super::layout::Piece;
use super::path::data;
use super::picture::Picture;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;

/// Data for a picture with ids.
pub(crate) struct Parts<'p> {
    /// Prefix of the ids.
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

/// Of each piece, its number.
type PieceNumbers = HashMap<(usize, usize), usize>;

impl Traces {
    /// Writes a line for each piece of the ways of a scope, once, and of which of them each edge is made.
    pub(crate) fn draw(
        &mut self,
        text: &mut String,
        picture: &Picture<'_>,
        parts: &Parts<'_>,
        arrows: &str,
    ) {
        let mut numbers = PieceNumbers::new();
        let mut numbered = Vec::new();
        for piece in pieces(picture) {
            if let Entry::Vacant(vacant) = numbers.entry(piece.ends) {
                vacant.insert(self.next);
                self.next += 1;
                numbered.push(piece);
            }
        }
        // All have their numbers first: a piece says which one follows it.
        for piece in numbered {
            draw_piece(text, piece, picture, &numbers, arrows);
        }
        for edge in 0..picture.layout.routes.len() {
            draw_edge(text, edge, picture, &numbers, parts);
        }
    }
}

/// Those of edges, and those that edges share, in an order that is always the same.
fn pieces<'p>(picture: &'p Picture<'_>) -> impl Iterator<Item = &'p Piece> {
    let mut shared: Vec<(&usize, &Piece)> = picture.layout.onward.iter().collect();
    shared.sort_by_key(|(vertex, _)| **vertex);
    let shared = shared.into_iter().map(|(_, piece)| piece);
    picture.layout.routes.iter().flatten().chain(shared)
}

fn draw_piece(
    text: &mut String,
    piece: &Piece,
    picture: &Picture<'_>,
    numbers: &PieceNumbers,
    arrows: &str,
) {
    let number = |piece: &Piece| numbers.get(&piece.ends).copied();
    let onward = picture.layout.onward.get(&piece.ends.1);
    let end = match onward.and_then(number) {
        Some(onward) => format!(" data-onward=\"{onward}\""),
        None if is_last(piece, picture) => format!(" marker-end=\"url(#{arrows}arrow-lit)\""),
        None => String::new(),
    };
    let (number, data) = (number(piece).unwrap_or_default(), data(&[piece]));
    let _ = writeln!(
        text,
        "<path class=\"trace\" data-trace=\"{number}\" d=\"{data}\"{end}/>"
    );
}

fn draw_edge(
    text: &mut String,
    edge: usize,
    picture: &Picture<'_>,
    numbers: &PieceNumbers,
    parts: &Parts<'_>,
) {
    let route = picture.layout.routes.get(edge).into_iter().flatten();
    let traces = route.filter_map(|piece| numbers.get(&piece.ends));
    let traces: Vec<String> = traces.map(ToString::to_string).collect();
    let (from, to, kind) = picture.ends(edge);
    let kind = kind.class();
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

/// Returns true if a piece comes to a box.
fn is_last(piece: &Piece, picture: &Picture<'_>) -> bool {
    piece.ends.1 < picture.layout.boxes.len()
}
