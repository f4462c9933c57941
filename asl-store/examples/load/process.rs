//! Resources of this process and its folder.
use std::collections::BTreeMap;
use std::path::Path;

/// CPU seconds of this process so far.
pub(crate) fn cpu() -> f64 {
    cpu_of(Path::new("/proc/self/stat"))
}

fn cpu_of(file: &Path) -> f64 {
    let stat = std::fs::read_to_string(file).unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks: f64 = [11, 12]
        .iter()
        .filter_map(|place| fields.get(*place)?.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// CPU seconds of its threads, by their names.
pub(crate) fn cpu_by_thread() -> BTreeMap<String, f64> {
    let mut threads = BTreeMap::new();
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    for task in tasks.flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        *threads.entry(name.trim().to_owned()).or_default() += cpu_of(&task.path().join("stat"));
    }
    threads
}

/// Bytes of this process in memory.
pub(crate) fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or_default() * 4_096
}

/// Bytes of the files of a folder.
pub(crate) fn size_of(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = files.filter_map(|file| Some(file.metadata().ok()?.len()));
    sizes.sum()
}

/// Returns the value below which this share of them is.
pub(crate) fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * share) as usize;
    let place = place.min(values.len().saturating_sub(1));
    values.get(place).copied().unwrap_or_default()
}
