//! Records of state machines and activities, and their changes by requests.
//!
//! Each decision is a pure function of a record. [`Catalogue`] reads a record, lets a function decide, and writes the result
//! if the record has not changed in the meantime. Otherwise it repeats the decision.
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
