//! Assignment of boxes to layers.
use super::EdgeInput;

/// Layers of boxes, and the edges that go against them.
#[derive(Debug)]
pub(super) struct Layers {
    /// Of each box, from 0 at the top.
    pub(super) of_box: Vec<usize>,
    /// True if an edge closes a loop.
    pub(super) backward: Vec<bool>,
    /// All boxes, in the order in which a reader meets them.
    pub(super) met: Vec<usize>,
}

/// Returns every box one layer below the lowest of those that lead to it (longest path), loops aside.
pub(super) fn assign(boxes: usize, edges: &[EdgeInput], first: usize) -> Layers {
    let mut walk = Walk {
        outgoing: outgoing(boxes, edges),
        mark: vec![Mark::New; boxes],
        backward: vec![false; edges.len()],
        met: Vec::with_capacity(boxes),
        left: Vec::with_capacity(boxes),
    };
    for root in std::iter::once(first).chain(0..boxes) {
        if walk.mark.get(root) == Some(&Mark::New) {
            walk.from(root, edges);
        }
    }
    let mut of_box = vec![0; boxes];
    // Boxes in the reverse order of leaving come after all that lead to them.
    for from in walk.left.iter().rev() {
        for edge in &walk.outgoing[*from] {
            if !walk.backward[*edge] {
                let to = edges[*edge].to;
                of_box[to] = of_box[to].max(of_box[*from] + 1);
            }
        }
    }
    Layers {
        of_box,
        backward: walk.backward,
        met: walk.met,
    }
}

fn outgoing(boxes: usize, edges: &[EdgeInput]) -> Vec<Vec<usize>> {
    let mut outgoing = vec![Vec::new(); boxes];
    for (index, edge) in edges.iter().enumerate() {
        outgoing[edge.from].push(index);
    }
    outgoing
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    New,
    /// On the way from the root.
    Open,
    Left,
}

/// A walk in depth, without recursion.
struct Walk {
    outgoing: Vec<Vec<usize>>,
    mark: Vec<Mark>,
    backward: Vec<bool>,
    met: Vec<usize>,
    left: Vec<usize>,
}

impl Walk {
    fn from(&mut self, root: usize, edges: &[EdgeInput]) {
        let mut open = vec![(root, 0)];
        self.meet(root);
        while let Some((at, next)) = open.last_mut() {
            let Some(edge) = self.outgoing[*at].get(*next).copied() else {
                self.mark[*at] = Mark::Left;
                self.left.push(*at);
                open.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].to;
            match self.mark[to] {
                Mark::New => {
                    self.meet(to);
                    open.push((to, 0));
                }
                Mark::Open => self.backward[edge] = true,
                Mark::Left => {}
            }
        }
    }

    fn meet(&mut self, at: usize) {
        self.mark[at] = Mark::Open;
        self.met.push(at);
    }
}
