"""Calls operations of AWS services as tasks of state machines, at a moto server, and compares what states see.

    python3 asl-performers/trials/services.py ASL

It needs the Python packages moto[server] and boto3 (which makes what the calls need).
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import boto3

ASL = os.path.abspath(sys.argv[1])
REGION, ACCOUNT = "us-east-1", "123456789012"
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION}


class Endpoint:
    """A moto server."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(["moto_server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.url + "/moto-api/", timeout=1)
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("moto_server does not answer")

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()

    def client(self, service):
        keys = dict(aws_access_key_id="test", aws_secret_access_key="test")
        return boto3.client(service, region_name=REGION, endpoint_url=self.url, **keys)


def run(endpoint, resource, parameters, extra=None):
    """Runs a task; returns its result, or its error and cause."""
    resource = "arn:aws:states:::" + resource
    return run_state(endpoint, {"Type": "Task", "Resource": resource, "Parameters": parameters, "End": True, **(extra or {})})


def run_state(endpoint, state):
    with tempfile.NamedTemporaryFile("w", suffix=".asl.json") as file:
        json.dump({"StartAt": "T", "States": {"T": state}}, file)
        file.flush()
        command = [ASL, "run", file.name, "--aws", endpoint.url, "--assume-roles"]
        process = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **KEYS}, timeout=100)
    if process.returncode == 0:
        return json.loads(process.stdout)
    return process.stderr + process.stdout


def prepare(endpoint):
    """Makes what operations need that no task makes."""
    endpoint.post("/moto-api/config", {"batch": {"use_docker": False}})
    for model, times in [("ecs::task", 1), ("glue::job_run", 1)]:
        transition = {"model_name": model, "transition": {"progression": "manual", "times": times}}
        endpoint.post("/moto-api/state-manager/set-transition", transition)
    role = endpoint.client("iam").create_role(RoleName="runner", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    ec2 = endpoint.client("ec2")
    subnet = ec2.describe_subnets()["Subnets"][0]["SubnetId"]
    group = ec2.describe_security_groups()["SecurityGroups"][0]["GroupId"]
    batch = endpoint.client("batch")
    arn = batch.create_compute_environment(computeEnvironmentName="environment", type="UNMANAGED", state="ENABLED",
                                           serviceRole=role)["computeEnvironmentArn"]
    batch.create_job_queue(jobQueueName="queue", state="ENABLED", priority=1, computeEnvironmentOrder=[{"order": 1, "computeEnvironment": arn}])
    batch.register_job_definition(jobDefinitionName="definition", type="container",
                                  containerProperties={"image": "busybox", "vcpus": 1, "memory": 128, "command": ["true"]})
    ecs = endpoint.client("ecs")
    ecs.create_cluster(clusterName="cluster")
    ecs.register_task_definition(family="task", networkMode="awsvpc", requiresCompatibilities=["FARGATE"], cpu="256", memory="512",
                                 containerDefinitions=[{"name": "c", "image": "busybox", "memory": 128}])
    endpoint.client("glue").create_job(Name="import", Role=role, Command={"Name": "glueetl", "ScriptLocation": "s3://b/k"})
    endpoint.client("codebuild").create_project(
        name="project", source={"type": "S3", "location": "b/k"}, artifacts={"type": "NO_ARTIFACTS"}, serviceRole=role,
        environment={"type": "LINUX_CONTAINER", "image": "i", "computeType": "BUILD_GENERAL1_SMALL"})
    return {"role": role, "subnet": subnet, "group": group}


def cases(made):
    """Resource, parameters, and a test of the result; a text is part of the error."""
    network = {"AwsvpcConfiguration": {"Subnets": [made["subnet"]], "SecurityGroups": [made["group"]], "AssignPublicIp": "ENABLED"}}
    key = {"id": {"S": "1"}}
    yield "aws-sdk:dynamodb:createTable", {
        "TableName": "t", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}, lambda it: it["TableDescription"]["TableName"] == "t"
    yield "dynamodb:putItem", {"TableName": "t", "Item": {**key, "n": {"N": "5"}}}, lambda it: it["SdkHttpMetadata"]["HttpStatusCode"] == 200
    yield "dynamodb:getItem", {"TableName": "t", "Key": key}, lambda it: it["Item"]["n"] == {"N": "5"}
    yield "dynamodb:updateItem", {"TableName": "t", "Key": key, "UpdateExpression": "SET n = :n", "ReturnValues": "ALL_NEW",
                                  "ExpressionAttributeValues": {":n": {"N": "6"}}}, lambda it: it["Attributes"]["n"] == {"N": "6"}
    yield "aws-sdk:dynamodb:query", {"TableName": "t", "KeyConditionExpression": "id = :i", "ExpressionAttributeValues": {":i": {"S": "1"}}}, \
        lambda it: it["Count"] == 1 and "SdkHttpMetadata" not in it
    yield "dynamodb:deleteItem", {"TableName": "t", "Key": key}, lambda it: "SdkResponseMetadata" in it
    yield "dynamodb:getItem", {"TableName": "none", "Key": key}, "DynamoDB.ResourceNotFoundException"
    yield "aws-sdk:dynamodb:getItem", {"TableName": "none", "Key": key}, "DynamoDb.ResourceNotFoundException"
    yield "aws-sdk:dynamodb:putItem", {"TableName": "t", "Item": {}}, "DynamoDb.DynamoDbException"
    yield "aws-sdk:sqs:createQueue", {"QueueName": "q"}, lambda it: made.update(queue=it["QueueUrl"]) or True
    yield "sqs:sendMessage", {"QueueUrl": made["queue"], "MessageBody": {"a": 1}}, lambda it: len(it["MD5OfMessageBody"]) == 32
    yield "aws-sdk:sqs:receiveMessage", {"QueueUrl": made["queue"]}, lambda it: it["Messages"][0]["Body"] == '{"a":1}'
    yield "aws-sdk:sqs:getQueueAttributes", {"QueueUrl": made["queue"], "AttributeNames": ["All"]}, lambda it: "QueueArn" in it["Attributes"]
    yield "sqs:sendMessage", {"QueueUrl": made["queue"] + "x", "MessageBody": "m"}, "SQS."
    yield "aws-sdk:sns:createTopic", {"Name": "topic"}, lambda it: made.update(topic=it["TopicArn"]) or True
    yield "sns:publish", {"TopicArn": made["topic"], "Message": "m"}, lambda it: len(it["MessageId"]) == 36
    yield "sns:publish", {"TopicArn": made["topic"] + "x", "Message": "m"}, "SNS.NotFoundException"
    yield "events:putEvents", {"Entries": [{"Source": "s", "DetailType": "d", "Detail": {"a": 1}}]}, lambda it: it["FailedEntryCount"] == 0
    yield "aws-sdk:eventbridge:listEventBuses", {}, lambda it: it["EventBuses"][0]["Name"] == "default"
    yield "aws-sdk:s3:createBucket", {"Bucket": "bucket"}, lambda it: "Location" in it
    yield "aws-sdk:s3:putObject", {"Bucket": "bucket", "Key": "a/b c.json", "Body": {"x": [1]}}, lambda it: "ETag" in it
    yield "aws-sdk:s3:getObject", {"Bucket": "bucket", "Key": "a/b c.json"}, lambda it: it["Body"] == '{"x":[1]}' and it["ContentLength"] == 9
    yield "aws-sdk:s3:listObjectsV2", {"Bucket": "bucket"}, lambda it: it["Contents"][0]["Key"] == "a/b c.json"
    yield "aws-sdk:s3:headObject", {"Bucket": "bucket", "Key": "none"}, "S3."
    yield "aws-sdk:s3:getObject", {"Bucket": "bucket", "Key": "none"}, "S3.NoSuchKeyException"
    yield "aws-sdk:iam:getRole", {"RoleName": "runner"}, lambda it: it["Role"]["Arn"] == made["role"]
    yield "aws-sdk:iam:getRole", {"RoleName": "none"}, "Iam.NoSuchEntityException"
    yield "aws-sdk:sts:getCallerIdentity", {}, lambda it: it["Account"] == ACCOUNT
    yield "aws-sdk:ssm:putParameter", {"Name": "/p", "Value": "v", "Type": "String"}, lambda it: it["Version"] == 1
    yield "aws-sdk:ssm:getParameter", {"Name": "/p"}, lambda it: it["Parameter"]["Value"] == "v" and "T" in it["Parameter"]["LastModifiedDate"]
    yield "aws-sdk:ssm:getParameter", {"Name": "/none"}, "Ssm.ParameterNotFoundException"
    yield "aws-sdk:secretsmanager:createSecret", {"Name": "s", "SecretString": "x"}, lambda it: it["Name"] == "s"
    yield "aws-sdk:secretsmanager:getSecretValue", {"SecretId": "s"}, lambda it: it["SecretString"] == "x"
    yield "aws-sdk:secretsmanager:getSecretValue", {"SecretId": "none"}, "SecretsManager.ResourceNotFoundException"
    yield "aws-sdk:kms:createKey", {}, lambda it: made.update(key=it["KeyMetadata"]["KeyId"]) or True
    yield "aws-sdk:kms:describeKey", {"KeyId": made["key"]}, lambda it: it["KeyMetadata"]["Enabled"] is True
    yield "aws-sdk:cloudwatchlogs:createLogGroup", {"LogGroupName": "/g"}, lambda it: it is None or it == {}
    yield "aws-sdk:cloudwatchlogs:describeLogGroups", {}, lambda it: it["LogGroups"][0]["LogGroupName"] == "/g"
    yield "aws-sdk:kinesis:createStream", {"StreamName": "k", "ShardCount": 1}, lambda it: it is None or it == {}
    yield "aws-sdk:kinesis:putRecord", {"StreamName": "k", "Data": "x", "PartitionKey": "p"}, lambda it: "SequenceNumber" in it
    yield "aws-sdk:cloudwatch:putMetricData", {"Namespace": "n", "MetricData": [{"MetricName": "m", "Value": 1}]}, lambda it: it is None or it == {}
    yield "aws-sdk:cloudwatch:listMetrics", {"Namespace": "n"}, lambda it: it["Metrics"][0]["MetricName"] == "m"
    yield "aws-sdk:ec2:describeSubnets", {}, lambda it: it["Subnets"][0]["SubnetId"].startswith("subnet-")
    yield "aws-sdk:ec2:describeInstances", {"InstanceIds": ["i-0123456789abcdef0"]}, "Ec2.Ec2Exception"
    yield "aws-sdk:cloudformation:listStacks", {}, lambda it: "StackSummaries" in it or it == {}
    yield "aws-sdk:route53:createHostedZone", {"Name": "a.test.", "CallerReference": "r"}, lambda it: it["HostedZone"]["Name"] == "a.test."
    yield "aws-sdk:route53:listHostedZones", {}, lambda it: it["HostedZones"][0]["Name"] == "a.test."
    yield "aws-sdk:rds:describeDBInstances", {}, lambda it: it.get("DbInstances", []) == []
    yield "aws-sdk:sesv2:createEmailIdentity", {"EmailIdentity": "a@b.test"}, lambda it: "IdentityType" in it
    yield "aws-sdk:scheduler:listSchedules", {}, lambda it: it.get("Schedules", []) == []
    yield "aws-sdk:apigateway:createRestApi", {"Name": "api"}, lambda it: it["Name"] == "api"
    yield "aws-sdk:ecr:createRepository", {"RepositoryName": "r"}, lambda it: it["Repository"]["RepositoryName"] == "r"
    yield "aws-sdk:lambda:listFunctions", {}, lambda it: it.get("Functions", []) == []
    yield "lambda:invoke", {"FunctionName": "none", "Payload": {}}, "Lambda.ResourceNotFoundException"
    yield "aws-sdk:sfn:listActivities", {}, lambda it: it.get("Activities", []) == []
    yield "athena:startQueryExecution.sync", {
        "QueryString": "SELECT 1", "WorkGroup": "primary", "ResultConfiguration": {"OutputLocation": "s3://bucket/out/"}}, \
        lambda it: it["QueryExecution"]["Status"]["State"] == "SUCCEEDED"
    yield "glue:startJobRun.sync", {"JobName": "import"}, lambda it: it["JobRunState"] == "SUCCEEDED" and it["JobName"] == "import"
    yield "glue:startJobRun.sync", {"JobName": "none"}, "Glue.EntityNotFoundException"
    yield "codebuild:startBuild.sync", {"ProjectName": "project"}, lambda it: it["Build"]["BuildStatus"] == "SUCCEEDED"
    yield "batch:submitJob.sync", {"JobName": "j", "JobQueue": "queue", "JobDefinition": "definition"}, lambda it: it["Status"] == "SUCCEEDED"
    yield "batch:submitJob.sync", {"JobName": "j", "JobQueue": "none", "JobDefinition": "definition"}, "Batch."
    yield "ecs:runTask", {"Cluster": "cluster", "TaskDefinition": "task", "LaunchType": "FARGATE", "NetworkConfiguration": network}, \
        lambda it: it["Tasks"][0]["LastStatus"] and it["Failures"] == [] and "SdkHttpMetadata" in it
    yield "ecs:runTask.sync", {"Cluster": "cluster", "TaskDefinition": "task", "LaunchType": "FARGATE", "NetworkConfiguration": network}, \
        lambda it: it["LastStatus"] == "STOPPED" and it["Containers"][0]["ExitCode"] == 0


def maps(endpoint):
    """Distributed Maps, and their output."""
    s3 = endpoint.client("s3")
    s3.create_bucket(Bucket="items")
    rows = "".join(f"{number},n{number}\n" for number in range(2500))
    s3.put_object(Bucket="items", Key="rows.csv", Body="id,name\n" + rows)
    s3.put_object(Bucket="items", Key="rows.jsonl", Body="".join(f'{{"n":{number}}}\n' for number in range(1000)))
    for number in range(1100):
        s3.put_object(Bucket="items", Key=f"many/{number:04}.json", Body=json.dumps([number, number]))

    def read(key, kind, **config):
        return {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "items", "Key": key},
                "ReaderConfig": {"InputType": kind, **config}}

    listing = {"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "items", "Prefix": "many/"}}
    flattened = {**listing, "ReaderConfig": {"Transformation": "LOAD_AND_FLATTEN", "InputType": "JSON", "MaxItems": 200}}
    writer = {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "items", "Prefix": "out"}}
    for name, reader, result, is_right in [
        ("CSV", read("rows.csv", "CSV", CSVHeaderLocation="FIRST_ROW"), None, lambda it: len(it) == 2500 and it[7] == {"id": "7", "name": "n7"}),
        ("JSONL", read("rows.jsonl", "JSONL"), None, lambda it: len(it) == 1000 and it[9] == {"n": 9}),
        ("a listing of two pages", listing, None, lambda it: len(it) == 1100 and it[1099]["Key"] == "many/1099.json"),
        ("LOAD_AND_FLATTEN", flattened, None, lambda it: it[:4] == [0, 0, 1, 1]),
        ("ResultWriter", read("rows.jsonl", "JSONL"), writer,
         lambda it: json.load(s3.get_object(Bucket="items", Key=it["ResultWriterDetails"]["Key"])["Body"])["ResultFiles"]["SUCCEEDED"]),
    ]:
        state = {"Type": "Map", "End": True, "ItemReader": reader, "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}}}
        output = run_state(endpoint, state if result is None else {**state, "ResultWriter": result})
        yield name, output, not isinstance(output, str) and is_right(output)


def main():
    endpoint = Endpoint()
    failures, passed, services, operations = [], 0, set(), set()
    try:
        made = prepare(endpoint)
        for resource, parameters, expected in cases(made):
            begun = time.time()
            result = run(endpoint, resource, parameters)
            try:
                is_right = expected in result if isinstance(expected, str) else expected(result)
            except (KeyError, TypeError, IndexError, AttributeError):
                is_right = False
            parts = resource.removeprefix("aws-sdk:").split(":")
            services.add(parts[0])
            operations.add(resource)
            passed += bool(is_right)
            if not is_right:
                failures.append(resource)
                print(f"{resource} in {time.time() - begun:.1f} s: {str(result)[:600]}")
        role = run(endpoint, "aws-sdk:sts:getCallerIdentity", {}, {"Credentials": {"RoleArn": made["role"]}})
        print("as the role:", role.get("Arn") if isinstance(role, dict) else role[:300])
        failures += [] if isinstance(role, dict) and ":assumed-role/runner/" in role.get("Arn", "") else ["the role"]
        for name, output, is_right in maps(endpoint):
            print(f"{name}: {'as expected' if is_right else str(output)[:600]}")
            failures += [] if is_right else [name]
    finally:
        endpoint.process.kill()
    print(f"{passed} calls as expected, {len(failures)} not, of {len(operations)} operations of {len(services)} services")
    sys.exit(bool(failures))


main()
