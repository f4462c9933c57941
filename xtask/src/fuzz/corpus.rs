//! Inputs worth mutating: the seeds, and what showed something new.
use super::targets::Target;
use crate::workspace;
use std::collections::HashSet;
use std::fs;
use std::time::Duration;

/// Maximum number of inputs: the first ones differ most.
const LARGEST: usize = 4_000;

/// Longer inputs are run, but not mutated.
const LONGEST: usize = 1 << 14;

/// Nor are those that take longer: a hundred others can be run in that time.
const SLOWEST: Duration = Duration::from_millis(20);

/// Features of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// The same for inputs that show the same.
    pub(super) feature: u64,
    pub(super) took: Duration,
}

/// Inputs worth mutating.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    inputs: Vec<Vec<u8>>,
    features: HashSet<u64>,
}

impl Corpus {
    /// Keeps an input that showed something new; whether it did.
    pub(super) fn add(&mut self, input: Vec<u8>, shown: Shown) -> bool {
        let is_new = input.len() <= LONGEST
            && shown.took <= SLOWEST
            && self.inputs.len() < LARGEST
            && self.features.insert(shown.feature);
        if is_new {
            self.inputs.push(input);
        }
        is_new
    }

    /// Returns the inputs.
    pub(super) fn inputs(&self) -> &[Vec<u8>] {
        &self.inputs
    }
}

/// Returns the files of `fuzz/seeds/TARGET/` in the order of their names, and the deep inputs of the target.
pub(super) fn seeds(target: &Target) -> Result<Vec<Vec<u8>>, String> {
    let folder = workspace::root().join("fuzz/seeds").join(target.name);
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(fault)? {
        paths.push(entry.map_err(fault)?.path());
    }
    paths.sort();
    let mut seeds = Vec::new();
    for path in paths {
        seeds.push(fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    seeds.extend((target.deep)());
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::targets::TARGETS;

    #[test]
    fn only_what_shows_something_new_is_kept() {
        let shown = |feature| Shown {
            feature,
            took: Duration::ZERO,
        };
        let slow = Shown {
            feature: 9,
            took: SLOWEST * 2,
        };
        let mut corpus = Corpus::default();
        assert!(corpus.add(vec![1], shown(7)));
        assert!(!corpus.add(vec![2], shown(7)));
        assert!(
            !corpus.add(vec![0; LONGEST + 1], shown(8)),
            "too long to mutate"
        );
        assert!(!corpus.add(vec![3], slow), "too slow to mutate");
        assert_eq!(corpus.inputs(), [vec![1]]);
    }

    #[test]
    fn every_target_has_seeds_and_every_folder_of_seeds_a_target() {
        for target in &TARGETS {
            let deep = (target.deep)().len();
            let all = seeds(target).expect("a folder of seeds").len();
            assert!(all > deep, "{} has no seeds of its own", target.name);
        }
        let folders = fs::read_dir(workspace::root().join("fuzz/seeds")).expect("seeds");
        for folder in folders {
            let name = folder.expect("a folder").file_name();
            assert!(
                TARGETS.iter().any(|target| name == target.name),
                "{name:?} is no target"
            );
        }
    }
}
