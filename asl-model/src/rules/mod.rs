//! The rules of definitions, one file each; what only the types of fields say is in [`crate::read`].

pub(crate) mod credentials;
pub(crate) mod error_names;
pub(crate) mod fail_fields;
pub(crate) mod integration_arguments;
pub(crate) mod jsonata_references;
pub(crate) mod known_fields;
pub(crate) mod labels;
pub(crate) mod placeholders;
pub(crate) mod query_language;
pub(crate) mod resources;
pub(crate) mod state_names;
pub(crate) mod static_paths;
pub(crate) mod transition_targets;
pub(crate) mod undefined_variables;
pub(crate) mod unused_variables;
pub(crate) mod variable_names;
pub(crate) mod variable_scopes;
pub(crate) mod variables;
