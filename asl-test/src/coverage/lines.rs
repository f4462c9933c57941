//! Coverage by line of a definition.
use super::CoveredFile;

/// Coverage of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nothing of it can be.
    Nothing,
    NotReached,
    Partly,
    Reached,
}

/// A line of a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The points that determine the coverage: those that start on the line, or else the innermost one that contains it.
    pub(super) points: Vec<usize>,
    /// Number of times the line was reached.
    pub(super) count: u64,
    reached: usize,
}

impl Line {
    pub(super) fn reach(&self) -> Reach {
        match (self.points.len(), self.reached) {
            (0, _) => Reach::Nothing,
            (_, 0) => Reach::NotReached,
            (all, reached) if reached < all => Reach::Partly,
            _ => Reach::Reached,
        }
    }
}

/// Returns the lines of a definition, from the first.
pub(super) fn lines(file: &CoveredFile) -> Vec<Line> {
    let count = file.definition.text().lines().count();
    let mut lines = vec![Line::default(); count];
    let mut innermost: Vec<Option<usize>> = vec![None; count];
    for (index, point) in file.points.iter().enumerate() {
        let Some(range) = point.lines.clone() else {
            continue;
        };
        if let Some(line) = lines.get_mut(range.start() - 1) {
            line.points.push(index);
        }
        // A point comes before what is within it.
        for line in range {
            if let Some(innermost) = innermost.get_mut(line - 1) {
                *innermost = Some(index);
            }
        }
    }
    for (line, innermost) in lines.iter_mut().zip(innermost) {
        if line.points.is_empty() {
            line.points.extend(innermost);
        }
        let counts = line.points.iter().filter_map(|at| file.points.get(*at));
        for point in counts {
            line.count = line.count.max(point.count);
            line.reached += usize::from(point.count > 0);
        }
    }
    lines
}
