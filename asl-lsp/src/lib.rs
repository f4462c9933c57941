#![doc = include_str!("../README.md")]

mod analysis;
mod called;
mod completion;
mod context_object;
#[cfg(test)]
mod conversations;
mod diagnostics;
mod documents;
mod expressions;
mod hover;
mod location;
mod navigation;
mod outline;
mod rename;
mod server;
mod symbols;
mod syntax;
#[cfg(test)]
mod testing;
mod text;
mod texts;
mod transport;

pub use server::{End, Server, serve, serve_streams};
