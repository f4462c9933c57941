//! Calls with arguments as the AWS Step Functions Developer Guide and the AWS Cloud Development Kit write them: nothing is said of any.
use super::testing::nothing_in;
use serde_json::json;

#[test]
fn containers_and_jobs() {
    let network = json!({"AwsvpcConfiguration": {"AssignPublicIp": "DISABLED", "Subnets": ["s"], "SecurityGroups": ["g"]}});
    let overrides = json!({"ContainerOverrides": [{"Name": "n", "Command": ["c"], "Environment": [{"Name": "n", "Value.$": "$.v"}]}]});
    for way in ["", ".sync", ".waitForTaskToken"] {
        nothing_in(
            &format!("ecs:runTask{way}"),
            json!({"Cluster": "c", "TaskDefinition": "t", "LaunchType": "EC2", "NetworkConfiguration": network, "Overrides": overrides,
                "PlacementConstraints": [{"Type": "memberOf", "Expression": "e"}], "PlacementStrategy": [{"Type": "spread", "Field": "f"}],
                "PropagateTags": "TASK_DEFINITION", "EnableExecuteCommand": true}),
        );
    }
    nothing_in(
        "batch:submitJob.sync",
        json!({"JobName": "j", "JobQueue": "q", "JobDefinition": "d", "ArrayProperties": {"Size": 2}, "DependsOn": [{"JobId": "i", "Type": "N_TO_N"}],
            "Parameters": {"any": "p"}, "RetryStrategy": {"Attempts": 3}, "Timeout": {"AttemptDurationSeconds": 60}, "Tags": {"k": "v"},
            "ContainerOverrides": {"Command": ["c"], "InstanceType": "t", "Memory": 1, "Vcpus": 1, "ResourceRequirements": [{"Type": "GPU", "Value": "1"}]}}),
    );
    nothing_in(
        "codebuild:startBuild.sync",
        json!({"ProjectName": "p", "EnvironmentVariablesOverride": [{"Name": "n", "Type": "PLAINTEXT", "Value": "v"}]}),
    );
    nothing_in(
        "glue:startJobRun.sync",
        json!({"JobName": "j", "Arguments": {"--k": "v"}, "Timeout": 5, "NotificationProperty": {"NotifyDelayAfter": 5}, "WorkerType": "G.1X", "NumberOfWorkers": 2}),
    );
    nothing_in("databrew:startJobRun.sync", json!({"Name": "j"}));
}

#[test]
fn messages_and_executions() {
    nothing_in(
        "lambda:invoke",
        json!({"FunctionName": "f", "Payload": {"any": 1}, "InvocationType": "RequestResponse", "ClientContext": "e30=", "Qualifier": "1"}),
    );
    nothing_in(
        "sns:publish",
        json!({"TopicArn": "t", "Message": "m", "Subject": "s", "MessageStructure": "json", "MessageAttributes": {"a": {"DataType": "String", "StringValue": "v"}}}),
    );
    nothing_in(
        "sqs:sendMessage",
        json!({"QueueUrl": "u", "MessageBody": {"a": 1}, "DelaySeconds": 1, "MessageDeduplicationId": "d", "MessageGroupId": "g"}),
    );
    nothing_in(
        "events:putEvents",
        json!({"Entries": [{"Detail": {"a": 1}, "DetailType": "d", "EventBusName": "b", "Source": "s", "Resources": ["r"]}]}),
    );
    nothing_in(
        "states:startExecution.sync:2",
        json!({"StateMachineArn": "a", "Name": "n", "Input": {"AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID.$": "$$.Execution.Id"}}),
    );
    nothing_in(
        "apigateway:invoke",
        json!({"ApiEndpoint": "e", "Method": "GET", "Stage": "s", "Path": "/p", "AuthType": "IAM_ROLE", "Headers": {"h": ["v"]}, "QueryParameters": {"q": ["v"]}, "RequestBody": {}}),
    );
    nothing_in(
        "http:invoke",
        json!({"ApiEndpoint": "https://a.example", "Method": "POST", "Authentication": {"ConnectionArn": "a"}, "Headers": {"h": "v"}, "QueryParameters": {"q": "v"},
        "RequestBody": {}, "Transform": {"RequestBodyEncoding": "URL_ENCODED", "RequestEncodingOptions": {"ArrayFormat": "BRACKETS"}}}),
    );
}

#[test]
fn data() {
    nothing_in(
        "dynamodb:updateItem",
        json!({"TableName": "t", "Key": {"i": {"S.$": "$.i"}}, "UpdateExpression": "SET #a = :b", "ExpressionAttributeNames": {"#a": "a"},
        "ExpressionAttributeValues": {":b": {"M": {"c": {"L": [{"N": "1"}, {"SS": ["a"]}]}}}}, "ReturnValues": "ALL_NEW", "ReturnConsumedCapacity": "TOTAL"}),
    );
    nothing_in(
        "athena:startQueryExecution.sync",
        json!({"QueryString": "q", "WorkGroup": "w", "QueryExecutionContext": {"Catalog": "c", "Database": "d"},
        "ResultConfiguration": {"OutputLocation": "s3://b/", "EncryptionConfiguration": {"EncryptionOption": "SSE_KMS", "KmsKey": "k"}},
        "ResultReuseConfiguration": {"ResultReuseByAgeConfiguration": {"Enabled": true, "MaxAgeInMinutes": 5}}}),
    );
    nothing_in(
        "elasticmapreduce:createCluster.sync",
        json!({"Name": "n", "ReleaseLabel": "emr-7.0.0", "ServiceRole": "r", "JobFlowRole": "r", "VisibleToAllUsers": true, "Applications": [{"Name": "Spark"}],
        "Instances": {"KeepJobFlowAliveWhenNoSteps": true, "InstanceFleets": [{"InstanceFleetType": "MASTER", "TargetOnDemandCapacity": 1, "InstanceTypeConfigs": [{"InstanceType": "m5.xlarge"}]}]},
        "BootstrapActions": [{"Name": "b", "ScriptBootstrapAction": {"Path": "s3://b/s", "Args": ["a"]}}],
        "Configurations": [{"Classification": "c", "Properties": {"p": "v"}, "Configurations": [{"Classification": "d"}]}]}),
    );
    nothing_in(
        "elasticmapreduce:addStep.sync",
        json!({"ClusterId": "c", "Step": {"Name": "s", "ActionOnFailure": "CONTINUE", "HadoopJarStep": {"Jar": "command-runner.jar", "Args": ["a"]}}}),
    );
    nothing_in(
        "emr-containers:startJobRun.sync",
        json!({"VirtualClusterId": "v", "ExecutionRoleArn": "r", "ReleaseLabel": "emr-6.7.0-latest", "ConfigurationOverrides": {},
        "JobDriver": {"SparkSubmitJobDriver": {"EntryPoint": "e", "EntryPointArguments": ["a"], "SparkSubmitParameters": "p"}}}),
    );
    nothing_in(
        "emr-containers:createVirtualCluster",
        json!({"Name": "n", "ContainerProvider": {"Id": "i", "Type": "EKS", "Info": {"EksInfo": {"Namespace": "n"}}}}),
    );
    for name in ["Id", "VirtualClusterId"] {
        nothing_in(
            "emr-containers:deleteVirtualCluster.sync",
            json!({name: "v"}),
        );
    }
    nothing_in(
        "emr-serverless:startJobRun.sync",
        json!({"ApplicationId": "a", "ExecutionRoleArn": "r", "JobDriver": {"SparkSubmit": {"EntryPoint": "e"}}}),
    );
}

#[test]
fn clusters() {
    let cluster = json!({"ClusterName": "c", "CertificateAuthority": "a", "Endpoint": "e"});
    let with = |more: serde_json::Value| {
        let both = [&cluster, &more]
            .into_iter()
            .filter_map(|it| it.as_object());
        let fields = both
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()));
        serde_json::Value::Object(fields.collect())
    };
    nothing_in(
        "eks:call",
        with(
            json!({"Method": "GET", "Path": "/p", "QueryParameters": {"labelSelector": ["l"]}, "RequestBody": {"any": 1}}),
        ),
    );
    nothing_in(
        "eks:runJob.sync",
        with(
            json!({"Namespace": "n", "LogOptions": {"RetrieveLogs": true, "LogParameters": {"tailLines": ["20"]}}, "Job": {"kind": "Job"}}),
        ),
    );
    nothing_in(
        "eks:createCluster.sync",
        json!({"Name": "n", "RoleArn": "r", "ResourcesVpcConfig": {"SubnetIds": ["s"], "SecurityGroupIds": ["g"]}}),
    );
    nothing_in(
        "eks:createNodegroup.sync",
        json!({"ClusterName": "c", "NodegroupName": "n", "NodeRole": "r", "Subnets": ["s"]}),
    );
}

#[test]
fn models() {
    nothing_in(
        "bedrock:invokeModel",
        json!({"ModelId": "m", "Body": {"prompt": "p"}, "ContentType": "application/json", "Accept": "*/*", "Trace": "ENABLED", "GuardrailIdentifier": "g", "GuardrailVersion": "1"}),
    );
    nothing_in(
        "bedrock:createModelCustomizationJob.sync",
        json!({"BaseModelIdentifier": "b", "CustomModelName": "c", "JobName": "j", "CustomizationType": "FINE_TUNING", "HyperParameters": {"epochCount": "1"},
        "RoleArn": "r", "OutputDataConfig": {"S3Uri": "s3://b/o"}, "TrainingDataConfig": {"S3Uri": "s3://b/i"}}),
    );
    nothing_in(
        "sagemaker:createTrainingJob.sync",
        json!({"TrainingJobName": "t", "RoleArn": "r", "AlgorithmSpecification": {"TrainingImage": "i", "TrainingInputMode": "File"},
        "InputDataConfig": [{"ChannelName": "c", "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://b/", "S3DataDistributionType": "FullyReplicated"}}}],
        "OutputDataConfig": {"S3OutputPath": "s3://b/"}, "ResourceConfig": {"InstanceCount": 1, "InstanceType": "ml.m4.xlarge", "VolumeSizeInGB": 10},
        "StoppingCondition": {"MaxRuntimeInSeconds": 60}, "HyperParameters": {"k": "v"}}),
    );
    nothing_in(
        "sagemaker:createTransformJob.sync",
        json!({"TransformJobName": "t", "ModelName": "m", "BatchStrategy": "SingleRecord", "MaxPayloadInMB": 6,
        "TransformInput": {"CompressionType": "None", "ContentType": "text/csv", "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://b/"}}},
        "TransformOutput": {"S3OutputPath": "s3://b/"}, "TransformResources": {"InstanceCount": 1, "InstanceType": "ml.m4.xlarge"}}),
    );
}
