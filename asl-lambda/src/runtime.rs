//! Runtimes of functions.
use std::fmt;

/// The runtime of a function, by its identifier (AWS Lambda Developer Guide, Lambda runtimes).
///
/// ```
/// use asl_lambda::Runtime;
///
/// assert_eq!(Runtime::from_identifier("python3.12"), Runtime::Python { minor: Some(12) });
/// assert_eq!(Runtime::from_identifier("nodejs22.x"), Runtime::Node { major: Some(22) });
/// assert_eq!(Runtime::from_identifier("provided.al2023"), Runtime::Provided);
/// assert_eq!(Runtime::from_identifier("java21").to_string(), "java21");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Runtime {
    /// `python3.12`
    Python {
        /// The version after `3.`, if it is known.
        minor: Option<u32>,
    },
    /// `nodejs22.x`
    Node {
        /// The version, if it is known.
        major: Option<u32>,
    },
    /// `provided.al2023`, `go1.x`: an executable with the name `bootstrap` in the code.
    Provided,
    /// A runtime that needs an executable `bootstrap` in the code here too.
    Other(String),
}

impl Runtime {
    /// Returns the runtime of an identifier.
    pub fn from_identifier(identifier: &str) -> Self {
        if let Some(version) = identifier.strip_prefix("python") {
            let minor = version.strip_prefix("3.").and_then(|it| it.parse().ok());
            return Self::Python { minor };
        }
        if let Some(version) = identifier.strip_prefix("nodejs") {
            let major = version.split('.').next().and_then(|it| it.parse().ok());
            return Self::Node { major };
        }
        match identifier.starts_with("provided") || identifier == "go1.x" {
            true => Self::Provided,
            false => Self::Other(identifier.to_owned()),
        }
    }

    /// Returns true if this crate has a program that runs such functions, other than their own `bootstrap`.
    pub fn is_built_in(&self) -> bool {
        matches!(self, Self::Python { .. } | Self::Node { .. })
    }
}

/// The identifier.
impl fmt::Display for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Python { minor: Some(minor) } => write!(f, "python3.{minor}"),
            Self::Python { minor: None } => f.write_str("python3"),
            Self::Node { major: Some(major) } => write!(f, "nodejs{major}.x"),
            Self::Node { major: None } => f.write_str("nodejs"),
            Self::Provided => f.write_str("provided"),
            Self::Other(identifier) => f.write_str(identifier),
        }
    }
}
