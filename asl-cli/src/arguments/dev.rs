//! `asl dev`.
use super::ServeArguments;
use clap::Args;
use std::path::PathBuf;

const DEV_EXAMPLES: &str = "\
Examples:
  asl dev
  asl dev template.yaml --aws http://127.0.0.1:5000
  asl dev --function 'charge=exec:./charge' --in-memory --port 0";

/// Arguments of `asl dev`.
#[derive(Debug, Args)]
#[command(after_help = DEV_EXAMPLES, mut_arg("watch", |it| it.hide(true)), mut_arg("express", |it| it.hide(true)))]
pub(crate) struct DevArguments {
    /// Templates, definitions, or folders of an application [default: the current folder]
    ///
    /// Templates are those of SAM, CloudFormation and the Serverless Framework, what CDK synthesises, and plans and states that
    /// `terraform show -json` prints. Their functions of Python and Node.js run as processes of this machine, and others by
    /// their executable `bootstrap`. A change of a template, a definition or the code of a function takes effect at once.
    pub(crate) paths: Vec<PathBuf>,

    /// Perform a function by a handler instead of its code: NAME=exec:CMD ARG… or NAME=http://…; repeatable
    #[arg(
        long = "function",
        value_name = "NAME=HANDLER",
        help_heading = "Functions"
    )]
    pub(crate) functions: Vec<String>,

    /// Maximum processes of one function [default: the number of cores, at least 4]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Functions"
    )]
    pub(crate) function_concurrency: Option<u16>,

    /// Start a function under a debugger that waits on a port: debugpy, or the inspector of Node.js; repeatable
    #[arg(long, value_name = "NAME=PORT", help_heading = "Functions")]
    pub(crate) debug_function: Vec<String>,

    /// Do not install modules that functions lack
    #[arg(long, help_heading = "Functions")]
    pub(crate) no_install: bool,

    /// Do not create tables, queues, topics, buckets and event buses that the endpoint of --aws lacks
    #[arg(long, help_heading = "Functions")]
    pub(crate) no_create: bool,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,
}
