//! What state machines and activities are: records, and what requests make of them.
//!
//! Each decision is a pure function of a record. [`Catalogue`] reads a record, has it decided, and writes what came of it where
//! nobody wrote meanwhile; otherwise it is decided anew.
mod activity;
mod aliases;
mod change;
mod configuration;
mod machine;
mod recent;
mod revision;
mod tags;
mod versions;

pub(crate) use activity::ActivityRecord;
pub(crate) use aliases::{Alias, AliasRequest, Route, RoutingRequest, routes};
pub(crate) use change::{Catalogue, Change, Key, Record};
pub(crate) use configuration::{check_logged_name, encryption, logging, tracing};
pub(crate) use machine::{CreateRequest, StateMachineRecord, UpdateRequest};
pub(crate) use revision::{Revision, digits};
pub(crate) use tags::{Tag, Tags};
pub(crate) use versions::{Publication, Version};
