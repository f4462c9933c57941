//! Error names that the engine itself reports (2022 specification, Appendix A; the service's guide to errors).
pub(crate) const ALL: &str = "States.ALL";
pub(crate) const TASK_FAILED: &str = "States.TaskFailed";
pub(crate) const TIMEOUT: &str = "States.Timeout";
pub(crate) const HEARTBEAT_TIMEOUT: &str = "States.HeartbeatTimeout";
pub(crate) const RUNTIME: &str = "States.Runtime";
pub(crate) const DATA_LIMIT_EXCEEDED: &str = "States.DataLimitExceeded";
pub(crate) const NO_CHOICE_MATCHED: &str = "States.NoChoiceMatched";
pub(crate) const INTRINSIC_FAILURE: &str = "States.IntrinsicFailure";
pub(crate) const PARAMETER_PATH_FAILURE: &str = "States.ParameterPathFailure";
pub(crate) const RESULT_PATH_MATCH_FAILURE: &str = "States.ResultPathMatchFailure";
pub(crate) const REFERENCE_PATH_CONFLICT: &str = "States.ReferencePathConflict";
pub(crate) const QUERY_EVALUATION_ERROR: &str = "States.QueryEvaluationError";
pub(crate) const BRANCH_FAILED: &str = "States.BranchFailed";
pub(crate) const EXCEED_TOLERATED_FAILURE_THRESHOLD: &str =
    "States.ExceedToleratedFailureThreshold";
pub(crate) const ITEM_READER_FAILED: &str = "States.ItemReaderFailed";
pub(crate) const RESULT_WRITER_FAILED: &str = "States.ResultWriterFailed";
