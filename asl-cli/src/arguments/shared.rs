//! What several commands are given.
use crate::definition::Definition;
use crate::exit::Failure;
use crate::random;
use crate::source::Source;
use asl_engine::runtime::Clock;
use asl_model::{Options, Placeholders, Profile, StateMachineType, Timestamp};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::path::PathBuf;

/// The input.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The input, which $ and $states.input name: JSON, @FILE, or - for stdin; {} by default
    #[arg(
        short,
        long = "input",
        value_name = "JSON|@FILE|-",
        allow_hyphen_values = true
    )]
    input: Option<String>,
}

impl Input {
    /// The argument as it stands.
    pub(crate) fn argument(&self) -> &str {
        self.input.as_deref().unwrap_or("{}")
    }

    /// Whether it was given.
    pub(crate) fn is_given(&self) -> bool {
        self.input.is_some()
    }

    /// Reads it, with its text as it is sent.
    pub(crate) fn read_with_text(&self) -> Result<(Value, String), Failure> {
        let source = Source::read_argument("--input", self.argument())?;
        Ok((source.json()?, source.text.trim().to_owned()))
    }
}

/// Which rules a definition is held against.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Rules {
    /// The kind of state machine: what its template says, else standard
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    machine_type: Option<MachineType>,

    /// Whose behaviour counts where the service and the specification differ
    #[arg(long, value_enum, default_value_t, value_name = "PROFILE")]
    profile: ProfileName,
}

impl Rules {
    /// The same for the libraries.
    pub(crate) fn options(self) -> Options {
        Options {
            profile: match self.profile {
                ProfileName::Aws => Profile::Aws,
                ProfileName::Spec => Profile::Spec,
            },
            state_machine_type: match self.machine_type {
                None | Some(MachineType::Standard) => StateMachineType::Standard,
                Some(MachineType::Express) => StateMachineType::Express,
            },
            ..Options::default()
        }
    }

    /// The same of a definition, which may come from a template that says of what kind it is.
    pub(crate) fn options_for(self, definition: &Definition) -> Options {
        definition.options(self.options(), self.machine_type.is_some())
    }

    /// The same where the definition is to be run: placeholders without a value are left where they are.
    pub(crate) fn options_to_run(self, definition: &Definition) -> Options {
        Options {
            placeholders: Placeholders::Left,
            ..self.options_for(definition)
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MachineType {
    Standard,
    Express,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProfileName {
    #[default]
    Aws,
    Spec,
}

/// What stands for the placeholders of a definition.
#[derive(Debug, Args)]
pub(crate) struct Substitutions {
    /// Put VALUE where the definition has ${NAME}, in its text, before it is read; repeatable
    #[arg(
        long = "substitute",
        value_name = "NAME=VALUE",
        help_heading = "Placeholders"
    )]
    pub(crate) values: Vec<String>,

    /// The same for each field of a JSON or YAML object, or each line of a .env file
    #[arg(
        long = "substitutions",
        value_name = "FILE",
        help_heading = "Placeholders"
    )]
    pub(crate) file: Option<String>,

    /// Read files outside of the repository that a template names
    #[arg(long, help_heading = "Placeholders")]
    pub(crate) files_anywhere: bool,
}

/// Who does the tasks, and where their objects are.
#[derive(Debug, Args)]
pub(crate) struct TaskArguments {
    /// Who does the tasks of a resource: RESOURCE=exec:CMD ARG… or RESOURCE=http://…; repeatable
    ///
    /// RESOURCE is the Resource as written, or a pattern with `*`, or a Lambda function's name.
    /// exec: gets the payload on stdin and answers on stdout; http: is POSTed the payload.
    #[arg(long = "task", value_name = "RESOURCE=HANDLER", help_heading = "Tasks")]
    pub(crate) handlers: Vec<String>,

    /// At most so many commands and connections at a time; the others wait
    #[arg(
        long,
        value_name = "N",
        default_value_t = 64,
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Tasks"
    )]
    pub(crate) max_concurrent_tasks: u16,

    /// Serve Amazon S3 of ItemReader and ResultWriter from DIR/bucket/key
    #[arg(long, value_name = "DIR", help_heading = "Tasks")]
    pub(crate) s3_root: Option<PathBuf>,
}

/// The moment and the randomness of an execution or an evaluation.
#[derive(Debug, Args)]
pub(crate) struct TimeAndChance {
    /// What time it is at the start, as 2024-01-31T12:00:00Z; the system's clock by default
    #[arg(long, value_name = "RFC3339", help_heading = "Time and chance")]
    now: Option<String>,

    /// Makes UUIDs, random numbers and retry jitter repeatable
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 0),
        allow_hyphen_values = true,
        help_heading = "Time and chance"
    )]
    seed: Option<u64>,
}

impl TimeAndChance {
    /// The moment that was given, or now.
    pub(crate) fn now(&self) -> Result<Timestamp, Failure> {
        match &self.now {
            Some(text) => Timestamp::parse(text).ok_or_else(|| {
                Failure::new(format!(
                    "--now {text:?} is not a moment: expected RFC 3339 with T, and Z or an offset, as 2024-01-31T12:00:00Z"
                ))
            }),
            None => Ok(Clock::real().now()),
        }
    }

    /// Whether a moment was given.
    pub(crate) fn is_now_given(&self) -> bool {
        self.now.is_some()
    }

    /// The seed that was given.
    pub(crate) fn given_seed(&self) -> Option<u64> {
        self.seed
    }

    /// The seed that was given, or one of the system's.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(random::system_seed)
    }
}

/// A whole number that is not less than `least`.
pub(super) fn whole_number(text: &str, least: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("expected a whole number from {least} to {}", u64::MAX))
}
