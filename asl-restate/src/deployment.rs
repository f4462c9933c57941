//! The Restate deployment of a process: its path contains everything that affects the replay of journals.
//!
//! Restate ends an execution on the deployment that started it. A process that replays journals differently, because of
//! another version of the core or of the services, is therefore another deployment. Operators can also distinguish builds by
//! a name.
use crate::RestateError;
use asl_engine::CORE_VERSION;
use std::sync::Arc;

/// The version of the services' journal entries: the order of their requests to Restate, and the content of states and
/// messages. It increases with any change, because earlier journals could not be replayed; `driver/journal_shape.rs` detects
/// changes.
pub(crate) const SERVICES_VERSION: u32 = 1;

/// Requests of Restate below the path.
const ASKED: [&str; 3] = ["invoke", "discover", "health"];

/// The deployment of a process.
#[derive(Debug, Clone)]
pub(crate) struct Deployment {
    path: Arc<str>,
}

impl Deployment {
    /// Creates the deployment of this build with a name.
    pub(crate) fn new(name: Option<&str>) -> Result<Self, RestateError> {
        let own = format!("/core-{CORE_VERSION}/services-{SERVICES_VERSION}");
        let path = match name {
            None => own,
            Some(name) if is_name(name) => format!("{own}/{name}"),
            Some(name) => return Err(RestateError::Deployment(name.to_owned())),
        };
        Ok(Self { path: path.into() })
    }

    /// Returns its path below where the process is found.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns true if a request is for this deployment, wherever a balancer found it.
    pub(crate) fn is_for(&self, path: &str) -> bool {
        let rest = path.split_once(&*self.path).map(|(_, rest)| rest);
        let asked = rest.and_then(|rest| rest.strip_prefix('/'));
        let first = asked.and_then(|asked| asked.split('/').next());
        first.is_some_and(|first| ASKED.contains(&first))
    }
}

fn is_name(name: &str) -> bool {
    let is_of_names = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_asked = ASKED.contains(&name);
    !name.is_empty() && !is_asked && name.bytes().all(is_of_names) && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_for_other_builds_and_names_are_told_apart() {
        let own = format!("/core-{CORE_VERSION}/services-{SERVICES_VERSION}");
        let (plain, named) = (
            Deployment::new(None).unwrap(),
            Deployment::new(Some("a")).unwrap(),
        );
        let is_for = |path: String| [plain.is_for(&path), named.is_for(&path)];
        assert_eq!(
            is_for(format!("{own}/invoke/AslExecution/run")),
            [true, false]
        );
        assert_eq!(is_for(format!("/behind{own}/a/discover")), [false, true]);
        assert_eq!(is_for(format!("{own}/ab/discover")), [false, false]);
        assert_eq!(is_for(format!("{own}0/discover")), [false, false]);
        assert_eq!(
            is_for("/core-0/services-1/discover".to_owned()),
            [false, false]
        );
        assert_eq!(is_for("/".to_owned()), [false, false]);
    }

    #[test]
    fn names_are_a_part_of_a_path() {
        for wrong in ["", "a/b", "invoke", "..", "a b"] {
            let refused = Deployment::new(Some(wrong)).unwrap_err().to_string();
            assert!(refused.contains(&format!("found '{wrong}'")), "{refused}");
        }
        assert!(Deployment::new(Some("2026-11.b_1")).is_ok());
    }
}
