//! The fingerprint of a program: a hash of its definition.
use asl_model::{Profile, StateMachine};
use sha2::{Digest as _, Sha256};

/// Of the canonical form of a definition, and of the profile that it is compiled by.
pub(super) fn fingerprint(machine: &StateMachine) -> u64 {
    let mut hash = Sha256::new();
    hash.update(match machine.profile {
        Profile::Aws => "aws ",
        Profile::Spec => "spec ",
    });
    hash.update(machine.to_json().to_string());
    let digest = hash.finalize();
    digest
        .iter()
        .take(8)
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}
