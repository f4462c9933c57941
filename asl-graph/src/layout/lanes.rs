//! Lines that run next to all boxes, up or down: straight, and no farther out than they must be.
use super::vertices::{Graph, Kind};
use std::collections::HashMap;

/// Moves the lines at the right and left borders inwards.
pub(super) fn tighten(graph: &Graph, x: &mut [f64]) {
    for side in [1.0, -1.0] {
        let outwards: Vec<Vec<usize>> = graph
            .layers
            .iter()
            .map(|layer| match side > 0.0 {
                true => layer.clone(),
                false => layer.iter().rev().copied().collect(),
            })
            .collect();
        for line in lines_outside(graph, &outwards, x, side) {
            line.settle(graph, x, side);
        }
    }
}

/// The bends of one line, each with the vertex on its inner side.
struct Line {
    bends: Vec<(usize, usize)>,
}

impl Line {
    /// Moves a line as close to its target as the vertices on its inner side allow.
    fn settle(&self, graph: &Graph, x: &mut [f64], side: f64) {
        let nearest = self
            .bends
            .iter()
            .map(|(bend, inner)| side * x[*inner] + graph.distance(*inner, *bend));
        let nearest = nearest.fold(f64::NEG_INFINITY, f64::max);
        let wish = self.wish(graph, x).map_or(nearest, |wish| side * wish);
        let farthest = self.bends.iter().map(|(bend, _)| side * x[*bend]);
        let farthest = farthest.fold(f64::NEG_INFINITY, f64::max);
        // Never farther out than it was: other lines may be there.
        let place = wish.max(nearest).min(farthest.max(nearest));
        for (bend, _) in &self.bends {
            x[*bend] = side * place;
        }
    }

    /// Returns the middle of what a line leads down from and to; a loop has no wish.
    fn wish(&self, graph: &Graph, x: &[f64]) -> Option<f64> {
        let is_bend = |vertex: usize| graph.vertices[vertex].kind == Kind::Bend;
        let (mut sum, mut count) = (0.0, 0.0);
        for (bend, _) in &self.bends {
            if graph.vertices[*bend].tie.is_some() {
                return None;
            }
            let links = graph.above[*bend].iter().chain(&graph.below[*bend]);
            for link in links.filter(|link| !is_bend(link.vertex)) {
                sum += x[link.vertex];
                count += 1.0;
            }
        }
        (count > 0.0).then_some(sum / count)
    }
}

/// Returns the lines that have nothing but lines on their outer side, from the inside out.
fn lines_outside(graph: &Graph, outwards: &[Vec<usize>], x: &[f64], side: f64) -> Vec<Line> {
    let mut inner: HashMap<usize, usize> = HashMap::new();
    for layer in outwards {
        for pair in layer.windows(2).rev() {
            if graph.vertices[pair[1]].kind != Kind::Bend {
                break;
            }
            inner.insert(pair[1], pair[0]);
        }
    }
    let mut lines = Vec::new();
    for bends in bends_by_line(graph) {
        let sides: Option<Vec<(usize, usize)>> = bends
            .iter()
            .map(|bend| Some((*bend, *inner.get(bend)?)))
            .collect();
        lines.extend(sides.map(|bends| Line { bends }));
    }
    let reach = |line: &Line| {
        let places = line.bends.iter().map(|(bend, _)| side * x[*bend]);
        places.fold(f64::INFINITY, f64::min)
    };
    lines.sort_by(|a, b| reach(a).total_cmp(&reach(b)));
    lines
}

/// Returns all bends, those that lead on to each other together.
fn bends_by_line(graph: &Graph) -> Vec<Vec<usize>> {
    let mut line_of: HashMap<usize, usize> = HashMap::new();
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for start in 0..graph.vertices.len() {
        if graph.vertices[start].kind != Kind::Bend || line_of.contains_key(&start) {
            continue;
        }
        let mut way = vec![start];
        let mut line = None;
        while let Some(next) = graph.onward.get(&way[way.len() - 1]).copied() {
            if graph.vertices[next].kind != Kind::Bend {
                break;
            }
            line = line_of.get(&next).copied();
            if line.is_some() {
                break;
            }
            way.push(next);
        }
        let line = line.unwrap_or_else(|| {
            lines.push(Vec::new());
            lines.len() - 1
        });
        for bend in way {
            line_of.insert(bend, line);
            lines[line].push(bend);
        }
    }
    lines
}
