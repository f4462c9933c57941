//! Saves and journals that were written once, under `tests/saves/core-VERSION/`: whatever changes, they are read as they
//! were meant.
//!
//! Those of this [`CORE_VERSION`] replay, fingerprint by fingerprint, to the very save of the file, and what is restored goes
//! on to the end of the file with the same outputs. Those of an earlier core are restored and replayed, and continue in the same way.
//!
//! `UPDATE_SAVES=1 cargo nextest run -p asl-engine saves` writes the files that this version lacks for the samples of
//! `samples.rs`, and none that is there: a file that does not hold any more is a change of the format, or of what the core
//! does.
use crate::host::{Host, OutputKind};
use crate::samples::{Begin, Sample, samples};
use asl_engine::{CORE_VERSION, Execution, JournalRecord, SavedExecution};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::{env, fs};

/// Samples of what an earlier core could not do, and since which it can be done.
const LATER: &[(&str, u32)] = &[("mocked", 2), ("reading_again", 4)];

/// Journals of earlier cores that lead another way by now, for what these cores did otherwise: their saves alone are taken up.
const OTHERWISE: &[(u32, &str)] = &[(1, "redriven"), (2, "redriven")];

/// Content of a file.
#[derive(Debug, Serialize, Deserialize)]
struct SaveFile {
    core: u32,
    definition: Value,
    begin: Begin,
    /// True if the host makes the tokens.
    tokens: bool,
    /// True if what the last record led to is left to be polled.
    unpolled: bool,
    journal: Vec<JournalRecord>,
    save: Value,
    /// Later outputs, if all effects have results: as texts, with the outcome at the end.
    then: Vec<String>,
}

fn folder(core: u32) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/saves/core-{core}"))
}

fn path(core: u32, name: &str) -> PathBuf {
    folder(core).join(format!("{name}.json"))
}

/// Returns the later outputs and the outcome as texts.
fn rest(execution: Execution) -> Vec<String> {
    let mut host = Host::take_up(execution);
    let outcome = match host.execution.outcome() {
        Some(outcome) => outcome.clone(),
        None => host.finish(),
    };
    let outputs = host.outputs.into_iter();
    // How a step is printed is none of the format.
    let outputs = outputs.filter(|(kind, _)| *kind != OutputKind::Rest);
    let mut texts: Vec<String> = outputs.map(|(_, text)| text).collect();
    texts.push(serde_json::to_string(&outcome).expect("an outcome can be written"));
    texts
}

fn kept(sample: &Sample) -> SaveFile {
    let host = sample.host();
    let save = host.execution.save();
    SaveFile {
        core: CORE_VERSION,
        definition: sample.definition.clone(),
        begin: sample.begin.clone(),
        tokens: sample.tokens,
        unpolled: sample.unpolled,
        journal: host.journal,
        save: serde_json::to_value(&save).expect("a save can be written"),
        then: rest(sample.restored(save)),
    }
}

/// The sample that a file was written of, as far as the file reports.
fn from_kept(name: &'static str, kept: &SaveFile) -> Sample {
    Sample {
        name,
        definition: kept.definition.clone(),
        begin: kept.begin.clone(),
        inputs: Vec::new(),
        tokens: kept.tokens,
        unpolled: kept.unpolled,
    }
}

fn replayed(sample: &Sample, kept: &SaveFile) -> Execution {
    let mut execution = sample.begun();
    let mut journal = kept.journal.clone();
    let last = journal.pop().filter(|_| kept.unpolled);
    let all = last.is_none().then(|| kept.journal.clone());
    let replayed = execution.replay_on(all.unwrap_or(journal));
    replayed.unwrap_or_else(|error| panic!("{}: {error}", sample.name));
    if let Some(last) = last {
        assert_eq!(execution.fingerprint(), last.fingerprint, "{}", sample.name);
        execution.handle_input(last.now, last.input);
    }
    execution
}

fn update() {
    fs::create_dir_all(folder(CORE_VERSION)).expect("it can be made");
    for sample in samples() {
        let path = path(CORE_VERSION, sample.name);
        if !path.exists() {
            let text = serde_json::to_string_pretty(&kept(&sample)).expect("it can be written");
            fs::write(&path, text + "\n").expect("it can be written");
        }
    }
}

fn read(core: u32, name: &str) -> SaveFile {
    let path = path(core, name);
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let kept: SaveFile = serde_json::from_str(&text).expect("a file of this test");
    assert_eq!(kept.core, core, "{}", path.display());
    kept
}

#[test]
fn what_this_core_saved_once_is_read_and_replayed_as_it_was_meant() {
    if env::var_os("UPDATE_SAVES").is_some() {
        update();
    }
    for Sample { name, .. } in samples() {
        let kept = read(CORE_VERSION, name);
        let sample = from_kept(name, &kept);
        let save: SavedExecution = serde_json::from_value(kept.save.clone()).expect("a save");
        let restored = sample.restored(save);
        let again = serde_json::to_value(restored.save()).expect("a save can be written");
        assert_eq!(again, kept.save, "{name} is restored otherwise");
        let replayed = serde_json::to_value(replayed(&sample, &kept).save());
        let replayed = replayed.expect("a save can be written");
        assert_eq!(replayed, kept.save, "{name} replays otherwise");
        assert_eq!(rest(restored), kept.then, "{name} goes on otherwise");
    }
}

#[test]
fn what_earlier_cores_saved_is_taken_up() {
    let earlier = (1..=CORE_VERSION).filter(|core| *core != CORE_VERSION);
    for core in earlier {
        for Sample { name, .. } in samples() {
            if LATER
                .iter()
                .any(|(later, since)| *later == name && core < *since)
            {
                continue;
            }
            let kept = read(core, name);
            let save = serde_json::from_value(kept.save.clone()).expect("a save");
            let sample = from_kept(name, &kept);
            let restored = rest(sample.restored(save));
            // By the rule of that core, which ended a turn after a number of transitions.
            if !OTHERWISE.contains(&(core, name)) {
                let replayed = rest(replayed(&sample, &kept));
                assert_eq!(replayed, restored, "{name} of core {core}");
            }
        }
    }
}

/// Files whose samples are gone would be read by nobody.
#[test]
fn every_file_has_a_sample() {
    let names: Vec<&str> = samples().iter().map(|sample| sample.name).collect();
    for core in 1..=CORE_VERSION {
        for entry in fs::read_dir(folder(core)).expect("saves of every version") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|name| name.to_str());
            assert!(names.contains(&name.expect("a name")), "{}", path.display());
        }
    }
}
