#![doc = include_str!("../README.md")]

mod check;
mod checked;
mod explain;
mod fix;
mod flow;
pub mod format;
mod ignores;
mod integrations;
mod lint;
mod located;
mod nearest_settings;
mod registry;
mod settings;
mod subject;

pub use asl_services as services;

pub use check::Checker;
#[cfg(feature = "services")]
pub use check::{check, lint};
pub use checked::{CheckedMachine, findings_of, without_repeated_warnings};
pub use explain::{Explanation, explanation, explanations, rules, rules_of_code};
pub use fix::{Edits, FixedText, TextEdit, apply_fixes};
pub use lint::Lint;
pub use located::LocatedDiagnostic;
pub use nearest_settings::{NearestSettings, SettingsOfFolders, UnreadableSettings};
pub use settings::{Level, Settings, SettingsError, TaskPerformers};
