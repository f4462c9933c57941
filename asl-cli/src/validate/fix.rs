//! `asl validate --fix`: what can only be meant in one way is fixed in the files.
use super::checked::{CheckSession, check};
use crate::arguments::ValidateArguments;
use crate::definition::{Definition, Lookup};
use crate::exit::Failure;
use crate::substitutions::Substitutions;
use crate::terminal::{self, SUCCESS, count_noun};
use asl_lint::apply_fixes;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Maximum number of rounds: a fix can reveal a problem that the next round fixes.
const ROUNDS: usize = 10;

/// Fixes all definitions, and reports what was done.
pub(super) fn fix_definitions(
    arguments: &ValidateArguments,
    substitutions: &Substitutions,
    checking: &mut CheckSession,
) -> Result<(), Failure> {
    if arguments.files.iter().any(|file| file == "-") {
        return Err(Failure::new("--fix changes files, and cannot fix stdin"));
    }
    let mut done: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut written = BTreeSet::new();
        for argument in &arguments.files {
            // What cannot be looked at is told when all is checked.
            let Ok(looked) = Lookup::look(substitutions, argument) else {
                continue;
            };
            for definition in looked.definitions() {
                let (machine, options, _) = check(&definition, arguments, checking)?;
                let fixed = apply_fixes(definition.text(), machine.diagnostics(), options);
                // A file that was written is looked at anew, with all definitions in it.
                if fixed.files.is_empty() || is_stale(&definition, &written) {
                    continue;
                }
                for (file, text) in &fixed.files {
                    crate::replace::replace(file, text)?;
                    written.insert(file.clone());
                }
                let file = fixed.files.into_keys().next().unwrap_or_default();
                done.entry(file).or_default().extend(fixed.titles);
            }
        }
        if written.is_empty() {
            break;
        }
    }
    for (file, titles) in done {
        let mended = count_noun(titles.len(), "problem");
        let titles: BTreeSet<String> = titles.into_iter().collect();
        let titles: Vec<String> = titles.into_iter().collect();
        terminal::error_line(&format!(
            "{SUCCESS}fixed{SUCCESS:#} {mended} in {}: {}",
            file.display(),
            titles.join("; ")
        ));
    }
    Ok(())
}

fn is_stale(definition: &Definition, written: &BTreeSet<PathBuf>) -> bool {
    let mut files = definition.text().files();
    files.any(|file| written.contains(file.path()))
}
