//! Curves from box to box.
use super::place::Places;
use super::vertices::{EdgeInput, Graph, Kind};
use super::{Layout, Point, Size};
use std::collections::HashMap;

/// Distance of a loop below its source and above its target.
const TURN: f64 = 24.0;
/// Between two edges that leave a box.
const PORT_GAP: f64 = 18.0;
/// Part of a box's width that edges leave free on each side.
const PORT_MARGIN: f64 = 16.0;

/// A stroke of a pen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Command {
    Move(Point),
    Line(Point),
    /// Two control points and the end.
    Curve(Point, Point, Point),
}

/// A part of an edge's way, from one vertex to the next: edges that share both share the piece.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    pub(crate) ends: (usize, usize),
    pub(crate) commands: Vec<Command>,
}

impl Command {
    fn end(self) -> Point {
        match self {
            Self::Move(end) | Self::Line(end) | Self::Curve(_, _, end) => end,
        }
    }

    fn moved(self, x: f64, y: f64) -> Self {
        match self {
            Self::Move(end) => Self::Move(end.moved(x, y)),
            Self::Line(end) => Self::Line(end.moved(x, y)),
            Self::Curve(a, b, end) => Self::Curve(a.moved(x, y), b.moved(x, y), end.moved(x, y)),
        }
    }
}

impl Piece {
    #[cfg(test)]
    pub(crate) fn first(&self) -> Option<Point> {
        self.commands.first().map(|command| command.end())
    }

    #[cfg(test)]
    pub(crate) fn last(&self) -> Option<Point> {
        self.commands.last().map(|command| command.end())
    }
}

/// Leads every edge along its chain, and moves all so that nothing is left of or above zero.
pub(super) fn route(graph: &Graph, places: &Places, boxes: &[Size], edges: &[EdgeInput]) -> Layout {
    let router = Router {
        graph,
        places,
        ports: ports(graph, places, edges),
    };
    let mut routes: Vec<Vec<Piece>> = (0..edges.len()).map(|edge| router.edge(edge)).collect();
    let corners: Vec<Point> = (0..boxes.len())
        .map(|index| Point {
            x: places.x[index] - boxes[index].width / 2.0,
            y: places.top[graph.vertices[index].layer],
        })
        .collect();
    let mut onward: HashMap<usize, Piece> = graph
        .onward
        .iter()
        .map(|(from, to)| (*from, router.piece(*from, *to, 0.0)))
        .collect();
    let labels: Vec<Option<Point>> = graph.chains.iter().map(|c| router.label(c)).collect();
    let (least, most) = bounds(graph, places, &corners, boxes, &routes);
    for command in routes
        .iter_mut()
        .flatten()
        .chain(onward.values_mut())
        .flat_map(|piece| &mut piece.commands)
    {
        *command = command.moved(-least.x, -least.y);
    }
    let moved = |point: Point| point.moved(-least.x, -least.y);
    Layout {
        size: Size {
            width: most.x - least.x,
            height: most.y - least.y,
        },
        boxes: corners.into_iter().map(moved).collect(),
        labels: labels.into_iter().map(|label| label.map(moved)).collect(),
        routes,
        onward,
    }
}

fn bounds(
    graph: &Graph,
    places: &Places,
    corners: &[Point],
    boxes: &[Size],
    routes: &[Vec<Piece>],
) -> (Point, Point) {
    let (mut least, mut most) = (Point::default(), Point::default());
    if let Some(first) = corners.first() {
        (least, most) = (*first, *first);
    }
    let mut include = |point: Point| {
        least = Point {
            x: least.x.min(point.x),
            y: least.y.min(point.y),
        };
        most = Point {
            x: most.x.max(point.x),
            y: most.y.max(point.y),
        };
    };
    for (corner, size) in corners.iter().zip(boxes) {
        include(*corner);
        include(corner.moved(size.width, size.height));
    }
    for (vertex, x) in graph.vertices.iter().zip(&places.x) {
        let half = vertex.size.width / 2.0;
        include(Point {
            x: x - half,
            y: places.top[vertex.layer],
        });
        include(Point {
            x: x + half,
            y: places.bottom[vertex.layer],
        });
    }
    for command in routes.iter().flatten().flat_map(|piece| &piece.commands) {
        include(command.end());
        if let Command::Curve(a, b, _) = command {
            // A turn's farthest point is three quarters of the way to its control points.
            include(Point {
                x: command.end().x,
                y: (command.end().y + 3.0 * b.y) / 4.0,
            });
            include(Point {
                x: command.end().x,
                y: (command.end().y + 3.0 * a.y) / 4.0,
            });
        }
    }
    (least, most)
}

/// Returns the distance of each edge's start from the middle of its box, in the order of their targets.
fn ports(graph: &Graph, places: &Places, edges: &[EdgeInput]) -> Vec<f64> {
    let mut of_box: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices.len()];
    for (index, edge) in edges.iter().enumerate() {
        of_box[edge.from].push(index);
    }
    let mut ports = vec![0.0; edges.len()];
    for (from, mut leaving) in of_box.into_iter().enumerate() {
        let next = |edge: usize| places.x[graph.chains[edge][1]] - places.x[from];
        leaving.sort_by(|a, b| next(*a).total_cmp(&next(*b)));
        let room = (graph.vertices[from].size.width - 2.0 * PORT_MARGIN).max(0.0);
        let gap = PORT_GAP.min(room / leaving.len().max(1) as f64);
        let middle = (leaving.len().max(1) - 1) as f64 / 2.0;
        for (index, edge) in leaving.iter().enumerate() {
            ports[*edge] = (index as f64 - middle) * gap;
        }
        // The edge that goes nearly straight down goes straight.
        let aside = |edge: &usize| next(*edge).abs();
        let straight = leaving
            .iter()
            .copied()
            .min_by(|a, b| aside(a).total_cmp(&aside(b)));
        if let Some(straight) = straight.filter(|edge| aside(edge) < PORT_GAP) {
            let shift = ports[straight] - next(straight);
            for edge in leaving {
                ports[edge] -= shift;
            }
        }
    }
    ports
}

struct Router<'g> {
    graph: &'g Graph,
    places: &'g Places,
    ports: Vec<f64>,
}

impl Router<'_> {
    fn label(&self, chain: &[usize]) -> Option<Point> {
        let label = *chain.get(1)?;
        let vertex = self.graph.vertices[label];
        (vertex.kind == Kind::Label).then(|| Point {
            x: self.places.x[label],
            y: self.places.top[vertex.layer] + vertex.size.height / 2.0,
        })
    }

    fn edge(&self, edge: usize) -> Vec<Piece> {
        let chain = &self.graph.chains[edge];
        let pieces = chain.windows(2).enumerate();
        pieces
            .map(|(index, pair)| {
                let port = if index == 0 { self.ports[edge] } else { 0.0 };
                self.piece(pair[0], pair[1], port)
            })
            .collect()
    }

    /// From one vertex to the next: up or down a layer, or around a turn.
    fn piece(&self, from: usize, to: usize, port: f64) -> Piece {
        let (a, b) = (self.graph.vertices[from], self.graph.vertices[to]);
        let commands = match a.layer.cmp(&b.layer) {
            std::cmp::Ordering::Less => self.down(from, to, port),
            std::cmp::Ordering::Greater => self.up(from, to),
            std::cmp::Ordering::Equal if a.kind == Kind::Bend && b.kind == Kind::Box => {
                self.turn_in(from, to)
            }
            std::cmp::Ordering::Equal => self.turn_out(from, to, port),
        };
        Piece {
            ends: (from, to),
            commands,
        }
    }

    /// Returns the point where an edge leaves a vertex downwards.
    fn exit(&self, vertex: usize, port: f64) -> Point {
        let Point { x, y } = self.at_top(vertex);
        let height = self.graph.vertices[vertex].size.height;
        Point {
            x: x + port,
            y: y + height,
        }
    }

    fn at_top(&self, vertex: usize) -> Point {
        Point {
            x: self.places.x[vertex],
            y: self.places.top[self.graph.vertices[vertex].layer],
        }
    }

    fn at_bottom(&self, vertex: usize) -> Point {
        Point {
            x: self.places.x[vertex],
            y: self.places.bottom[self.graph.vertices[vertex].layer],
        }
    }

    fn down(&self, from: usize, to: usize, port: f64) -> Vec<Command> {
        let exit = self.exit(from, port);
        let start = Point {
            x: exit.x,
            ..self.at_bottom(from)
        };
        let end = self.at_top(to);
        vec![Command::Move(exit), Command::Line(start), curve(start, end)]
    }

    fn up(&self, from: usize, to: usize) -> Vec<Command> {
        let (start, end) = (self.at_top(from), self.at_bottom(to));
        vec![
            Command::Move(start),
            curve(start, end),
            Command::Line(self.at_top(to)),
        ]
    }

    fn turn_out(&self, from: usize, to: usize, port: f64) -> Vec<Command> {
        let exit = self.exit(from, port);
        let start = Point {
            x: exit.x,
            ..self.at_bottom(from)
        };
        let end = self.at_bottom(to);
        let turn = Command::Curve(start.moved(0.0, TURN), end.moved(0.0, TURN), end);
        vec![
            Command::Move(exit),
            Command::Line(start),
            turn,
            Command::Line(self.at_top(to)),
        ]
    }

    fn turn_in(&self, from: usize, to: usize) -> Vec<Command> {
        let (start, middle) = (self.at_top(from), self.at_top(to));
        // Next to the edges that come from above.
        let aside = PORT_GAP.min(self.graph.vertices[to].size.width / 4.0);
        let end = middle.moved(aside.copysign(start.x - middle.x), 0.0);
        let turn = Command::Curve(start.moved(0.0, -TURN), end.moved(0.0, -TURN), end);
        vec![Command::Move(start), turn]
    }
}

/// A curve that begins and ends vertically.
fn curve(start: Point, end: Point) -> Command {
    if (start.x - end.x).abs() < 0.5 {
        return Command::Line(end);
    }
    let middle = (start.y + end.y) / 2.0;
    Command::Curve(
        Point {
            x: start.x,
            y: middle,
        },
        Point {
            x: end.x,
            y: middle,
        },
        end,
    )
}
