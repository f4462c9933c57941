#!/usr/bin/env python3
"""Calls the same operations by asl-aws and by boto3, each at a server of moto of its own, and compares the results.

    cargo build --example call && pip install boto3 'moto[server]'
    asl-aws/trials/moto.py target/debug/examples/call
"""
import datetime
import json
import re
import subprocess
import sys
import time
import urllib.request

import boto3
import botocore

ROLE = json.dumps({"Version": "2012-10-17", "Statement": []})
TRUST = "arn:aws:iam::123456789012:role/r"
# Service in resources, service of boto3, operation, parameters. `$N.path` is taken from the result of call N.
CALLS = [
    ("dynamodb", "dynamodb", "CreateTable", {"TableName": "t", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
     "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}),
    ("dynamodb", "dynamodb", "PutItem", {"TableName": "t", "Item": {"id": {"S": "1"}, "n": {"N": "5"}, "b": {"BOOL": True}}}),
    ("dynamodb", "dynamodb", "GetItem", {"TableName": "t", "Key": {"id": {"S": "1"}}}),
    ("dynamodb", "dynamodb", "Query", {"TableName": "t", "KeyConditionExpression": "id = :i",
     "ExpressionAttributeValues": {":i": {"S": "1"}}}),
    ("dynamodb", "dynamodb", "UpdateItem", {"TableName": "t", "Key": {"id": {"S": "1"}}, "UpdateExpression": "SET x = :x",
     "ExpressionAttributeValues": {":x": {"L": [{"S": "a"}, {"NULL": True}]}}, "ReturnValues": "ALL_NEW"}),
    ("dynamodb", "dynamodb", "GetItem", {"TableName": "none", "Key": {"id": {"S": "1"}}}),
    ("sqs", "sqs", "CreateQueue", {"QueueName": "q", "Attributes": {"DelaySeconds": "0"}}),
    ("sqs", "sqs", "SendMessage", {"QueueUrl": "$6.QueueUrl", "MessageBody": "hi"}),
    ("sqs", "sqs", "GetQueueAttributes", {"QueueUrl": "$6.QueueUrl", "AttributeNames": ["ApproximateNumberOfMessages"]}),
    ("sqs", "sqs", "GetQueueUrl", {"QueueName": "none"}),
    ("sns", "sns", "CreateTopic", {"Name": "n", "Tags": [{"Key": "a", "Value": "b c&d"}]}),
    ("sns", "sns", "Publish", {"TopicArn": "$10.TopicArn", "Message": "x <y> é",
     "MessageAttributes": {"a": {"DataType": "String", "StringValue": "v"}}}),
    ("sns", "sns", "ListTopics", {}),
    ("sns", "sns", "Publish", {"TopicArn": "arn:aws:sns:us-east-1:123456789012:none", "Message": "x"}),
    ("s3", "s3", "CreateBucket", {"Bucket": "bucket"}),
    ("s3", "s3", "PutObject", {"Bucket": "bucket", "Key": "a/b c+é.txt", "Body": "hello", "Metadata": {"k": "v"}, "ContentType": "text/plain"}),
    ("s3", "s3", "GetObject", {"Bucket": "bucket", "Key": "a/b c+é.txt"}),
    ("s3", "s3", "HeadObject", {"Bucket": "bucket", "Key": "a/b c+é.txt"}),
    ("s3", "s3", "ListObjectsV2", {"Bucket": "bucket", "Prefix": "a/"}),
    ("s3", "s3", "PutBucketTagging", {"Bucket": "bucket", "Tagging": {"TagSet": [{"Key": "a", "Value": "<&>"}]}}),
    ("s3", "s3", "GetBucketTagging", {"Bucket": "bucket"}),
    ("s3", "s3", "PutBucketLifecycleConfiguration", {"Bucket": "bucket", "LifecycleConfiguration": {"Rules": [
     {"ID": "r", "Status": "Enabled", "Filter": {"Prefix": "x"}, "Expiration": {"Days": 3}}]}}),
    ("s3", "s3", "GetBucketLifecycleConfiguration", {"Bucket": "bucket"}),
    ("s3", "s3", "DeleteObjects", {"Bucket": "bucket", "Delete": {"Objects": [{"Key": "a/b c+é.txt"}, {"Key": "no"}]}}),
    ("s3", "s3", "GetObject", {"Bucket": "bucket", "Key": "none"}),
    ("s3", "s3", "ListBuckets", {}),
    ("eventbridge", "events", "PutEvents", {"Entries": [{"Source": "s", "DetailType": "d", "Detail": "{}"}]}),
    ("eventbridge", "events", "PutRule", {"Name": "r", "ScheduleExpression": "rate(5 minutes)"}),
    ("eventbridge", "events", "DescribeRule", {"Name": "none"}),
    ("iam", "iam", "CreateRole", {"RoleName": "r", "AssumeRolePolicyDocument": ROLE, "Tags": [{"Key": "k", "Value": "v"}]}),
    ("iam", "iam", "GetRole", {"RoleName": "r"}),
    ("iam", "iam", "GetRole", {"RoleName": "none"}),
    ("sts", "sts", "GetCallerIdentity", {}),
    ("ec2", "ec2", "DescribeRegions", {"RegionNames": ["us-east-1"]}),
    ("ec2", "ec2", "CreateVpc", {"CidrBlock": "10.0.0.0/16"}),
    ("ec2", "ec2", "DescribeVpcs", {"Filters": [{"Name": "cidr", "Values": ["10.0.0.0/16"]}]}),
    ("ec2", "ec2", "DescribeInstances", {"InstanceIds": ["i-00000000000000000"]}),
    ("secretsmanager", "secretsmanager", "CreateSecret", {"Name": "s", "SecretString": "v"}),
    ("secretsmanager", "secretsmanager", "GetSecretValue", {"SecretId": "s"}),
    ("secretsmanager", "secretsmanager", "GetSecretValue", {"SecretId": "none"}),
    ("kinesis", "kinesis", "CreateStream", {"StreamName": "k", "ShardCount": 1}),
    ("kinesis", "kinesis", "DescribeStreamSummary", {"StreamName": "k"}),
    ("kinesis", "kinesis", "PutRecord", {"StreamName": "k", "Data": "text", "PartitionKey": "p"}),
    ("ssm", "ssm", "PutParameter", {"Name": "/p", "Value": "1", "Type": "String"}),
    ("ssm", "ssm", "GetParameter", {"Name": "/p"}),
    ("ssm", "ssm", "GetParameter", {"Name": "/none"}),
    ("batch", "batch", "DescribeJobs", {"jobs": ["x"]}),
    ("batch", "batch", "CreateComputeEnvironment", {"computeEnvironmentName": "c", "type": "UNMANAGED", "serviceRole": TRUST}),
    ("glue", "glue", "CreateDatabase", {"DatabaseInput": {"Name": "d"}}),
    ("glue", "glue", "GetDatabase", {"Name": "d"}),
    ("glue", "glue", "GetJobRun", {"JobName": "x", "RunId": "y"}),
    ("athena", "athena", "CreateWorkGroup", {"Name": "w", "Configuration": {"ResultConfiguration": {"OutputLocation": "s3://b/"}}}),
    ("athena", "athena", "ListWorkGroups", {}),
    ("lambda", "lambda", "ListFunctions", {"MaxItems": 10}),
    ("lambda", "lambda", "GetFunction", {"FunctionName": "none"}),
    ("cloudwatch", "cloudwatch", "PutMetricData", {"Namespace": "n", "MetricData": [{"MetricName": "m", "Value": 1.5}]}),
    ("cloudwatch", "cloudwatch", "ListMetrics", {"Namespace": "n"}),
    ("ecs", "ecs", "CreateCluster", {"clusterName": "c"}),
    ("ecs", "ecs", "DescribeClusters", {"clusters": ["c"]}),
    ("codebuild", "codebuild", "ListProjects", {}),
    ("scheduler", "scheduler", "CreateSchedule", {"Name": "x", "ScheduleExpression": "rate(1 hour)",
     "FlexibleTimeWindow": {"Mode": "OFF"}, "Target": {"Arn": "arn:aws:sqs:us-east-1:123456789012:q", "RoleArn": TRUST}}),
    ("scheduler", "scheduler", "GetSchedule", {"Name": "x"}),
    ("scheduler", "scheduler", "GetSchedule", {"Name": "none"}),
    ("sesv2", "sesv2", "CreateEmailIdentity", {"EmailIdentity": "a@example.org"}),
    ("sesv2", "sesv2", "ListEmailIdentities", {}),
    ("apigateway", "apigateway", "CreateRestApi", {"name": "a", "description": "d"}),
    ("apigateway", "apigateway", "GetRestApi", {"restApiId": "none"}),
    ("cloudwatchlogs", "logs", "CreateLogGroup", {"logGroupName": "/x"}),
    ("cloudwatchlogs", "logs", "DescribeLogGroups", {"logGroupNamePrefix": "/x"}),
    ("kms", "kms", "CreateKey", {"Description": "k"}),
    ("kms", "kms", "DescribeKey", {"KeyId": "00000000-0000-0000-0000-000000000000"}),
    ("cloudformation", "cloudformation", "ListStacks", {"StackStatusFilter": ["CREATE_COMPLETE"]}),
    ("cloudformation", "cloudformation", "DescribeStacks", {"StackName": "none"}),
    ("rds", "rds", "DescribeDBInstances", {"DBInstanceIdentifier": "none"}),
    ("rds", "rds", "CreateDBParameterGroup", {"DBParameterGroupName": "g", "DBParameterGroupFamily": "mysql8.0", "Description": "d"}),
    ("route53", "route53", "CreateHostedZone", {"Name": "example.org", "CallerReference": "1", "HostedZoneConfig": {"Comment": "c"}}),
    ("route53", "route53", "ListHostedZones", {}),
    ("sfn", "stepfunctions", "ListStateMachines", {"maxResults": 5}),
    ("sfn", "stepfunctions", "DescribeStateMachine", {"stateMachineArn": "arn:aws:states:us-east-1:123456789012:stateMachine:none"}),
]
# Values that differ between two servers: ids, times and what is made of them.
VARIABLE = re.compile(r"Id$|Arn$|Url$|Date|Time|Created|Modified|ETag|MD5|Token|Version|HostId|Location|Sequence|Key$|Owner|NameServers|Marker|Submitted", re.I)

# Calls whose results differ, and why.
DIFFERENCES = {
    "s3:GetObject": "boto3 asks for the checksum",
    "s3:ListObjectsV2": "boto3 asks for encoded keys",
    "iam:CreateRole": "boto3 decodes the document",
    "iam:GetRole": "boto3 decodes the document",
    "sesv2:ListEmailIdentities": "the model is newer than that of boto3 and moto",
}


def normal(value, name=""):
    if isinstance(value, dict):
        return {key: normal(inner, key) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [normal(inner, name) for inner in value]
    if isinstance(value, bool) or value is None:
        return value
    if VARIABLE.search(name):
        return f"<{name}>"
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, datetime.datetime):
        return value.timestamp()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str):
        return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(vpc|acl|sg|igw|dopt|rtb)-[0-9a-f]+", "<id>", value)
    return value


def filled(parameters, results):
    def fill(value):
        if isinstance(value, dict):
            return {key: fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner) for inner in value]
        found = re.fullmatch(r"\$(\d+)\.(\w+)", value) if isinstance(value, str) else None
        return results[int(found[1])]["result"][found[2]] if found else value
    return fill(parameters)


def by_boto3(url):
    results, clients = [], {}
    for _, service, operation, parameters in CALLS:
        if service not in clients:
            clients[service] = boto3.client(service, endpoint_url=url, region_name="us-east-1", aws_access_key_id="test",
                                            aws_secret_access_key="test",
                                            config=botocore.config.Config(retries={"max_attempts": 0}, inject_host_prefix=False))
        client = clients[service]
        method = getattr(client, botocore.xform_name(operation))
        try:
            answer = method(**filled(parameters, results))
            answer.pop("ResponseMetadata", None)
            if hasattr(answer.get("Body"), "read"):
                answer["Body"] = answer["Body"].read()
            results.append({"result": answer})
        except botocore.exceptions.ClientError as error:
            found = error.response["Error"]
            results.append({"code": found["Code"], "message": found["Message"],
                            "status": error.response["ResponseMetadata"]["HTTPStatusCode"]})
    return results


def by_asl(program, url):
    running = subprocess.Popen([program, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    results = []
    for service, _, operation, parameters in CALLS:
        call = {"service": service, "operation": operation, "parameters": filled(parameters, results)}
        running.stdin.write(json.dumps(call) + "\n")
        running.stdin.flush()
        results.append(json.loads(running.stdout.readline()))
    running.stdin.close()
    running.wait()
    return results


def server(port):
    process = subprocess.Popen(["moto_server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/moto-api/data.json")
            return process
        except OSError:
            time.sleep(0.1)
    raise SystemExit("moto_server does not start")


def main():
    servers = [server(port) for port in (5071, 5072)]
    try:
        ours, theirs = by_asl(sys.argv[1], "http://127.0.0.1:5071"), by_boto3("http://127.0.0.1:5072")
    finally:
        for process in servers:
            process.kill()
    same = named = 0
    for (service, _, operation, _), one, other in zip(CALLS, ours, theirs):
        one, other = normal(one), normal(other)
        if one == other:
            same += 1
        elif f"{service}:{operation}" in DIFFERENCES:
            print(f"{service}:{operation} differs: {DIFFERENCES[f'{service}:{operation}']}")
            named += 1
        else:
            print(f"{service}:{operation} differs\n  asl   {json.dumps(one)[:600]}\n  boto3 {json.dumps(other)[:600]}")
    errors = sum("code" in result for result in theirs)
    services = len({service for service, *_ in CALLS})
    print(f"{same} of {len(CALLS)} calls of {services} services have the same result ({errors} of them errors)")
    sys.exit(same + named != len(CALLS))


main()
