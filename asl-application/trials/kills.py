"""Kills `asl dev` again and again while tasks invoke functions, and looks for lost executions.

    python3 asl-application/trials/kills.py ASL [KILLS] [ENDPOINT]

It needs only Python. With the ENDPOINT of a server such as moto, each execution also writes an item into a table there.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

ASL, KILLS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100
ENDPOINT = sys.argv[3] if len(sys.argv) > 3 else None

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {CodeUri: code/, Timeout: 30}}
Resources:
  Py: {Type: AWS::Serverless::Function, Properties: {Runtime: python3.11, Handler: app.handler}}
  Js: {Type: AWS::Serverless::Function, Properties: {Runtime: nodejs20.x, Handler: index.handler}}
  Items: {Type: AWS::Serverless::SimpleTable}
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: flow.asl.json, DefinitionSubstitutions: {Py: !GetAtt Py.Arn, Js: !GetAtt Js.Arn, Items: !Ref Items}}
"""


def definition():
    put = {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:putItem", "End": True,
           "Parameters": {"TableName": "${Items}", "Item": {"id": {"S.$": "$$.Execution.Name"}}}}
    last = {"Put": put} if ENDPOINT else {"Put": {"Type": "Succeed"}}
    each = {"StartAt": "Js", "States": {"Js": {"Type": "Task", "Resource": "${Js}", "End": True}}}
    return {"StartAt": "Py", "States": {
        "Py": {"Type": "Task", "Resource": "${Py}", "ResultPath": "$.items", "Next": "Each"},
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": each, "ResultPath": "$.items", "Next": "Put"}, **last}}


class Server:
    """`asl dev` in a folder."""

    def __init__(self, folder):
        command = [ASL, "dev", "--port", "0"] + (["--aws", ENDPOINT] if ENDPOINT else [])
        errors = open(os.path.join(folder, "stderr.txt"), "a")
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def call(self, operation, request):
        headers = {"X-Amz-Target": "AWSStepFunctions." + operation, "Content-Type": "application/x-amz-json-1.0"}
        body = json.dumps(request).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=10) as response:
            return json.load(response)

    def kill(self):
        self.process.kill()
        self.process.wait()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "code"))
        for name, text in [
            ("template.yaml", TEMPLATE), ("flow.asl.json", json.dumps(definition())),
            ("code/app.py", "import time\ndef handler(event, context):\n    time.sleep(0.05)\n    return list(range(3))\n"),
            ("code/index.js", "exports.handler = (event) => new Promise((done) => setTimeout(() => done(event), 30));\n"),
        ]:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        acknowledged = set()
        for _ in range(KILLS):
            server = Server(folder)
            machine = server.call("ListStateMachines", {})["stateMachines"][0]["stateMachineArn"]
            for _ in range(5):
                started = server.call("StartExecution", {"stateMachineArn": machine, "input": "{}"})
                acknowledged.add(started["executionArn"])
            time.sleep(random.uniform(0, 0.4))
            server.kill()
        server = Server(folder)
        statuses = {}
        end = time.time() + 300
        while time.time() < end:
            statuses = {arn: server.call("DescribeExecution", {"executionArn": arn})["status"] for arn in acknowledged}
            if "RUNNING" not in statuses.values():
                break
            time.sleep(1)
        server.kill()
        time.sleep(1)
        processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        left = [line for line in processes.splitlines() if folder in line]
        counts = {status: list(statuses.values()).count(status) for status in set(statuses.values())}
        print(f"{KILLS} kills, {len(acknowledged)} acknowledged executions: {counts}; {len(left)} processes are left")
        sys.exit(bool(left) or counts != {"SUCCEEDED": len(acknowledged)})


main()
