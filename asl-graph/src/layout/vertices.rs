//! Everything that takes room in a layer: boxes, labels, bends.
use super::layers::Layers;
use super::{Point, Size};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

/// An edge to lay out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeInput {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Room its label needs.
    pub(crate) label: Option<Size>,
    /// Taken when something goes wrong. Edges of one kind to one box may share a line.
    pub(crate) is_exception: bool,
}

/// Kinds of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Box,
    Label,
    Bend,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    pub(super) layer: usize,
    pub(super) size: Size,
    /// Its neighbour in the same layer, where a loop turns.
    pub(super) tie: Option<usize>,
}

/// A neighbour in the layer above or below.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) vertex: usize,
    /// Strength of the vertical alignment of the two.
    pub(super) pull: f64,
}

/// The way through the states that a reader follows.
const MAIN_PULL: f64 = 4.0;
/// One of several ways.
const LABEL_PULL: f64 = 1.0;
/// Pull of error edges.
const SIDE_PULL: f64 = 0.25;
/// Along a long edge.
const BEND_PULL: f64 = 24.0;

/// Beyond this many vertices, long edges get no bends of their own.
const MOST_VERTICES: usize = 12_000;

/// Between two boxes or labels of a layer.
const BOX_GAP: f64 = 32.0;
/// Next to a bend.
const BEND_GAP: f64 = 18.0;

/// Vertices in layers, each linked with some of the layers above and below.
#[derive(Debug)]
pub(super) struct Graph {
    /// The boxes come first, with their own indices.
    pub(super) vertices: Vec<Vertex>,
    pub(super) above: Vec<Vec<Link>>,
    pub(super) below: Vec<Vec<Link>>,
    /// Each layer's vertices from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// Vertices of each edge, from its source to its target or to the edge that it joins.
    pub(super) chains: Vec<Vec<usize>>,
    /// The vertex that follows on a bend.
    pub(super) onward: HashMap<usize, usize>,
}

impl Graph {
    /// Returns the minimum distance between the centres of two neighbours.
    pub(super) fn distance(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (&self.vertices[one], &self.vertices[other]);
        let gap = match a.kind == Kind::Bend || b.kind == Kind::Bend {
            true => BEND_GAP,
            false => BOX_GAP,
        };
        (a.size.width + b.size.width) / 2.0 + gap
    }

    pub(super) fn new(boxes: &[Size], edges: &[EdgeInput], layers: &Layers) -> Self {
        let levels = Levels::new(edges, layers);
        let mut graph = Self {
            vertices: Vec::with_capacity(boxes.len() * 2),
            above: Vec::new(),
            below: Vec::new(),
            layers: vec![Vec::new(); levels.count],
            chains: vec![Vec::new(); edges.len()],
            onward: HashMap::new(),
        };
        for (size, layer) in boxes.iter().zip(&layers.of_box) {
            graph.add(Kind::Box, levels.of_layer[*layer], *size);
        }
        graph.add_chains(edges, layers, &levels);
        graph
    }

    fn add(&mut self, kind: Kind, layer: usize, size: Size) -> usize {
        self.vertices.push(Vertex {
            kind,
            layer,
            size,
            tie: None,
        });
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.vertices.len() - 1
    }

    /// Leads every edge through the layers, and puts all into a first order: as a reader meets them.
    fn add_chains(&mut self, edges: &[EdgeInput], layers: &Layers, levels: &Levels) {
        let mut of_box: Vec<Vec<usize>> = vec![Vec::new(); layers.of_box.len()];
        for (index, edge) in edges.iter().enumerate() {
            of_box[edge.from].push(index);
        }
        let mut bends = Bends::default();
        let mut linked = HashSet::new();
        for from in &layers.met {
            self.layers[self.vertices[*from].layer].push(*from);
            for index in &of_box[*from] {
                let edge = edges[*index];
                let chain = match layers.backward[*index] {
                    true => self.backward_chain(edge, levels, &mut bends),
                    false => self.forward_chain(edge, &mut bends),
                };
                for pair in chain.windows(2) {
                    if self.vertices[pair[0]].kind == Kind::Bend {
                        self.onward.insert(pair[0], pair[1]);
                    }
                    if linked.insert((pair[0], pair[1])) {
                        self.link(pair[0], pair[1], edge);
                    }
                }
                self.chains[*index] = chain;
            }
        }
    }

    fn label(&mut self, edge: EdgeInput, chain: &mut Vec<usize>) {
        if let Some(size) = edge.label {
            let layer = self.vertices[edge.from].layer + 1;
            let label = self.add(Kind::Label, layer, size);
            self.layers[layer].push(label);
            chain.push(label);
        }
    }

    fn forward_chain(&mut self, edge: EdgeInput, bends: &mut Bends) -> Vec<usize> {
        let mut chain = vec![edge.from];
        self.label(edge, &mut chain);
        let last = chain[chain.len() - 1];
        let layers = self.vertices[last].layer + 1..self.vertices[edge.to].layer;
        self.lead(edge, false, layers, &mut chain, bends);
        chain
    }

    /// Around the side: next to its source, up through every layer, next to its target.
    fn backward_chain(
        &mut self,
        edge: EdgeInput,
        levels: &Levels,
        bends: &mut Bends,
    ) -> Vec<usize> {
        let mut chain = vec![edge.from];
        self.label(edge, &mut chain);
        let lowest = chain[chain.len() - 1];
        let bottom = self.vertices[lowest].layer.min(levels.count - 1);
        let layers = (self.vertices[edge.to].layer..=bottom).rev();
        let turn = chain.len();
        self.lead(edge, true, layers, &mut chain, bends);
        if let [.., last, to] = chain[..]
            && to == edge.to
        {
            self.vertices[last].tie.get_or_insert(edge.to);
        }
        if self.vertices[chain[turn]].kind == Kind::Bend {
            self.vertices[chain[turn]].tie.get_or_insert(lowest);
        }
        chain
    }

    /// Routes an edge through layers to its target, or to the edge that it joins.
    fn lead(
        &mut self,
        edge: EdgeInput,
        backward: bool,
        mut layers: impl DoubleEndedIterator<Item = usize>,
        chain: &mut Vec<usize>,
        bends: &mut Bends,
    ) {
        while let Some(layer) = layers.next() {
            let (bend, is_new) = bends.bend(self, edge, backward, layer);
            chain.push(bend);
            if !is_new {
                return;
            }
            // Where there are too many, a line runs behind boxes; but a loop needs its turns.
            if self.vertices.len() > MOST_VERTICES {
                let last = layers.next_back().filter(|_| backward);
                if let Some(layer) = last {
                    let (bend, is_new) = bends.bend(self, edge, backward, layer);
                    chain.push(bend);
                    if !is_new {
                        return;
                    }
                }
                break;
            }
        }
        chain.push(edge.to);
    }

    fn link(&mut self, one: usize, other: usize, edge: EdgeInput) {
        let both_bend = [one, other]
            .iter()
            .all(|v| self.vertices[*v].kind == Kind::Bend);
        let pull = match edge.label {
            _ if both_bend => BEND_PULL,
            _ if edge.is_exception => SIDE_PULL,
            Some(_) => LABEL_PULL,
            None => MAIN_PULL,
        };
        let (upper, lower) = match self.vertices[one].layer.cmp(&self.vertices[other].layer) {
            std::cmp::Ordering::Less => (one, other),
            std::cmp::Ordering::Greater => (other, one),
            std::cmp::Ordering::Equal => return,
        };
        self.below[upper].push(Link {
            vertex: lower,
            pull,
        });
        self.above[lower].push(Link {
            vertex: upper,
            pull,
        });
    }
}

/// Bends by target, kind, direction and layer.
#[derive(Debug, Default)]
struct Bends(HashMap<(usize, bool, bool, usize), usize>);

impl Bends {
    /// Returns the bend in a layer, and whether no other edge has it.
    fn bend(
        &mut self,
        graph: &mut Graph,
        edge: EdgeInput,
        backward: bool,
        layer: usize,
    ) -> (usize, bool) {
        let key = (edge.to, edge.is_exception, backward, layer);
        match self.0.entry(key) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                let bend = graph.add(Kind::Bend, layer, Size::default());
                graph.layers[layer].push(bend);
                free.insert(bend);
                (bend, true)
            }
        }
    }
}

/// Layers of boxes with layers of labels between them, if there are labels.
struct Levels {
    of_layer: Vec<usize>,
    count: usize,
}

impl Levels {
    fn new(edges: &[EdgeInput], layers: &Layers) -> Self {
        let labelled: BTreeSet<usize> = edges
            .iter()
            .filter(|edge| edge.label.is_some())
            .map(|edge| layers.of_box[edge.from])
            .collect();
        let last = layers.of_box.iter().copied().max().unwrap_or(0);
        let mut count = 0;
        let mut of_layer = Vec::with_capacity(last + 1);
        for layer in 0..=last {
            of_layer.push(count);
            count += 1 + usize::from(labelled.contains(&layer));
        }
        Self { of_layer, count }
    }
}

impl Point {
    /// This place, moved.
    pub(crate) fn moved(self, x: f64, y: f64) -> Self {
        Self {
            x: self.x + x,
            y: self.y + y,
        }
    }
}
