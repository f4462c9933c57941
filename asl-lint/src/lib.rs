#![doc = include_str!("../README.md")]

mod check;
mod explain;
mod fix;
mod flow;
mod ignores;
mod integrations;
mod lint;
mod nearest_settings;
mod registry;
mod settings;
mod subject;

pub use check::{Checker, check, lint};
pub use explain::{Explanation, explanation, explanations, rules, rules_of_code};
pub use fix::{Edits, FixedText, TextEdit, apply_fixes};
pub use lint::Lint;
pub use nearest_settings::{NearestSettings, SettingsOfFolders, UnreadableSettings};
pub use settings::{Level, Settings, SettingsError};
