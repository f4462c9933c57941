//! The order within each layer, so that few edges cross.
use super::vertices::{Graph, Link};

/// Sweeps down and up, each a round.
const ROUNDS: usize = 12;

/// Sorts every layer by the middle of its neighbours, down and up, and keeps the best order met.
pub(super) fn order(graph: &mut Graph) {
    let mut position = positions(graph);
    let mut best = graph.layers.clone();
    let mut fewest = crossings(graph, &position);
    for round in 0..ROUNDS {
        if fewest == 0 && round > 1 {
            break;
        }
        let downwards = round % 2 == 0;
        for step in 0..graph.layers.len() {
            let layer = if downwards {
                step
            } else {
                graph.layers.len() - 1 - step
            };
            sort_layer(graph, layer, downwards, &mut position);
        }
        let found = crossings(graph, &position);
        if found < fewest {
            fewest = found;
            best.clone_from(&graph.layers);
        }
    }
    graph.layers = best;
}

fn positions(graph: &Graph) -> Vec<f64> {
    let mut position = vec![0.0; graph.vertices.len()];
    for layer in &graph.layers {
        number(layer, &mut position);
    }
    position
}

/// Places in a layer, from 0 to 1, so that layers of different lengths compare.
fn number(layer: &[usize], position: &mut [f64]) {
    for (index, vertex) in layer.iter().enumerate() {
        position[*vertex] = (index as f64 + 0.5) / layer.len() as f64;
    }
}

fn sort_layer(graph: &mut Graph, layer: usize, downwards: bool, position: &mut [f64]) {
    let mut keyed: Vec<(f64, usize)> = graph.layers[layer]
        .iter()
        .map(|vertex| (key(graph, *vertex, downwards, position), *vertex))
        .collect();
    // Where a loop turns, it stays next to what it leaves or enters.
    let keys: std::collections::HashMap<usize, f64> =
        keyed.iter().map(|(key, vertex)| (*vertex, *key)).collect();
    for (key, vertex) in &mut keyed {
        let linked = neighbours(graph, *vertex, downwards);
        if let Some(tie) = graph.vertices[*vertex].tie.filter(|_| linked.is_empty()) {
            *key = keys.get(&tie).copied().unwrap_or(*key) + 1e-6;
        }
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    graph.layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
    number(&graph.layers[layer], position);
}

fn neighbours(graph: &Graph, vertex: usize, downwards: bool) -> &[Link] {
    match downwards {
        true => &graph.above[vertex],
        false => &graph.below[vertex],
    }
}

fn key(graph: &Graph, vertex: usize, downwards: bool, position: &[f64]) -> f64 {
    let linked = neighbours(graph, vertex, downwards);
    if linked.is_empty() {
        return position[vertex];
    }
    let sum: f64 = linked.iter().map(|link| position[link.vertex]).sum();
    sum / linked.len() as f64
}

/// Returns the number of crossings of links.
fn crossings(graph: &Graph, position: &[f64]) -> u64 {
    graph
        .layers
        .iter()
        .map(|layer| crossings_below(graph, layer, position))
        .sum()
}

/// Inversions among the lower ends, counted with a Fenwick tree.
fn crossings_below(graph: &Graph, layer: &[usize], position: &[f64]) -> u64 {
    let Some(next) = layer.iter().find_map(|vertex| graph.below[*vertex].first()) else {
        return 0;
    };
    let width = graph.layers[graph.vertices[next.vertex].layer].len();
    let mut tree = vec![0_u64; width + 1];
    let (mut seen, mut found) = (0, 0);
    for vertex in layer {
        let mut ends: Vec<usize> = graph.below[*vertex]
            .iter()
            .map(|link| ((position[link.vertex] * width as f64) as usize).min(width - 1))
            .collect();
        ends.sort_unstable();
        for end in &ends {
            found += seen - prefix(&tree, end + 1);
        }
        for end in ends {
            add(&mut tree, end + 1);
            seen += 1;
        }
    }
    found
}

fn prefix(tree: &[u64], mut index: usize) -> u64 {
    let mut sum = 0;
    while index > 0 {
        sum += tree[index];
        index &= index - 1;
    }
    sum
}

fn add(tree: &mut [u64], mut index: usize) {
    while index < tree.len() {
        tree[index] += 1;
        index += index & index.wrapping_neg();
    }
}
