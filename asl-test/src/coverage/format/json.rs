//! Coverage for programs.
use crate::coverage::{Coverage, CoveredFile, CoveredPoint, PointKind, Tally, Way};
use serde_json::{Map, Value, json};

/// Returns the complete coverage: tallies by definition and by kind, every point with its place and count, and the cases that
/// ran each definition.
pub fn json(coverage: &Coverage) -> Value {
    json!({
        "version": 1,
        "total": tally(coverage.tally()),
        "kinds": kinds(|kind| coverage.tally_of(kind)),
        "files": coverage.files.iter().map(file).collect::<Vec<_>>(),
    })
}

fn file(file: &CoveredFile) -> Value {
    json!({
        "path": file.name,
        "total": tally(file.tally()),
        "kinds": kinds(|kind| file.tally_of(kind)),
        "points": file.points.iter().map(point).collect::<Vec<_>>(),
        "cases": file.ways.iter().map(to_json).collect::<Vec<_>>(),
    })
}

fn kinds(tally_of: impl Fn(PointKind) -> Tally) -> Value {
    let of = |kind: PointKind| (kind.plural().to_owned(), tally(tally_of(kind)));
    Value::Object(PointKind::ALL.into_iter().map(of).collect())
}

fn tally(tally: Tally) -> Value {
    json!({"reached": tally.reached, "all": tally.all, "percent": tally.percent()})
}

fn point(covered: &CoveredPoint) -> Value {
    let point = &covered.point;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("kind", point.kind.plural().into());
    put("state", (*point.state).into());
    put("pointer", point.pointer.clone().into());
    if !point.part.is_empty() {
        put("part", point.part.clone().into());
    }
    if let Some(next) = &point.next {
        put("next", (**next).into());
    }
    if let Some(lines) = &covered.lines {
        put("line", (*lines.start()).into());
        put("lastLine", (*lines.end()).into());
    }
    put("count", covered.count.into());
    Value::Object(object)
}

fn to_json(way: &Way) -> Value {
    let reached: Vec<usize> = way.counts.iter().map(|(point, _)| *point).collect();
    let mut object = Map::new();
    object.insert("name".to_owned(), way.case.clone().into());
    if let Some(file) = &way.file {
        object.insert("file".to_owned(), file.clone().into());
    }
    object.insert("passed".to_owned(), way.has_passed.into());
    object.insert("reached".to_owned(), reached.into());
    Value::Object(object)
}
