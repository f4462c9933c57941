//! Coordinates.
use super::lanes;
use super::vertices::{Graph, Kind, Link};

/// Between two layers, at least.
const LAYER_GAP: f64 = 30.0;
/// Between two layers, at most.
const WIDEST_LAYER_GAP: f64 = 84.0;
/// Maximum pull before boxes have positions.
const MOST_PULL_AT_FIRST: f64 = 1.5;
/// A bend less than this aside need not be.
const NEARLY: f64 = 14.0;
/// Number of sweeps down and up: enough to straighten long chains, fewer for large graphs.
const ROUNDS: std::ops::RangeInclusive<usize> = 12..=96;
/// Vertices visited in all sweeps.
const EFFORT: usize = 600_000;

/// Positions of vertices and layers.
#[derive(Debug)]
pub(super) struct Places {
    /// Centre of each vertex.
    pub(super) x: Vec<f64>,
    /// Top of each layer.
    pub(super) top: Vec<f64>,
    /// Bottom of each layer.
    pub(super) bottom: Vec<f64>,
}

/// Puts every vertex near its neighbours, in its layer's order, without overlap.
pub(super) fn place(graph: &Graph) -> Places {
    let mut x = vec![0.0; graph.vertices.len()];
    for layer in &graph.layers {
        let packed = offsets(graph, layer);
        let middle = packed.last().copied().unwrap_or(0.0) / 2.0;
        for (vertex, offset) in layer.iter().zip(packed) {
            x[*vertex] = offset - middle;
        }
    }
    let rounds = (EFFORT / graph.vertices.len().max(1)).clamp(*ROUNDS.start(), *ROUNDS.end());
    for round in 0..rounds {
        let direction = match round {
            _ if 2 * round >= rounds => Direction::Both,
            _ if round % 2 == 0 => Direction::Down,
            _ => Direction::Up,
        };
        for step in 0..graph.layers.len() {
            let layer = match round % 2 {
                0 => step,
                _ => graph.layers.len() - 1 - step,
            };
            settle(graph, layer, direction, &mut x);
        }
    }
    lanes::tighten(graph, &mut x);
    straighten(graph, &mut x);
    let (top, bottom) = heights(graph, &x);
    Places { x, top, bottom }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Direction {
    Down,
    Up,
    Both,
}

/// Centres of a layer's vertices, packed from the left.
fn offsets(graph: &Graph, layer: &[usize]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut at = 0.0;
    for (index, vertex) in layer.iter().enumerate() {
        if let Some(before) = index.checked_sub(1).and_then(|i| layer.get(i)) {
            at += graph.distance(*before, *vertex);
        }
        offsets.push(at);
    }
    offsets
}

/// Moves a layer's vertices as near to their wishes as their order and widths allow.
fn settle(graph: &Graph, layer: usize, direction: Direction, x: &mut [f64]) {
    let layer = &graph.layers[layer];
    let packed = offsets(graph, layer);
    let wishes: Vec<(f64, f64)> = layer
        .iter()
        .zip(&packed)
        .map(|(vertex, offset)| {
            let (wish, weight) = wish(graph, *vertex, direction, x);
            (wish - offset, weight)
        })
        .collect();
    for ((vertex, offset), start) in layer.iter().zip(packed).zip(ascending(&wishes)) {
        x[*vertex] = offset + start;
    }
}

/// Returns the preferred position of a vertex, and the strength of the preference.
fn wish(graph: &Graph, vertex: usize, direction: Direction, x: &[f64]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    let mut pull = |links: &[Link]| {
        for link in links {
            let strength = match direction {
                Direction::Both => link.pull,
                // Boxes find their places first; lines give way to them.
                Direction::Down | Direction::Up => link.pull.min(MOST_PULL_AT_FIRST),
            };
            sum += x[link.vertex] * strength;
            weight += strength;
        }
    };
    if direction != Direction::Up {
        pull(&graph.above[vertex]);
    }
    if direction != Direction::Down {
        pull(&graph.below[vertex]);
    }
    match weight > 0.0 {
        true => (sum / weight, weight),
        // Nothing pulls: stay, but give way to all others.
        false => (x[vertex], 0.05),
    }
}

/// Puts bends that are nearly above what follows exactly above it: from there on the line is straight.
fn straighten(graph: &Graph, x: &mut [f64]) {
    for layer in graph.layers.iter().rev() {
        for (index, vertex) in layer.iter().enumerate() {
            let [below] = graph.below[*vertex][..] else {
                continue;
            };
            let wish = x[below.vertex];
            if graph.vertices[*vertex].kind != Kind::Bend || (wish - x[*vertex]).abs() > NEARLY {
                continue;
            }
            let before = index.checked_sub(1).map(|index| layer[index]);
            let after = layer.get(index + 1).copied();
            let has_room = [before, after].into_iter().flatten().all(|other| {
                // Half a pixel is lost in sums.
                (x[other] - wish).abs() + 0.5 >= graph.distance(*vertex, other)
            });
            if has_room {
                x[*vertex] = wish;
            }
        }
    }
}

/// Returns the ascending numbers nearest to the wishes by least squares (pool adjacent violators).
fn ascending(wishes: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(wishes.len());
    for (wish, weight) in wishes {
        let mut pool = (*wish, *weight, 1);
        while let Some(before) = pools.pop_if(|before| before.0 > pool.0) {
            let weight = before.1 + pool.1;
            let mean = (before.0 * before.1 + pool.0 * pool.1) / weight;
            pool = (mean, weight, before.2 + pool.2);
        }
        pools.push(pool);
    }
    let repeated = |(mean, _, count)| std::iter::repeat_n(mean, count);
    pools.into_iter().flat_map(repeated).collect()
}

/// Tops and bottoms of the layers: more room where edges go far sideways.
fn heights(graph: &Graph, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut top, mut bottom) = (Vec::new(), Vec::new());
    let mut y = 0.0;
    for layer in &graph.layers {
        let tallest = layer.iter().map(|v| graph.vertices[*v].size.height);
        top.push(y);
        y += tallest.fold(0.0, f64::max);
        bottom.push(y);
        let sideways = layer.iter().flat_map(|upper| {
            graph.below[*upper]
                .iter()
                .map(|lower| x[*upper] - x[lower.vertex])
        });
        let farthest = sideways.map(f64::abs).fold(0.0, f64::max);
        y += (LAYER_GAP + farthest * 0.09).min(WIDEST_LAYER_GAP);
    }
    (top, bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_against_the_order_meet_in_the_middle() {
        assert_eq!(ascending(&[(1.0, 1.0), (2.0, 1.0)]), [1.0, 2.0]);
        assert_eq!(ascending(&[(4.0, 1.0), (2.0, 1.0)]), [3.0, 3.0]);
        assert_eq!(
            ascending(&[(4.0, 3.0), (0.0, 1.0), (9.0, 1.0)]),
            [3.0, 3.0, 9.0]
        );
    }
}
