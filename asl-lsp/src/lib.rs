#![doc = include_str!("../README.md")]

mod diagnostics;
mod documents;
mod location;
mod server;
mod text;
mod transport;

pub use server::{End, Server, serve, serve_streams};
