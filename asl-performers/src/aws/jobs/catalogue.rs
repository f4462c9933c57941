//! The jobs that Step Functions runs (`.sync`): how each is polled, when it is over, and how it is stopped.
use super::Place::{Argument, Constant, Submission};
use super::{JobEnd, JobKind, JobResult, Member, Members};

/// The reason of a stop, for the services that need one.
const REASON: &str = "the task of the state machine was stopped or timed out";

/// All but the jobs of SageMaker.
const JOBS: &[JobKind] = &[
    JobKind::new("athena", "startQueryExecution")
        .asked_by(&[Member::one(
            "QueryExecutionId",
            Submission("/QueryExecutionId"),
        )])
        .with_status("/QueryExecution/Status/State")
        .ended_by(&["SUCCEEDED"], &["FAILED", "CANCELLED"])
        .stopped_by(
            "stopQueryExecution",
            &[Member::one(
                "QueryExecutionId",
                Submission("/QueryExecutionId"),
            )],
        ),
    JobKind::new("batch", "submitJob")
        .asked_by(&[Member::list("Jobs", Submission("/JobId"))])
        .with_status("/Jobs/0/Status")
        .ended_by(&["SUCCEEDED"], &["FAILED"])
        .resulting_in(JobResult::Part("/Jobs/0"))
        .stopped_by(
            "terminateJob",
            &[
                Member::one("JobId", Submission("/JobId")),
                Member::one("Reason", Constant(REASON)),
            ],
        ),
    JobKind::new("codebuild", "startBuild")
        .asked_by(&[Member::list("Ids", Submission("/Build/Id"))])
        .with_status("/Builds/0/BuildStatus")
        .ended_by(&["SUCCEEDED"], BUILD_FAILED)
        .resulting_in(JobResult::Named("Build", "/Builds/0"))
        .stopped_by("stopBuild", &[Member::one("Id", Submission("/Build/Id"))]),
    JobKind::new("codebuild", "startBuildBatch")
        .asked_by(&[Member::list("Ids", Submission("/BuildBatch/Id"))])
        .with_status("/BuildBatches/0/BuildBatchStatus")
        .ended_by(&["SUCCEEDED"], BUILD_FAILED)
        .resulting_in(JobResult::Named("BuildBatch", "/BuildBatches/0"))
        .stopped_by(
            "stopBuildBatch",
            &[Member::one("Id", Submission("/BuildBatch/Id"))],
        ),
    JobKind::new("databrew", "startJobRun")
        .asked_by(DATABREW_RUN)
        .with_status("/State")
        .ended_by(&["SUCCEEDED"], &["FAILED", "STOPPED", "TIMEOUT"])
        .stopped_by("stopJobRun", DATABREW_RUN),
    JobKind::new("ecs", "runTask")
        .asked_by(&[
            Member::one("Cluster", Submission("/Tasks/0/ClusterArn")),
            Member::list("Tasks", Submission("/Tasks/0/TaskArn")),
        ])
        .with_status("/Tasks/0/LastStatus")
        .ended_when(JobEnd::ContainersExited)
        .resulting_in(JobResult::Part("/Tasks/0"))
        .stopped_by(
            "stopTask",
            &[
                Member::one("Cluster", Submission("/Tasks/0/ClusterArn")),
                Member::one("Task", Submission("/Tasks/0/TaskArn")),
                Member::one("Reason", Constant(REASON)),
            ],
        ),
    JobKind::new("elasticmapreduce", "addStep")
        .asked_by(&[
            Member::one("ClusterId", Argument("/ClusterId")),
            Member::one("StepId", Submission("/StepId")),
        ])
        .with_status("/Step/Status/State")
        .ended_by(&["COMPLETED"], &["CANCELLED", "FAILED", "INTERRUPTED"])
        .stopped_by(
            "cancelStep",
            &[
                Member::one("ClusterId", Argument("/ClusterId")),
                Member::one("StepId", Submission("/StepId")),
            ],
        ),
    JobKind::new("elasticmapreduce", "createCluster")
        .asked_by(&[Member::one("ClusterId", Submission("/ClusterId"))])
        .with_status("/Cluster/Status/State")
        .ended_by(
            &["RUNNING", "WAITING"],
            &["TERMINATING", "TERMINATED", "TERMINATED_WITH_ERRORS"],
        )
        .resulting_in(JobResult::AddedTo("Cluster"))
        .stopped_by(
            "terminateCluster",
            &[Member::one("ClusterId", Submission("/ClusterId"))],
        ),
    JobKind::new("elasticmapreduce", "terminateCluster")
        .asked_by(&[Member::one("ClusterId", Argument("/ClusterId"))])
        .with_status("/Cluster/Status/State")
        .ended_by(&["TERMINATED", "TERMINATED_WITH_ERRORS"], &[]),
    JobKind::new("emr-containers", "startJobRun")
        .asked_by(EMR_CONTAINERS_RUN)
        .with_status("/JobRun/State")
        .ended_by(&["COMPLETED"], &["FAILED", "CANCELLED"])
        .stopped_by("cancelJobRun", EMR_CONTAINERS_RUN),
    JobKind::new("emr-serverless", "startJobRun")
        .asked_by(EMR_SERVERLESS_RUN)
        .with_status("/JobRun/State")
        .ended_by(&["SUCCESS"], &["FAILED", "CANCELLED"])
        .stopped_by("cancelJobRun", EMR_SERVERLESS_RUN),
    JobKind::new("glue", "startJobRun")
        .asked_by(&[
            Member::one("JobName", Argument("/JobName")),
            Member::one("RunId", Submission("/JobRunId")),
        ])
        .with_status("/JobRun/JobRunState")
        .ended_by(
            &["SUCCEEDED"],
            &["FAILED", "STOPPED", "TIMEOUT", "ERROR", "EXPIRED"],
        )
        .resulting_in(JobResult::Part("/JobRun"))
        .stopped_by(
            "batchStopJobRun",
            &[
                Member::one("JobName", Argument("/JobName")),
                Member::list("JobRunIds", Submission("/JobRunId")),
            ],
        ),
    JobKind::new("mediaconvert", "createJob")
        .asked_by(&[Member::one("Id", Submission("/Job/Id"))])
        .with_status("/Job/Status")
        .ended_by(&["COMPLETE"], &["CANCELED", "ERROR"])
        .stopped_by("cancelJob", &[Member::one("Id", Submission("/Job/Id"))]),
    sage_maker(
        "createAutoMLJob",
        &[Member::one("AutoMLJobName", Argument("/AutoMLJobName"))],
        "/AutoMLJobStatus",
        "stopAutoMLJob",
    ),
    sage_maker(
        "createHyperParameterTuningJob",
        &[Member::one(
            "HyperParameterTuningJobName",
            Argument("/HyperParameterTuningJobName"),
        )],
        "/HyperParameterTuningJobStatus",
        "stopHyperParameterTuningJob",
    ),
    sage_maker(
        "createLabelingJob",
        &[Member::one("LabelingJobName", Argument("/LabelingJobName"))],
        "/LabelingJobStatus",
        "stopLabelingJob",
    ),
    sage_maker(
        "createProcessingJob",
        &[Member::one(
            "ProcessingJobName",
            Argument("/ProcessingJobName"),
        )],
        "/ProcessingJobStatus",
        "stopProcessingJob",
    ),
    sage_maker(
        "createTrainingJob",
        &[Member::one("TrainingJobName", Argument("/TrainingJobName"))],
        "/TrainingJobStatus",
        "stopTrainingJob",
    ),
    sage_maker(
        "createTransformJob",
        &[Member::one(
            "TransformJobName",
            Argument("/TransformJobName"),
        )],
        "/TransformJobStatus",
        "stopTransformJob",
    ),
];

const BUILD_FAILED: &[&str] = &["FAILED", "FAULT", "TIMED_OUT", "STOPPED"];

const DATABREW_RUN: Members = &[
    Member::one("Name", Argument("/Name")),
    Member::one("RunId", Submission("/RunId")),
];

const EMR_CONTAINERS_RUN: Members = &[
    Member::one("Id", Submission("/Id")),
    Member::one("VirtualClusterId", Argument("/VirtualClusterId")),
];

const EMR_SERVERLESS_RUN: Members = &[
    Member::one("ApplicationId", Argument("/ApplicationId")),
    Member::one("JobRunId", Submission("/JobRunId")),
];

/// All jobs of SageMaker are known by the names that their requests give them, and have the same states.
const fn sage_maker(
    submits: &'static str,
    name: Members,
    status: &'static str,
    stops: &'static str,
) -> JobKind {
    JobKind::new("sagemaker", submits)
        .asked_by(name)
        .with_status(status)
        .ended_by(&["Completed"], &["Failed", "Stopped", "DeleteFailed"])
        .stopped_by(stops, name)
}

/// Returns the jobs of an operation, as the resource names it.
pub(super) fn find(service: &str, operation: &str) -> Option<&'static JobKind> {
    JOBS.iter()
        .find(|kind| (kind.service, kind.submits) == (service, operation))
}

#[cfg(test)]
pub(super) fn all() -> &'static [JobKind] {
    JOBS
}
