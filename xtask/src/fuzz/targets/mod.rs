//! The targets: functions from bytes that panic where a law is broken.

mod aws_response;
mod definition;
mod intrinsic;
mod jsonata;
mod paths;
mod protocol;
mod runtime_api;
mod scalars;
mod template;

use super::machine;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A fuzz target.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Panics where a law is broken; otherwise a number that is the same for inputs that show the same.
    pub(super) run: fn(&[u8]) -> u64,
    /// Inputs too long for a file: nested a hundred thousand deep.
    pub(super) deep: fn() -> Vec<Vec<u8>>,
    /// Texts that mean something to it.
    pub(super) words: &'static [&'static str],
}

/// Depth of the deep inputs.
const DEEP: usize = 100_000;

pub(super) static TARGETS: [Target; 14] = [
    Target {
        name: "json-path",
        about: "parse, evaluate and normalize JSONPaths",
        run: paths::json_path,
        deep: paths::deep_json_paths,
        words: paths::WORDS,
    },
    Target {
        name: "reference-path",
        about: "parse, read and write Reference Paths",
        run: paths::reference_path,
        deep: paths::deep_reference_paths,
        words: paths::WORDS,
    },
    Target {
        name: "intrinsic",
        about: "parse and call intrinsic functions",
        run: intrinsic::run,
        deep: intrinsic::deep,
        words: intrinsic::WORDS,
    },
    Target {
        name: "jsonata",
        about: "parse and evaluate JSONata expressions",
        run: jsonata::run,
        deep: jsonata::deep,
        words: jsonata::WORDS,
    },
    Target {
        name: "definition-json",
        about: "parse, validate and compile definitions in JSON",
        run: definition::run,
        deep: definition::deep_json,
        words: definition::WORDS,
    },
    Target {
        name: "definition-yaml",
        about: "parse, validate and compile definitions in YAML",
        run: definition::run,
        deep: definition::deep_yaml,
        words: definition::WORDS,
    },
    Target {
        name: "template",
        about: "find state machines in templates, and lead their faults back",
        run: template::run,
        deep: template::deep,
        words: template::WORDS,
    },
    Target {
        name: "scalars",
        about: "parse timestamps and string patterns, match patterns, parse JSON",
        run: scalars::run,
        deep: scalars::deep,
        words: scalars::WORDS,
    },
    Target {
        name: "machine",
        about: "run generated definitions in any order of answers, time, stops; replay, save and restore",
        run: machine::run,
        deep: machine::deep,
        words: machine::WORDS,
    },
    Target {
        name: "save",
        about: "restore saves that were changed, and run what is taken up",
        run: machine::save::run,
        deep: machine::save::deep,
        words: machine::save::WORDS,
    },
    Target {
        name: "machine-jsonata",
        about: "the same with definitions in JSONata and with variables",
        run: machine::run_jsonata,
        deep: machine::deep_jsonata,
        words: machine::WORDS,
    },
    Target {
        name: "protocol",
        about: "conversations with the server of the API: every request is answered as the protocol says",
        run: protocol::run,
        deep: protocol::deep,
        words: protocol::WORDS,
    },
    Target {
        name: "aws-response",
        about: "read responses of AWS services in each of their protocols",
        run: aws_response::run,
        deep: aws_response::deep,
        words: aws_response::WORDS,
    },
    Target {
        name: "runtime-api",
        about: "requests of a Lambda runtime, of which one answers its event at most",
        run: runtime_api::run,
        deep: runtime_api::deep,
        words: runtime_api::WORDS,
    },
];

/// Returns one number for what an input showed.
pub(super) fn feature(shown: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    shown.hash(&mut hasher);
    hasher.finish()
}

/// Returns an open and a close repeated around a middle.
fn nested(open: &str, middle: &str, close: &str) -> Vec<u8> {
    [open.repeat(DEEP), middle.to_owned(), close.repeat(DEEP)]
        .concat()
        .into_bytes()
}

/// Removes the particulars of an error message, so that messages of one kind are equal.
pub(super) fn kind_of_message(message: &str) -> String {
    message
        .chars()
        .filter(|character| character.is_ascii_lowercase())
        .take(24)
        .collect()
}
