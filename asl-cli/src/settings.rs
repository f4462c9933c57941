//! Faults of settings, for people.
use crate::exit::Failure;
use crate::snippet::Snippet;
use asl_lint::{NearestSettings, SettingsOfFolders, UnreadableSettings};
use asl_model::LineIndex;
use std::path::Path;

/// Describes the error in an `asl.toml`, with its position.
fn unreadable(fault: &UnreadableSettings) -> Failure {
    let UnreadableSettings {
        path, text, error, ..
    } = fault;
    let name = show(path);
    let place = error.offset.map(|offset| {
        let at = LineIndex::new(text).position(text, offset);
        format!("\n{}", Snippet::new(&name, text, at.line, at.column))
    });
    let place = place.unwrap_or_default();
    Failure::new(format!("{name} cannot be read as settings: {error}{place}"))
}

/// Returns the settings of a file: of the nearest `asl.toml`.
pub(crate) fn settings_of(
    file: &Path,
    all: &mut SettingsOfFolders,
) -> Result<NearestSettings, Failure> {
    all.nearest(file, &|path| std::fs::read_to_string(path))
        .map_err(|fault| unreadable(&fault))
}

/// Returns a path from where the command runs, if it is below that.
fn show(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(here)
        .unwrap_or(file)
        .display()
        .to_string()
}
