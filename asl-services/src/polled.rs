//! Operations that report on jobs.

/// Operations that report on the job that another one starts, by the names of resources. Their output is the result of `.sync`
/// (Step Functions Developer Guide, TestState API: the mocked result has the shape of the API that polls).
const POLLED_WITH: &[(&str, &str, &str)] = &[
    ("states", "startExecution", "describeExecution"),
    ("athena", "startQueryExecution", "getQueryExecution"),
    ("batch", "submitJob", "describeJobs"),
    ("codebuild", "startBuild", "batchGetBuilds"),
    ("codebuild", "startBuildBatch", "batchGetBuildBatches"),
    ("databrew", "startJobRun", "describeJobRun"),
    ("ecs", "runTask", "describeTasks"),
    ("elasticmapreduce", "addStep", "describeStep"),
    ("elasticmapreduce", "createCluster", "describeCluster"),
    ("elasticmapreduce", "terminateCluster", "describeCluster"),
    ("emr-containers", "startJobRun", "describeJobRun"),
    ("emr-serverless", "startJobRun", "getJobRun"),
    ("glue", "startJobRun", "getJobRun"),
    ("mediaconvert", "createJob", "getJob"),
    ("sagemaker", "createAutoMLJob", "describeAutoMLJob"),
    (
        "sagemaker",
        "createHyperParameterTuningJob",
        "describeHyperParameterTuningJob",
    ),
    ("sagemaker", "createLabelingJob", "describeLabelingJob"),
    ("sagemaker", "createProcessingJob", "describeProcessingJob"),
    ("sagemaker", "createTrainingJob", "describeTrainingJob"),
    ("sagemaker", "createTransformJob", "describeTransformJob"),
];

/// Returns the operation that reports on the job which an operation starts, by the names of the resource; None for an
/// operation that Step Functions does not run as a job (`.sync`).
///
/// ```
/// use asl_services::polled_operation;
/// assert_eq!(polled_operation("batch", "submitJob"), Some("describeJobs"));
/// assert_eq!(polled_operation("batch", "listJobs"), None);
/// ```
pub fn polled_operation(service: &str, operation: &str) -> Option<&'static str> {
    let mut polled = POLLED_WITH.iter();
    let found = polled.find(|(own, asked, _)| (*own, *asked) == (service, operation));
    found.map(|(_, _, polled)| *polled)
}
