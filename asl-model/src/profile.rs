//! Differences between the documents and the service.

/// The behaviour to follow where the service and the specification differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Profile {
    /// AWS Step Functions, as recorded.
    #[default]
    Aws,
    /// The text of the specification.
    Spec,
}

/// The kind of state machine, as CreateStateMachine's `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum StateMachineType {
    /// Exactly-once, up to a year.
    #[default]
    Standard,
    /// At-least-once execution, up to five minutes; without `.sync`, `.waitForTaskToken` and activities.
    Express,
}

impl Profile {
    /// Returns the timeout of a task that sets none: unlimited on the service, a minute by the specification (Task State).
    pub const fn default_task_timeout_seconds(self) -> Option<u64> {
        match self {
            Self::Aws => None,
            Self::Spec => Some(60),
        }
    }

    /// Least "IntervalSeconds" of a retrier, in seconds: the service accepts 0, the specification wants a positive integer
    /// (Errors, Retrying after error).
    pub const fn least_retry_interval(self) -> u64 {
        match self {
            Self::Aws => 0,
            Self::Spec => 1,
        }
    }

    /// Returns true if a service integration needs "Parameters" or "Arguments" with the fields that the service requires when it
    /// creates a state machine; the specification knows no integrations (Task State).
    pub const fn requires_integration_arguments(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if "Credentials" are refused for activities, as the service does; the specification leaves them to the
    /// interpreter (Task State).
    pub const fn refuses_credentials_of_activities(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if a Fail State needs an error and a cause: the specification says so (Fail State).
    pub const fn requires_error_and_cause(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if a resource is an Amazon Resource Name, and one that the service has; by the specification it is any
    /// URI (Task State).
    pub const fn requires_known_resources(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if a Payload Template is an object: the service takes any JSON (Payload Template).
    pub const fn requires_objects_as_templates(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if "Items" of a JSONata Map State may be an object: by the specification it is an array (Selecting
    /// Items).
    pub const fn takes_objects_as_items(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if the paths of a Choice Rule are Reference Paths: by the specification any Path will do (Data-test
    /// expression).
    pub const fn requires_reference_paths_in_rules(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if "Credentials" name a role. By the specification, the interpreter defines their content (Task State).
    pub const fn requires_a_role(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if names that begin with `States.` and mean nothing are refused in "ErrorEquals" (Error representation).
    pub const fn refuses_unknown_reserved_errors(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if the wildcards of "ErrorEquals" match a States.DataLimitExceeded that a task reports: recorded, they
    /// do; by the service's guide to errors they do not.
    pub const fn wildcards_match_reported_data_limits(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if a path of a Payload Template that finds nothing is a States.ParameterPathFailure (Payload Template);
    /// the service reports States.Runtime.
    pub const fn reports_parameter_path_failures(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if "MaxConcurrencyPath", "ToleratedFailureCountPath" and "ToleratedFailurePercentagePath" take no path
    /// into the Context Object: recorded, they do not; by the specification they are Reference Paths like others.
    pub const fn reads_map_numbers_from_data_alone(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns the least that "MaxItems" and "MaxItemsPerBatch" may be: recorded, the service takes 0; by the specification
    /// they are positive (Reading Items, Batching Items).
    pub const fn least_maximum(self) -> u64 {
        match self {
            Self::Aws => 0,
            Self::Spec => 1,
        }
    }

    /// Returns true if an "ItemBatcher" has at least one limit (Batching Items): definitions that run on the service have
    /// none.
    pub const fn requires_limits_of_batches(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns the maximum number of characters of a definition, which the specification does not limit.
    pub const fn longest_definition(self) -> Option<usize> {
        match self {
            Self::Aws => Some(1_048_576),
            Self::Spec => None,
        }
    }

    /// Returns true if each branch and each processor must have a terminal state (Parallel State). Recorded: the service
    /// requires one of the machine only.
    pub const fn requires_inner_terminal_states(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if an intrinsic function that fails is a States.IntrinsicFailure (Appendix A); the service reports
    /// States.Runtime.
    pub const fn reports_intrinsic_failures(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if a Choice State without a match is a States.NoChoiceMatched (Choice State); the service reports
    /// States.Runtime.
    pub const fn reports_unmatched_choices(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if an "ItemsPath" that finds nothing is a States.ReferencePathConflict, as users of the service report.
    /// The specification has no name for it.
    pub const fn reports_reference_path_conflicts(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if a call of an intrinsic function that can only fail is refused (Appendix B): the service takes it, and
    /// fails when it is evaluated.
    pub const fn refuses_misused_functions(self) -> bool {
        matches!(self, Self::Spec)
    }

    /// Returns true if a scope may assign a name that only a catcher of the scope around it assigns: recorded, it may; by
    /// the specification names are unique (Variable Scope).
    pub const fn shares_names_with_catchers(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if an Error Output has fields that its error lacks, as null, or as "" after a timeout: recorded, it
    /// does; by the specification it has what there is (Error representation).
    pub const fn fills_error_outputs(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if executions end by themselves: the service's after a year, Express ones after five minutes.
    pub const fn ends_long_executions(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if the service checks a task's payload before it requests the task. By the specification, the resource
    /// defines the payload (Task State).
    pub const fn knows_task_payloads(self) -> bool {
        matches!(self, Self::Aws)
    }

    /// Returns true if "ItemReader" and "ResultWriter" need a distributed Map, which the specification does not know.
    pub const fn requires_a_distributed_map(self) -> bool {
        matches!(self, Self::Aws)
    }
}
