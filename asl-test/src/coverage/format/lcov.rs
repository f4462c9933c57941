//! Coverage as lcov's tracefiles have it, which editors and services of coverage read (geninfo(1), "Tracefile format").
use crate::coverage::lines::lines;
use crate::coverage::{Coverage, CoveredFile, PointKind};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Returns a tracefile: states are functions, everything else that can be reached is a branch, and of the lines of a
/// definition those count that a state is on.
pub fn lcov(coverage: &Coverage) -> String {
    let mut text = String::new();
    for file in &coverage.files {
        record(&mut text, file);
    }
    text
}

fn record(text: &mut String, file: &CoveredFile) {
    // Writing to a string cannot fail.
    // A template that holds several machines has a record for each.
    let name = file.definition.name_in_template();
    let of_template = name.and_then(|name| file.name.strip_suffix(name)?.strip_suffix('#'));
    let path = of_template.unwrap_or(&file.name);
    let _ = writeln!(text, "TN:\nSF:{}", on_one_line(path));
    let states = || {
        let states = file.points.iter();
        states.filter(|it| it.point.kind == PointKind::State)
    };
    for state in states() {
        let (line, name) = (state.line().unwrap_or(1), on_one_line(&state.point.state));
        let _ = writeln!(text, "FN:{line},{name}");
    }
    for state in states() {
        let (count, name) = (state.count, on_one_line(&state.point.state));
        let _ = writeln!(text, "FNDA:{count},{name}");
    }
    summary(text, ["FNF", "FNH"], states().map(|state| state.count));
    branches(text, file);
    let lines: Vec<(usize, u64)> = lines(file)
        .into_iter()
        .enumerate()
        .filter(|(_, line)| !line.points.is_empty())
        .map(|(index, line)| (index + 1, line.count))
        .collect();
    for (line, count) in &lines {
        let _ = writeln!(text, "DA:{line},{count}");
    }
    summary(text, ["LF", "LH"], lines.iter().map(|(_, count)| *count));
    text.push_str("end_of_record\n");
}

/// Adds the branches. Blocks are states, by number; points in a state that was never entered have no count.
fn branches(text: &mut String, file: &CoveredFile) {
    struct Block {
        number: usize,
        is_entered: bool,
        branches: usize,
    }
    let mut blocks: HashMap<&str, Block> = HashMap::new();
    for covered in &file.points {
        let next = Block {
            number: blocks.len(),
            is_entered: covered.count > 0,
            branches: 0,
        };
        // The first point of a state is the state.
        let block = blocks.entry(&covered.point.state).or_insert(next);
        if covered.point.kind == PointKind::State {
            continue;
        }
        let taken = match block.is_entered {
            true => covered.count.to_string(),
            false => "-".to_owned(),
        };
        let line = covered.line().unwrap_or(1);
        let _ = writeln!(
            text,
            "BRDA:{line},{},{},{taken}",
            block.number, block.branches
        );
        block.branches += 1;
    }
    let branches = file.points.iter();
    let branches = branches.filter(|it| it.point.kind != PointKind::State);
    summary(text, ["BRF", "BRH"], branches.map(|it| it.count));
}

/// Adds the total and the reached number.
fn summary(text: &mut String, [found, hit]: [&str; 2], counts: impl Iterator<Item = u64>) {
    let (mut all, mut reached) = (0, 0);
    for count in counts {
        all += 1;
        reached += u64::from(count > 0);
    }
    let _ = writeln!(text, "{found}:{all}\n{hit}:{reached}");
}

/// Returns the format knows no escapes.
fn on_one_line(text: &str) -> String {
    text.chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect()
}
