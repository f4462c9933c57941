//! Ids of the requests of tasks.
use asl_engine::runtime::Task;
use asl_intrinsics::random;
use sha2::{Digest as _, Sha256};

/// Returns a UUID that is the same for a task that is performed again after a crash.
pub(crate) fn task_uuid(task: &Task) -> String {
    let digest = Sha256::digest(task.idempotency_key().as_bytes());
    let part = |from: usize| {
        let bytes = digest.get(from..from + 8).and_then(|it| it.try_into().ok());
        bytes.map_or(0, u64::from_be_bytes)
    };
    random::uuid(part(0), part(8))
}
