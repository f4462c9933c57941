//! The directory of services.
use crate::container::COLUMNS;
use std::collections::HashMap;

/// Names of services in optimized integrations that differ from the API.
const OPTIMIZED: &[(&str, &str)] = &[("states", "sfn"), ("elasticmapreduce", "emr")];

/// All services.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The source of the data.
    pub(crate) source: String,
    entries: Vec<Entry>,
    /// The places of entries, by each of their names.
    places: HashMap<String, usize>,
}

/// A service.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) block: usize,
    /// Start and length in each column of the block.
    pub(crate) parts: [(usize, usize); COLUMNS],
}

impl Directory {
    /// Parses the directory: a first line with the source, then a line for each service with its names, its block, and the
    /// length of its part of each column. The parts follow each other.
    pub(crate) fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let mut directory = Self {
            source: lines.next().unwrap_or_default().to_owned(),
            ..Self::default()
        };
        let (mut block, mut offsets) = (0, [0_usize; COLUMNS]);
        for line in lines {
            let mut words = line.split(' ');
            let names = words.next().unwrap_or_default();
            let mut numbers = words.map(|word| word.parse().unwrap_or(0));
            let own = numbers.next().unwrap_or(0);
            if own != block {
                (block, offsets) = (own, [0; COLUMNS]);
            }
            let parts = offsets.each_mut().map(|offset| {
                let length = numbers.next().unwrap_or(0);
                let start = *offset;
                *offset = start.saturating_add(length);
                (start, length)
            });
            directory.add(names, block, parts);
        }
        directory
    }

    fn add(&mut self, names: &str, block: usize, parts: [(usize, usize); COLUMNS]) {
        let mut names = names.split(',');
        let name = names.next().unwrap_or_default().to_owned();
        let place = self.entries.len();
        for other in names {
            self.places.entry(other.to_owned()).or_insert(place);
        }
        self.places.insert(name.clone(), place);
        self.entries.push(Entry { name, block, parts });
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        let optimized = OPTIMIZED.iter().find(|(optimized, _)| *optimized == name);
        let name = optimized.map_or(name, |(_, name)| name);
        self.entries.get(*self.places.get(name)?)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }
}
