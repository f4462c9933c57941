#![doc = include_str!("../README.md")]

mod application;
mod cloudformation;
mod contents;
mod document;
mod file;
mod finding;
mod kind;
mod machine_source;
mod node;
mod places;
mod repository;
mod search;
mod serverless;
mod shelf;
mod substitutions;
mod terraform;
mod text;
mod variables;

pub use application::{
    ApplicationSource, CodeSource, EventSource, FunctionSource, ResourceSource, read_application,
};
pub use contents::{Contents, ReadOptions, file_of, is_definition, read_file, read_machine};
pub use file::{File, FileSystem, Files, Place, nearest_file, open_regular};
pub use finding::{Finding, FindingCode};
pub use kind::Kind;
pub use machine_source::StateMachineSource;
pub use places::Places;
pub use repository::is_of_repository;
pub use search::{
    SourceTool, files_below, files_of_pattern, is_called_definition, is_pattern, pattern_names,
    plain_path, sources_below,
};
pub use substitutions::Substitutions;
pub use text::DefinitionText;
