//! The ARNs of Step Functions, read.
use crate::protocol::ApiError;
use crate::scope::Scope;
use std::fmt;

/// An ARN of Step Functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arn {
    pub(crate) scope: Scope,
    pub(crate) resource: Resource,
}

/// Resources named by ARNs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resource {
    /// `stateMachine:NAME`, also with a qualifier.
    StateMachine {
        name: String,
        qualifier: Option<Qualifier>,
    },
    /// `execution:NAME:EXECUTION`, of a child `execution:NAME/LABEL:EXECUTION`.
    Execution,
    /// `express:NAME:EXECUTION:ID`.
    Express,
    /// `activity:NAME`.
    Activity(String),
    /// `mapRun:NAME/LABEL:ID`.
    MapRun,
}

/// The part after the name of a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Qualifier {
    /// `:3`
    Version(u64),
    /// `:PROD`
    Alias(String),
    /// `/label`, of a Map State.
    Label(String),
}

impl Resource {
    /// Returns the type in the ARN.
    fn word(&self) -> &'static str {
        match self {
            Self::StateMachine { .. } => "stateMachine",
            Self::Execution => "execution",
            Self::Express => "express",
            Self::Activity(_) => "activity",
            Self::MapRun => "mapRun",
        }
    }
}

/// The ARN of a state machine with what may be behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StateMachineArn {
    pub(crate) scope: Scope,
    pub(crate) name: String,
    pub(crate) qualifier: Option<Qualifier>,
}

impl Arn {
    /// Reads an ARN of any resource of Step Functions.
    pub(crate) fn parse(text: &str) -> Result<Self, ApiError> {
        let Some(rest) = text.strip_prefix("arn:") else {
            // Recorded.
            return Err(ApiError::invalid_arn(format_args!(
                "Invalid ARN prefix: {text}"
            )));
        };
        let invalid = |what: &str| ApiError::invalid_arn(format_args!("{what}: {text}"));
        let parts: Vec<&str> = rest.splitn(6, ':').collect();
        let [partition, service, region, account, kind, name] = parts[..] else {
            return Err(invalid("Invalid ARN format"));
        };
        if service != "states" {
            return Err(invalid("Invalid ARN service"));
        }
        let scope = Scope {
            partition: partition.into(),
            region: region.into(),
            account: account.into(),
        };
        let resource = resource(kind, name).ok_or_else(|| invalid("Invalid ARN resource"))?;
        Ok(Self { scope, resource })
    }

    /// Returns the ARN of an execution that can be asked about, as it was given.
    pub(crate) fn execution(text: &str) -> Result<&str, ApiError> {
        match Self::parse(text)?.resource {
            Resource::Execution => Ok(text),
            other => Err(other.out_of_place()),
        }
    }

    /// Returns the ARN of a Map Run, as it was given.
    pub(crate) fn map_run(text: &str) -> Result<&str, ApiError> {
        match Self::parse(text)?.resource {
            Resource::MapRun => Ok(text),
            other => Err(other.out_of_place()),
        }
    }

    /// Parses the ARN of an activity into its scope and name.
    pub(crate) fn activity(text: &str) -> Result<(Scope, String), ApiError> {
        let arn = Self::parse(text)?;
        match arn.resource {
            Resource::Activity(name) => Ok((arn.scope, name)),
            other => Err(other.out_of_place()),
        }
    }

    /// Returns the ARN of a state machine, with or without a qualifier.
    pub(crate) fn state_machine(text: &str) -> Result<StateMachineArn, ApiError> {
        let arn = Self::parse(text)?;
        match arn.resource {
            Resource::StateMachine { name, qualifier } => Ok(StateMachineArn {
                scope: arn.scope,
                name,
                qualifier,
            }),
            other => Err(other.out_of_place()),
        }
    }
}

impl Resource {
    /// Recorded.
    fn out_of_place(&self) -> ApiError {
        ApiError::invalid_arn(format_args!(
            "Resource type not valid in this context: {}",
            self.word()
        ))
    }
}

impl StateMachineArn {
    /// Returns the ARN without its qualifier.
    pub(crate) fn unqualified(&self) -> String {
        self.scope.arn(format_args!("stateMachine:{}", self.name))
    }

    /// Returns the Map State's, whose child executions it is about.
    pub(crate) fn label(&self) -> Option<&str> {
        match &self.qualifier {
            Some(Qualifier::Label(label)) => Some(label),
            _ => None,
        }
    }

    pub(crate) fn version(&self) -> Option<u64> {
        match self.qualifier {
            Some(Qualifier::Version(number)) => Some(number),
            _ => None,
        }
    }
}

impl fmt::Display for StateMachineArn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.unqualified())?;
        match &self.qualifier {
            None => Ok(()),
            Some(Qualifier::Version(number)) => write!(f, ":{number}"),
            Some(Qualifier::Alias(name)) => write!(f, ":{name}"),
            Some(Qualifier::Label(label)) => write!(f, "/{label}"),
        }
    }
}

fn resource(kind: &str, name: &str) -> Option<Resource> {
    let parts: Vec<&str> = name.split(':').collect();
    if parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    match (kind, &parts[..]) {
        ("stateMachine", [name]) => Some(unqualified(name)),
        ("stateMachine", [name, qualifier]) => Some(Resource::StateMachine {
            name: (*name).to_owned(),
            qualifier: Some(version_or_alias(qualifier)),
        }),
        ("execution", [_, _]) => Some(Resource::Execution),
        ("express", [_, _, _]) => Some(Resource::Express),
        ("activity", [name]) => Some(Resource::Activity((*name).to_owned())),
        ("mapRun", [_, _]) => Some(Resource::MapRun),
        _ => None,
    }
}

fn unqualified(name: &str) -> Resource {
    let (name, label) = match name.split_once('/') {
        Some((name, label)) => (name, Some(Qualifier::Label(label.to_owned()))),
        None => (name, None),
    };
    Resource::StateMachine {
        name: name.to_owned(),
        qualifier: label,
    }
}

/// The name of an alias is not a number.
fn version_or_alias(qualifier: &str) -> Qualifier {
    match qualifier.parse() {
        Ok(number) => Qualifier::Version(number),
        Err(_) => Qualifier::Alias(qualifier.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "arn:aws:states:us-east-1:000000000000";

    fn message(text: &str) -> String {
        Arn::parse(text).unwrap_err().message
    }

    #[test]
    fn qualifiers_are_told_apart() {
        let read =
            |text: &str| Arn::state_machine(&format!("{PREFIX}:stateMachine:{text}")).unwrap();
        assert_eq!(read("Orders").qualifier, None);
        assert_eq!(read("Orders:3").version(), Some(3));
        assert_eq!(
            read("Orders:PROD-3").qualifier,
            Some(Qualifier::Alias("PROD-3".into()))
        );
        assert_eq!(
            read("Orders/Each").qualifier,
            Some(Qualifier::Label("Each".into()))
        );
        for text in ["Orders", "Orders:3", "Orders:PROD", "Orders/Each"] {
            let arn = read(text);
            assert_eq!(arn.to_string(), format!("{PREFIX}:stateMachine:{text}"));
            assert_eq!(arn.unqualified(), format!("{PREFIX}:stateMachine:Orders"));
        }
    }

    #[test]
    fn what_is_no_arn_is_refused_in_the_services_words() {
        assert_eq!(
            message("not_a_valid_arn"),
            "Invalid Arn: 'Invalid ARN prefix: not_a_valid_arn'"
        );
        for text in [
            "arn:",
            "arn:aws:states",
            "arn:aws:lambda:us-east-1:000000000000:function:f",
            "arn:aws:states:us-east-1:000000000000:stateMachine:",
            "arn:aws:states:us-east-1:000000000000:stateMachine:a:b:c",
            "arn:aws:states:us-east-1:000000000000:nothing:a",
        ] {
            assert!(message(text).starts_with("Invalid Arn: '"), "{text}");
        }
    }

    #[test]
    fn resources_have_their_place() {
        let express = format!("{PREFIX}:express:Orders:o:1");
        assert_eq!(
            Arn::execution(&express).unwrap_err().message,
            "Invalid Arn: 'Resource type not valid in this context: express'"
        );
        let child = format!("{PREFIX}:execution:Orders/Each:o");
        assert_eq!(Arn::execution(&child), Ok(&*child));
        let activity = format!("{PREFIX}:activity:a");
        assert_eq!(Arn::activity(&activity).unwrap().1, "a");
        assert!(Arn::map_run(&activity).is_err());
        assert!(Arn::map_run(&format!("{PREFIX}:mapRun:Orders/Each:1")).is_ok());
    }
}
