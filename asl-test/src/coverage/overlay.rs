//! Coverage on a graph.
use super::{Coverage, CoveredFile, PointKind};
use asl_graph::{EdgeKind, Overlay, Visit};
use serde_json::Value;
use std::collections::HashMap;

/// Something that can be reached, as a graph shows it.
struct Reachable<'r> {
    kind: PointKind,
    state: &'r str,
    next: Option<&'r str>,
    count: u64,
}

impl CoveredFile {
    /// Returns an overlay for `asl-graph`: entered states with counts, taken transitions, and states that are partly covered.
    pub fn overlay(&self) -> Overlay {
        overlay(self.points.iter().map(|it| Reachable {
            kind: it.point.kind,
            state: &it.point.state,
            next: it.point.next.as_deref(),
            count: it.count,
        }))
    }
}

impl Coverage {
    /// Returns the coverage of the definition with this name.
    pub fn file(&self, name: &str) -> Option<&CoveredFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// Creates an overlay from a [report in JSON](super::format::json): for its only definition, or for the one whose name ends
/// with `name`.
///
/// # Errors
///
/// The value is not such a report, or does not contain the definition.
pub fn overlay_from_json(report: &Value, name: &str) -> Result<Overlay, String> {
    let files = report.get("files").and_then(Value::as_array);
    let files =
        files.ok_or("expected a report of `asl test --coverage json`: an object with `files`")?;
    let path = |file: &Value| file.get("path").and_then(Value::as_str).map(str::to_owned);
    let name = name.replace('\\', "/");
    let name = name.trim_start_matches("./").trim_start_matches("../");
    let is_it = |file: &&Value| {
        path(file).is_some_and(|path| path == name || is_end(&path, name) || is_end(name, &path))
    };
    let file = files.iter().find(is_it).ok_or_else(|| {
        let known: Vec<String> = files.iter().filter_map(path).collect();
        format!("the report covers {}, not {name}", known.join(", "))
    })?;
    let points = file.get("points").and_then(Value::as_array);
    let points = points.into_iter().flatten().filter_map(reachable);
    Ok(overlay(points))
}

/// Returns true if a path ends with another one, whole folders alone.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.ends_with('/'))
}

fn reachable(point: &Value) -> Option<Reachable<'_>> {
    let text = |name: &str| point.get(name).and_then(Value::as_str);
    let kind = text("kind")?;
    Some(Reachable {
        kind: PointKind::ALL.into_iter().find(|it| it.plural() == kind)?,
        state: text("state")?,
        next: text("next"),
        count: point.get("count")?.as_u64()?,
    })
}

fn overlay<'r>(points: impl Iterator<Item = Reachable<'r>>) -> Overlay {
    let mut overlay = Overlay::new();
    let mut states: HashMap<&str, OfState> = HashMap::new();
    for point in points {
        let Reachable {
            kind,
            state,
            next,
            count,
        } = point;
        let of_state = states.entry(state).or_default();
        of_state.lacks_something |= count == 0;
        of_state.goes_on |= kind == PointKind::Transition;
        match (kind, next) {
            (PointKind::State, _) => {
                of_state.is_reached = count > 0;
                overlay.count(state, count);
            }
            _ if count == 0 => {}
            (PointKind::Transition | PointKind::Choice, Some(next)) => {
                overlay.step(state, next, EdgeKind::Next);
            }
            (PointKind::Catcher, Some(next)) => {
                overlay.step(state, next, EdgeKind::Catch);
            }
            (PointKind::Transition, None) => {
                overlay.end(state);
            }
            _ => {}
        }
    }
    for (state, of_state) in states.iter().filter(|(_, of_state)| of_state.is_reached) {
        let visit = match of_state.lacks_something {
            true => Visit::Partly,
            false => Visit::Passed,
        };
        overlay.visit(state, visit).start(state);
        if !of_state.goes_on {
            overlay.end(state);
        }
    }
    overlay
}

/// Coverage of a state.
#[derive(Default)]
struct OfState {
    is_reached: bool,
    lacks_something: bool,
    /// True if it has "Next" or "End".
    goes_on: bool,
}
