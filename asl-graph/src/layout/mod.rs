//! Places boxes in layers and leads curves between them (after Sugiyama, Tagawa and Toda, 1981).
//!
//! 1. `layers`: edges that close a loop are set aside; every box comes below all that lead to it.
//! 2. `vertices`: edges get a bend in each layer they cross and a vertex for their label, so that both have room.
//!    Long edges of one kind to one box share their bends: they join into one line.
//! 3. `order`: each layer is sorted so that few edges cross.
//! 4. `place`: coordinates that keep long edges straight and boxes over what they lead to.
//! 5. `lanes`: lines that run next to all boxes come as near as they can.
//! 6. `route`: curves through the bends; loops leave below and come in from above, around the side.

mod lanes;
mod layers;
mod order;
mod place;
mod route;
mod vertices;

pub(crate) use route::{Command, Piece};
pub(crate) use vertices::EdgeInput;

use std::collections::HashMap;

/// Width and height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A place; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// Positions of all parts.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) size: Size,
    /// Top left corner of each box.
    pub(crate) boxes: Vec<Point>,
    /// Centre of each edge's label.
    pub(crate) labels: Vec<Option<Point>>,
    /// Pieces of each edge, from its source to its target or to the edge that it joins.
    pub(crate) routes: Vec<Vec<Piece>>,
    /// The piece that follows where edges run together, by the vertex it begins at.
    pub(crate) onward: HashMap<usize, Piece>,
}

impl Layout {
    /// Returns all pieces of an edge's way to its target.
    pub(crate) fn whole_route(&self, edge: usize) -> Vec<&Piece> {
        let mut pieces: Vec<&Piece> = self.routes[edge].iter().collect();
        while let Some(next) = pieces.last().and_then(|last| self.onward.get(&last.ends.1)) {
            pieces.push(next);
        }
        pieces
    }
}

/// Lays out one scope; the first box is where the reader begins.
pub(crate) fn layout(boxes: &[Size], edges: &[EdgeInput], first: usize) -> Layout {
    let layers = layers::assign(boxes.len(), edges, first);
    let mut graph = vertices::Graph::new(boxes, edges, &layers);
    order::order(&mut graph);
    let places = place::place(&graph);
    route::route(&graph, &places, boxes, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 100.0,
        height: 40.0,
    };

    fn edge(from: usize, to: usize) -> EdgeInput {
        EdgeInput {
            from,
            to,
            label: None,
            is_exception: false,
        }
    }

    fn boxes_overlap(layout: &Layout) -> bool {
        let all = &layout.boxes;
        (0..all.len()).any(|a| {
            (0..a).any(|b| {
                (all[a].x - all[b].x).abs() < SIZE.width
                    && (all[a].y - all[b].y).abs() < SIZE.height
            })
        })
    }

    #[test]
    fn a_chain_is_one_straight_line_down() {
        let layout = layout(&[SIZE; 3], &[edge(0, 1), edge(1, 2)], 0);
        assert!(layout.boxes.windows(2).all(|pair| pair[0].x == pair[1].x));
        assert!(
            layout
                .boxes
                .windows(2)
                .all(|pair| pair[0].y + 40.0 < pair[1].y)
        );
    }

    #[test]
    fn a_loop_is_led_back_and_does_not_pull_boxes_up() {
        let layout = layout(&[SIZE; 3], &[edge(0, 1), edge(1, 2), edge(2, 0)], 0);
        assert!(layout.boxes.windows(2).all(|pair| pair[0].y < pair[1].y));
        let back = &layout.routes[2];
        let first = back.first().and_then(Piece::first).unwrap();
        let last = back.last().and_then(Piece::last).unwrap();
        assert_eq!(first.y, layout.boxes[2].y + 40.0, "it leaves below");
        assert_eq!(last.y, layout.boxes[0].y, "it comes in from above");
    }

    #[test]
    fn boxes_never_overlap() {
        // A thicket: each box leads to three others, some of them back.
        let count = 40;
        let edges: Vec<EdgeInput> = (0..count)
            .flat_map(|from| (1..4).map(move |step| edge(from, (from * step * 7 + step) % count)))
            .collect();
        let layout = layout(&vec![SIZE; count], &edges, 0);
        assert!(!boxes_overlap(&layout));
        assert_eq!(layout.routes.len(), edges.len());
        assert!(layout.routes.iter().all(|route| !route.is_empty()));
    }

    #[test]
    fn an_edge_that_joins_another_still_comes_to_its_target() {
        let edges = [edge(0, 1), edge(1, 2), edge(2, 3), edge(0, 3), edge(1, 3)];
        let layout = layout(&[SIZE; 4], &edges, 0);
        let end = layout
            .whole_route(4)
            .last()
            .and_then(|piece| piece.last())
            .unwrap();
        assert_eq!(end.y, layout.boxes[3].y);
        assert_eq!(end.x, layout.boxes[3].x + SIZE.width / 2.0);
    }

    #[test]
    fn many_long_edges_to_one_box_share_their_bends() {
        let count = 1_000;
        let mut edges: Vec<EdgeInput> = (0..count - 1).map(|from| edge(from, from + 1)).collect();
        edges.extend((0..count - 2).map(|from| edge(from, count - 1)));
        let layers = layers::assign(count, &edges, 0);
        let graph = vertices::Graph::new(&vec![SIZE; count], &edges, &layers);
        assert!(graph.vertices.len() < 3 * count);
        let passed: usize = graph.chains.iter().map(Vec::len).sum();
        assert!(passed < 6 * count, "{passed}");
    }
}
