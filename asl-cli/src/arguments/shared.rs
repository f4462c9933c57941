//! Arguments that several commands share.
use crate::definition::Definition;
use crate::exit::Failure;
use crate::random;
use crate::settings::settings_of;
use crate::source::Source;
use asl_engine::runtime::Clock;
use asl_lint::{NearestSettings, SettingsOfFolders};
use asl_model::{Options, Placeholders, Profile, ResourceNames, StateMachineType, Timestamp};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::path::PathBuf;

/// The input of an execution or evaluation.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The input, available as $ and $states.input: JSON, @FILE, or - for stdin [default: {}]
    #[arg(
        short,
        long = "input",
        value_name = "JSON|@FILE|-",
        allow_hyphen_values = true
    )]
    input: Option<String>,
}

impl Input {
    /// Returns the argument as given.
    pub(crate) fn argument(&self) -> &str {
        self.input.as_deref().unwrap_or("{}")
    }

    /// Returns true if the argument was given.
    pub(crate) fn is_given(&self) -> bool {
        self.input.is_some()
    }

    /// Reads the input, and returns it with its text.
    pub(crate) fn read_with_text(&self) -> Result<(Value, String), Failure> {
        let source = Source::read_argument("--input", self.argument())?;
        Ok((source.json()?, source.text.trim().to_owned()))
    }
}

/// The rules that a definition is checked against.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Rules {
    /// State machine type [default: from the template, otherwise standard]
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    machine_type: Option<MachineType>,

    /// Follow the service or the specification where they differ
    #[arg(long, value_enum, default_value_t, value_name = "PROFILE")]
    profile: ProfileName,

    /// Resources that tasks may have: those of the service, or any name of a handler [default: from asl.toml, otherwise known]
    #[arg(long, value_enum, value_name = "RESOURCES")]
    resources: Option<ResourcesName>,
}

impl Rules {
    /// Converts the rules to options of the libraries.
    pub(crate) fn options(self) -> Options {
        Options::default()
            .with_profile(match self.profile {
                ProfileName::Aws => Profile::Aws,
                ProfileName::Spec => Profile::Spec,
            })
            .with_state_machine_type(match self.machine_type {
                None | Some(MachineType::Standard) => StateMachineType::Standard,
                Some(MachineType::Express) => StateMachineType::Express,
            })
    }

    /// Returns the options for a definition with these settings. If its template has a type, that type applies.
    pub(crate) fn options_for(
        self,
        definition: &Definition,
        settings: &NearestSettings,
    ) -> Options {
        let resources = match self.resources {
            Some(ResourcesName::Known) => ResourceNames::Known,
            Some(ResourcesName::Any) => ResourceNames::Any,
            None => settings.resources().unwrap_or_default(),
        };
        definition
            .options(self.options(), self.machine_type.is_some())
            .with_resources(resources)
    }

    /// Returns the options to run a definition: placeholders without a value stay in place.
    pub(crate) fn options_to_run(self, definition: &Definition) -> Result<Options, Failure> {
        let mut settings = SettingsOfFolders::default();
        let settings = settings_of(definition.source().file(), &mut settings)?;
        Ok(self
            .options_for(definition, &settings)
            .with_placeholders(Placeholders::Left))
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MachineType {
    Standard,
    Express,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ResourcesName {
    Known,
    Any,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProfileName {
    #[default]
    Aws,
    Spec,
}

/// Values for the placeholders of a definition.
#[derive(Debug, Args)]
pub(crate) struct Substitutions {
    /// Replace ${NAME} with VALUE before parsing; repeatable
    #[arg(
        long = "substitute",
        value_name = "NAME=VALUE",
        help_heading = "Placeholders"
    )]
    pub(crate) values: Vec<String>,

    /// Read replacements from a JSON or YAML object, or from a .env file
    #[arg(
        long = "substitutions",
        value_name = "FILE",
        help_heading = "Placeholders"
    )]
    pub(crate) file: Option<String>,

    /// Allow a template to read files outside its repository
    #[arg(long, help_heading = "Placeholders")]
    pub(crate) files_anywhere: bool,
}

/// Task handlers, and the location of S3 objects.
#[derive(Debug, Args)]
pub(crate) struct TaskArguments {
    /// Handle the tasks of a resource with RESOURCE=exec:CMD ARG… or RESOURCE=http://…; repeatable
    ///
    /// RESOURCE is the Resource as written, a pattern with `*`, or the name of a Lambda function. exec: runs a command with
    /// the payload on stdin, and reads the result from stdout. http: sends the payload in a POST request.
    #[arg(long = "task", value_name = "RESOURCE=HANDLER", help_heading = "Tasks")]
    pub(crate) handlers: Vec<String>,

    /// Call AWS services at URL, or AWS itself with `real`, for tasks without another handler
    ///
    /// AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_SERVICE, and the same settings of the profile, name endpoints too. Credentials
    /// are those of the environment or the profile. AWS itself is called only with `real`.
    #[arg(long, value_name = "URL|real", help_heading = "Tasks")]
    pub(crate) aws: Option<String>,

    /// Call only operations of AWS services that change nothing
    #[arg(long, help_heading = "Tasks")]
    pub(crate) aws_read_only: bool,

    /// Assume the role that a state names in Credentials for its calls of AWS services
    #[arg(long, help_heading = "Tasks")]
    pub(crate) assume_roles: bool,

    /// Allow tasks of http:invoke and apigateway:invoke to call HOST, HOST:PORT, or hosts of a pattern such as
    /// `*.example.com`; repeatable
    ///
    /// Link-local addresses, such as those of instance metadata, are called only if they are allowed by their own name.
    #[arg(long, value_name = "HOST", help_heading = "Tasks")]
    pub(crate) allow_http: Vec<String>,

    /// Read the connections of http:invoke from a JSON or YAML object: by name, as CreateConnection of EventBridge takes them
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) connections: Option<String>,

    /// Maximum concurrent commands and connections; further tasks wait
    #[arg(
        long,
        value_name = "N",
        default_value_t = 64,
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Tasks"
    )]
    pub(crate) max_concurrent_tasks: u16,

    /// Serve Amazon S3 for ItemReader and ResultWriter from DIR/bucket/key
    #[arg(long, value_name = "DIR", help_heading = "Tasks")]
    pub(crate) s3_root: Option<PathBuf>,
}

/// Start time and randomness of an execution or evaluation.
#[derive(Debug, Args)]
pub(crate) struct TimeAndChance {
    /// Start time, such as 2024-01-31T12:00:00Z [default: the system clock]
    #[arg(long, value_name = "RFC3339", help_heading = "Time and randomness")]
    now: Option<String>,

    /// Make UUIDs, random numbers and retry jitter repeatable
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 0),
        allow_hyphen_values = true,
        help_heading = "Time and randomness"
    )]
    seed: Option<u64>,
}

impl TimeAndChance {
    /// Returns the start time given, or the current time.
    pub(crate) fn now(&self) -> Result<Timestamp, Failure> {
        match &self.now {
            Some(text) => Timestamp::parse(text).ok_or_else(|| {
                Failure::new(format!(
                    "--now {text:?} is not a timestamp: expected RFC 3339 with T, and Z or an offset, such as 2024-01-31T12:00:00Z"
                ))
            }),
            None => Ok(Clock::real().now()),
        }
    }

    /// Returns true if a start time was given.
    pub(crate) fn is_now_given(&self) -> bool {
        self.now.is_some()
    }

    /// Returns the seed that was given.
    pub(crate) fn seed_option(&self) -> Option<u64> {
        self.seed
    }

    /// Returns the seed that was given, or a random one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(random::system_seed)
    }
}

/// Parses a whole number of at least `least`.
pub(super) fn whole_number(text: &str, least: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("expected a whole number from {least} to {}", u64::MAX))
}
