//! All workloads in one table.
use super::files::Workload;
use super::generated::{NAMES, SCALED, TWINS, scaled, twin};
use super::process;
use super::subject::{Host, Subject};
use crate::measure::format_seconds;
use crate::measure::{Budget, interleaved};
use std::path::Path;

/// Measures and prints them; true if every output is right.
pub(super) fn all(folder: Option<&Path>, host: Host) -> Result<bool, String> {
    let budget = Budget::from_environment()?;
    let mut all_right = true;
    println!(
        "{:<16}{:>12}{:>12}{:>10}{:>13}",
        "workload", "floor", "asl", "ratio", "transitions"
    );
    for name in NAMES {
        let workload = Workload::load(name, folder)?;
        let (mut floor, mut ours) = (Subject::floor(&workload)?, Subject::load(&workload, host)?);
        let measured = interleaved(&mut [&mut floor, &mut ours], budget);
        let right = floor.ok && ours.ok;
        all_right &= right;
        let note = match (floor.ok, ours.ok) {
            (true, true) => "",
            (true, false) => "  wrong output",
            (false, _) => "  the floor's output is wrong",
        };
        row(
            name,
            measured[0].seconds,
            measured[1].seconds,
            &ours.transitions.to_string(),
            note,
        );
    }
    let hello = process::hello(folder, budget)?;
    all_right &= hello.ok;
    row(
        "hello (process)",
        hello.floor.seconds,
        hello.measured.seconds,
        "1",
        if hello.ok { "" } else { "  wrong output" },
    );
    all_right &= twins(budget, host)?;
    Ok(growth(budget, host)? && all_right)
}

/// The same work in JSONPath and in JSONata.
fn twins(budget: Budget, host: Host) -> Result<bool, String> {
    println!(
        "\n{:<24}{:>12}{:>12}{:>10}",
        "twin in JSONata", "JSONPath", "JSONata", "ratio"
    );
    let mut all_right = true;
    for (name, keeping) in TWINS {
        let workload = Workload::load(name, None)?;
        let twin =
            twin(&workload, keeping).ok_or_else(|| format!("{name} has no twin in JSONata"))?;
        let (mut paths, mut jsonata) =
            (Subject::load(&workload, host)?, Subject::load(&twin, host)?);
        let measured = interleaved(&mut [&mut paths, &mut jsonata], budget);
        let right = paths.ok && jsonata.ok;
        all_right &= right;
        let note = if right { "" } else { "  wrong output" };
        let [paths, jsonata] = [measured[0].seconds, measured[1].seconds];
        println!(
            "{:<24}{:>12}{:>12}{:>10}{note}",
            twin.name,
            format_seconds(paths),
            format_seconds(jsonata),
            format!("{:.2}×", jsonata / paths)
        );
    }
    Ok(all_right)
}

fn row(name: &str, floor: f64, ours: f64, transitions: &str, note: &str) {
    let ratio = format!("{:.2}×", ours / floor);
    println!(
        "{name:<16}{:>12}{:>12}{ratio:>10}{transitions:>13}{note}",
        format_seconds(floor),
        format_seconds(ours)
    );
}

/// Three workloads at one, two and four times their size: time should grow no faster than that.
fn growth(budget: Budget, host: Host) -> Result<bool, String> {
    const SIZES: [usize; 3] = [1, 2, 4];
    println!(
        "\n{:<16}{:>10}{:>12}{:>12}{:>12}{:>16}",
        "growth", "of", "1×", "2×", "4×", "per doubling"
    );
    let mut all_right = true;
    for (name, what) in SCALED {
        let mut subjects = Vec::new();
        for size in SIZES {
            subjects.push(Subject::load(&scaled(name, size), host)?);
        }
        let mut borrowed: Vec<&mut Subject> = subjects.iter_mut().collect();
        let measured = interleaved(&mut borrowed, budget);
        all_right &= subjects.iter().all(|subject| subject.ok);
        let [one, two, four] = [0, 1, 2].map(|size: usize| measured[size].seconds);
        let growth = format!("{:.2}× {:.2}×", two / one, four / two);
        println!(
            "{name:<16}{what:>10}{:>12}{:>12}{:>12}{growth:>16}",
            format_seconds(one),
            format_seconds(two),
            format_seconds(four)
        );
    }
    Ok(all_right)
}
