//! The database: its tables, what is written to them, and what is read from them. No SQL stands anywhere else.
pub(crate) mod abandoned;
pub(crate) mod catalogue;
pub(crate) mod connection;
pub(crate) mod damaged_log;
pub(crate) mod definitions;
pub(crate) mod earlier_run;
pub(crate) mod executions;
pub(crate) mod journal;
pub(crate) mod operation;
pub(crate) mod retention;
pub(crate) mod row;
pub(crate) mod schema;
pub(crate) mod sealed_history;
pub(crate) mod stored_execution;
pub(crate) mod stored_files;
pub(crate) mod writer;
