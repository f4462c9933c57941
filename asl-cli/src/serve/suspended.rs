//! State of an opened store: suspended executions, and a clock that was set back.
use crate::terminal::{self, count_noun, warn};
use asl_graph::labels::duration;
use asl_store::Store;
use std::time::Duration;

/// Executions that are named.
const NAMED: usize = 5;
/// Clock difference that is reported: small adjustments are normal.
const WORTH_TELLING: Duration = Duration::from_secs(2);

/// Reports suspended executions, and a clock that was set back, on stderr.
pub(super) async fn report_suspended(store: &Store) {
    let behind = store.clock_was_behind();
    if behind >= WORTH_TELLING {
        warn(&format!(
            "the system clock is {} behind the latest stored time: time continues from the stored time",
            duration(behind.as_secs())
        ));
    }
    let held = match store.suspended(NAMED).await {
        Ok(held) => held,
        Err(error) => return warn(&format!("cannot list suspended executions: {error}")),
    };
    if held.count == 0 {
        return;
    }
    let count = count_noun(
        usize::try_from(held.count).unwrap_or(usize::MAX),
        "execution",
    );
    warn(&format!("{count} suspended:"));
    for execution in &held.executions {
        terminal::error_line(&format!("  {}: {}", execution.arn, execution.why));
    }
    let named = held.executions.len() as u64;
    if held.count > named {
        terminal::error_line(&format!(
            "  and {} more: asl store check DIR lists all",
            held.count - named
        ));
    }
}
