//! Identity of an execution: names and ARNs for the Context Object and events.
use std::sync::Arc;

/// The names of an execution and of its state machine; cheap to make and to clone: ARNs are formed when they are read.
///
/// ```
/// use asl_engine::Identity;
///
/// let identity = Identity::new("Orders", "order-17");
/// assert_eq!(identity.execution_arn(), "arn:aws:states:us-east-1:111111111111:execution:Orders:order-17");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    /// None if it is not named.
    state_machine: Option<Arc<StateMachineIdentity>>,
    /// Of the distributed Map that a child execution belongs to.
    label: Option<Arc<str>>,
    execution_name: Arc<str>,
    /// Of an Express execution, whose name may be used again. The last, so that formats without names can leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    express_id: Option<Arc<str>>,
}

/// The names of a state machine, shared by all its executions.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct StateMachineIdentity {
    /// `$$.StateMachine.Name`.
    pub name: String,
    /// `$$.StateMachine.Id`: an ARN with `:stateMachine:` in it.
    pub arn: String,
    /// `$$.Execution.RoleArn`.
    pub role_arn: String,
    /// The region named in events.
    pub region: String,
}

/// The name of a state machine that was given none.
const UNNAMED: &str = "StateMachine";
const REGION: &str = "us-east-1";
const PREFIX: &str = "arn:aws:states:us-east-1:111111111111";
const ROLE_PREFIX: &str = "arn:aws:iam::111111111111:role";

impl StateMachineIdentity {
    /// ARNs as the service would form them, of a placeholder account in us-east-1.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            arn: format!("{PREFIX}:stateMachine:{name}"),
            role_arn: format!("{ROLE_PREFIX}/{name}"),
            region: REGION.to_owned(),
        }
    }
}

impl Identity {
    /// Creates an execution of a state machine of this name, with ARNs of a placeholder account in us-east-1.
    pub fn new(state_machine_name: &str, execution_name: &str) -> Self {
        Self::from_state_machine(
            Arc::new(StateMachineIdentity::new(state_machine_name)),
            execution_name,
        )
    }

    /// An execution of a state machine that has no name.
    pub fn from_execution_name(execution_name: impl Into<Arc<str>>) -> Self {
        Self {
            state_machine: None,
            label: None,
            express_id: None,
            execution_name: execution_name.into(),
        }
    }

    /// Creates an execution of this state machine.
    pub fn from_state_machine(
        state_machine: Arc<StateMachineIdentity>,
        execution_name: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            state_machine: Some(state_machine),
            ..Self::from_execution_name(execution_name)
        }
    }

    /// Returns an Express execution, which this reports from others of its name.
    ///
    /// ```
    /// let identity = asl_engine::Identity::new("Orders", "order-17").with_express_id("1f0c");
    /// assert_eq!(identity.execution_arn(), "arn:aws:states:us-east-1:111111111111:express:Orders:order-17:1f0c");
    /// ```
    #[must_use]
    pub fn with_express_id(self, id: impl Into<Arc<str>>) -> Self {
        Self {
            express_id: Some(id.into()),
            ..self
        }
    }

    /// `$$.Execution.Name`.
    pub fn execution_name(&self) -> &str {
        &self.execution_name
    }

    /// `$$.Execution.Id`.
    pub fn execution_arn(&self) -> String {
        let (name, label) = (&self.execution_name, self.label.as_deref());
        let slash = if label.is_some() { "/" } else { "" };
        let label = label.unwrap_or_default();
        let (kind, colon, id) = match &self.express_id {
            Some(id) => (":express:", ":", &**id),
            None => (":execution:", "", ""),
        };
        match &self.state_machine {
            Some(machine) => {
                let arn = machine.arn.replacen(":stateMachine:", kind, 1);
                format!("{arn}{slash}{label}:{name}{colon}{id}")
            }
            None => format!("{PREFIX}{kind}{UNNAMED}{slash}{label}:{name}{colon}{id}"),
        }
    }

    /// `$$.Execution.RoleArn`.
    pub fn role_arn(&self) -> String {
        match &self.state_machine {
            Some(machine) => machine.role_arn.clone(),
            None => format!("{ROLE_PREFIX}/{UNNAMED}"),
        }
    }

    /// `$$.StateMachine.Name`.
    pub fn state_machine_name(&self) -> &str {
        self.state_machine
            .as_ref()
            .map_or(UNNAMED, |machine| &machine.name)
    }

    /// `$$.StateMachine.Id`.
    pub fn state_machine_arn(&self) -> String {
        match &self.state_machine {
            Some(machine) => machine.arn.clone(),
            None => format!("{PREFIX}:stateMachine:{UNNAMED}"),
        }
    }

    /// Returns the region named in events.
    pub fn region(&self) -> &str {
        self.state_machine
            .as_ref()
            .map_or(REGION, |machine| &machine.region)
    }

    /// Returns a child execution of the Map Run, `…:mapRun:STATE_MACHINE/LABEL:ID`.
    pub(crate) fn child(&self, map_run_arn: &str, name: &str) -> Self {
        let run = map_run_arn
            .rsplit_once(':')
            .map_or(map_run_arn, |(run, _)| run);
        let label = run.rsplit_once('/').map_or(run, |(_, label)| label);
        Self {
            state_machine: self.state_machine.clone(),
            label: Some(label.into()),
            express_id: None,
            execution_name: name.into(),
        }
    }

    /// A hash of what the execution's ARN is made of, the same everywhere and always.
    pub(crate) fn hash(&self) -> u64 {
        let machine = self.state_machine.as_ref().map(|machine| &*machine.arn);
        let parts = [
            machine.unwrap_or_default(),
            self.label.as_deref().unwrap_or_default(),
            &self.execution_name,
        ];
        let parts = parts.into_iter().chain(self.express_id.as_deref());
        parts.fold(0x9e37_79b9_7f4a_7c15, |hash, part| {
            mixed(hash, part.as_bytes())
        })
    }
}

/// Eight bytes at a time, each multiplied through the whole hash; the length reports `ab`, `c` from `a`, `bc`.
fn mixed(hash: u64, bytes: &[u8]) -> u64 {
    const ODD: u64 = 0xff51_afd7_ed55_8ccd;
    let start = (hash ^ bytes.len() as u64).wrapping_mul(ODD);
    bytes.chunks(8).fold(start, |hash, chunk| {
        let mut word = [0; 8];
        for (place, byte) in word.iter_mut().zip(chunk) {
            *place = *byte;
        }
        let hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(ODD);
        hash ^ (hash >> 32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_named_after_its_map_run() {
        let parent = Identity::new("Orders", "o");
        let run = "arn:aws:states:us-east-1:111111111111:mapRun:Orders/Each:4f";
        let child = parent.child(run, "c1");
        assert_eq!(
            child.execution_arn(),
            "arn:aws:states:us-east-1:111111111111:execution:Orders/Each:c1"
        );
    }

    #[test]
    fn other_names_have_other_hashes() {
        let hashes: std::collections::BTreeSet<u64> = (0..10_000)
            .map(|n| Identity::from_execution_name(format!("execution-{n}")).hash())
            .collect();
        assert_eq!(hashes.len(), 10_000);
        assert_ne!(
            Identity::new("ab", "c").hash(),
            Identity::new("a", "bc").hash()
        );
    }
}
