//! The arguments of calls where these are not those of the API's operation of that name: of optimized integrations as the AWS Step
//! Functions Developer Guide has them, on the page that each entry names.

/// Arguments of a call that differ from the API.
#[derive(Debug)]
pub(crate) struct Own {
    service: &'static str,
    /// Of these actions.
    actions: &'static [&'static str],
    /// The operation, with its service, whose arguments it takes too.
    pub(crate) operation: Option<(&'static str, &'static str)>,
    /// Arguments besides these, and those of them that hold any JSON here.
    pub(crate) plain: &'static [&'static str],
    /// Additional required arguments.
    pub(crate) required: &'static [&'static str],
    /// Arguments that are objects, and what these have.
    pub(crate) within: &'static [(&'static str, &'static Self)],
    /// Of which one must be there; the first is the usual one.
    pub(crate) either: &'static [&'static str],
    /// Arguments that the operation requires and the integration supplies.
    pub(crate) optional: &'static [&'static str],
}

const NONE: Own = Own {
    service: "",
    actions: &[],
    operation: None,
    plain: &[],
    required: &[],
    within: &[],
    either: &[],
    optional: &[],
};

/// The connection to an HTTPS endpoint.
const CONNECTION: Own = Own {
    plain: &["ConnectionArn"],
    required: &["ConnectionArn"],
    ..NONE
};

/// The location of a model's input or output.
const S3_OBJECT: Own = Own {
    plain: &["S3Uri"],
    required: &["S3Uri"],
    ..NONE
};

const OBJECT_TO_COPY_TO: &[&str] = &[
    "DestinationBucket",
    "DestinationKey",
    "SourceBucket",
    "SourceKey",
    "SourceVersionId",
];

/// Calls by the SDK whose source and target have two names each (AWS SDK for Java, CopyObjectRequest).
const OWN_OF_SDK: &[Own] = &[
    Own {
        service: "s3",
        actions: &["copyObject"],
        operation: Some(("s3", "copyObject")),
        plain: OBJECT_TO_COPY_TO,
        optional: &["Bucket", "CopySource", "Key"],
        ..NONE
    },
    Own {
        service: "s3",
        actions: &["uploadPartCopy"],
        operation: Some(("s3", "uploadPartCopy")),
        plain: OBJECT_TO_COPY_TO,
        optional: &["Bucket", "CopySource", "Key"],
        ..NONE
    },
];

/// By service.
const OWN: &[Own] = &[
    // connect-api-gateway
    Own {
        service: "apigateway",
        actions: &["invoke"],
        plain: &[
            "ApiEndpoint",
            "Method",
            "Headers",
            "Stage",
            "Path",
            "QueryParameters",
            "RequestBody",
            "AllowNullValues",
            "AuthType",
        ],
        required: &["ApiEndpoint", "Method"],
        ..NONE
    },
    // connect-bedrock
    Own {
        service: "bedrock",
        actions: &["invokeModel"],
        operation: Some(("bedrockruntime", "invokeModel")),
        plain: &["Body"],
        within: &[("Input", &S3_OBJECT), ("Output", &S3_OBJECT)],
        either: &["Body", "Input"],
        optional: &["Body"],
        ..NONE
    },
    // connect-bedrock: a token is made if there is none
    Own {
        service: "bedrock",
        actions: &["createModelCustomizationJob"],
        operation: Some(("bedrock", "createModelCustomizationJob")),
        optional: &["ClientRequestToken"],
        ..NONE
    },
    // connect-eks
    Own {
        service: "eks",
        actions: &["call"],
        plain: &[
            "ClusterName",
            "CertificateAuthority",
            "Endpoint",
            "Method",
            "Path",
            "QueryParameters",
            "RequestBody",
        ],
        required: &[
            "ClusterName",
            "CertificateAuthority",
            "Endpoint",
            "Method",
            "Path",
        ],
        ..NONE
    },
    // connect-eks
    Own {
        service: "eks",
        actions: &["runJob"],
        plain: &[
            "ClusterName",
            "CertificateAuthority",
            "Endpoint",
            "Namespace",
            "Job",
            "LogOptions",
        ],
        required: &["ClusterName", "CertificateAuthority", "Endpoint", "Job"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["createCluster"],
        operation: Some(("emr", "runJobFlow")),
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["terminateCluster"],
        plain: &["ClusterId"],
        required: &["ClusterId"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["setClusterTerminationProtection"],
        plain: &["ClusterId", "TerminationProtected"],
        required: &["ClusterId", "TerminationProtected"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["addStep"],
        plain: &["ClusterId", "Step", "ExecutionRoleArn"],
        required: &["ClusterId", "Step"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["cancelStep"],
        plain: &["ClusterId", "StepId", "StepCancellationOption"],
        required: &["ClusterId", "StepId"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["modifyInstanceFleetByName"],
        plain: &["ClusterId", "InstanceFleetName", "InstanceFleet"],
        required: &["ClusterId", "InstanceFleetName", "InstanceFleet"],
        ..NONE
    },
    // connect-emr
    Own {
        service: "elasticmapreduce",
        actions: &["modifyInstanceGroupByName"],
        plain: &["ClusterId", "InstanceGroupName", "InstanceGroup"],
        required: &["ClusterId", "InstanceGroupName", "InstanceGroup"],
        ..NONE
    },
    // connect-emr-eks: a token is made if there is none
    Own {
        service: "emr-containers",
        actions: &["startJobRun"],
        operation: Some(("emr-containers", "startJobRun")),
        optional: &["ClientToken"],
        ..NONE
    },
    // connect-emr-eks
    Own {
        service: "emr-containers",
        actions: &["createVirtualCluster"],
        operation: Some(("emr-containers", "createVirtualCluster")),
        optional: &["ClientToken"],
        ..NONE
    },
    // connect-emr-eks: what the API calls "id"
    Own {
        service: "emr-containers",
        actions: &["deleteVirtualCluster"],
        operation: Some(("emr-containers", "deleteVirtualCluster")),
        plain: &["VirtualClusterId"],
        optional: &["Id"],
        ..NONE
    },
    // connect-emr-serverless: a token is made if there is none
    Own {
        service: "emr-serverless",
        actions: &["createApplication"],
        operation: Some(("emr-serverless", "createApplication")),
        optional: &["ClientToken"],
        ..NONE
    },
    // connect-emr-serverless
    Own {
        service: "emr-serverless",
        actions: &["startJobRun"],
        operation: Some(("emr-serverless", "startJobRun")),
        optional: &["ClientToken"],
        ..NONE
    },
    // connect-eventbridge: the detail of an entry is JSON, not a text of it
    Own {
        service: "events",
        actions: &["putEvents"],
        operation: Some(("eventbridge", "putEvents")),
        ..NONE
    },
    // call-https-apis
    Own {
        service: "http",
        actions: &["invoke"],
        plain: &[
            "ApiEndpoint",
            "Method",
            "Headers",
            "QueryParameters",
            "RequestBody",
            "Transform",
        ],
        required: &["ApiEndpoint", "Method"],
        within: &[
            ("Authentication", &CONNECTION),
            ("InvocationConfig", &CONNECTION),
        ],
        either: &["Authentication", "InvocationConfig"],
        ..NONE
    },
    // connect-lambda
    Own {
        service: "lambda",
        actions: &["invoke"],
        operation: Some(("lambda", "invoke")),
        plain: &["Payload"],
        ..NONE
    },
    // input-output-itemreader
    Own {
        service: "s3",
        actions: &["getObject"],
        operation: Some(("s3", "getObject")),
        ..NONE
    },
    // input-output-resultwriter: the object's name is made
    Own {
        service: "s3",
        actions: &["putObject"],
        operation: Some(("s3", "putObject")),
        plain: &["Prefix"],
        optional: &["Key"],
        ..NONE
    },
    // connect-sns
    Own {
        service: "sns",
        actions: &["publish"],
        operation: Some(("sns", "publish")),
        plain: &["Message"],
        ..NONE
    },
    // connect-sqs
    Own {
        service: "sqs",
        actions: &["sendMessage"],
        operation: Some(("sqs", "sendMessage")),
        plain: &["MessageBody"],
        ..NONE
    },
    // connect-stepfunctions
    Own {
        service: "states",
        actions: &["startExecution"],
        operation: Some(("sfn", "startExecution")),
        plain: &["Input"],
        ..NONE
    },
];

/// Returns the arguments of a call that differ from the API.
pub(crate) fn own(is_sdk: bool, service: &str, action: &str) -> Option<&'static Own> {
    let known = if is_sdk { OWN_OF_SDK } else { OWN };
    let is_meant = |own: &&Own| own.service == service && own.actions.contains(&action);
    known.iter().find(is_meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_services::Services;

    #[test]
    fn operations_are_there_and_need_what_is_left_out() {
        let services = Services::new();
        for own in OWN.iter().chain(OWN_OF_SDK) {
            let Some((service, operation)) = own.operation else {
                assert!(own.optional.is_empty() && !own.plain.is_empty());
                continue;
            };
            let read = services.service(service).expect("it is known");
            let operation = read.operation(operation).expect("it is known");
            let input = operation.input().expect("it takes something");
            for name in own.optional {
                assert!(input.member(name).is_some(), "{service} {name}");
            }
        }
    }
}
