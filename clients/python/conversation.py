"""boto3 against the API of AWS Step Functions, as the environment names it."""
import json
import threading
import time
from pathlib import Path

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

DEFINITIONS = Path(__file__).parent.parent / "definitions"
ROLE = "arn:aws:iam::000000000000:role/clients"
SECONDS_UNTIL_ENDED = 30

sfn = boto3.client("stepfunctions", config=Config(retries={"max_attempts": 1}))


def definition(name, **substitutions):
    text = (DEFINITIONS / f"{name}.asl.json").read_text()
    for key, value in substitutions.items():
        text = text.replace(f"${{{key}}}", value)
    return text


def expect(found, expected, about):
    assert found == expected, f"{about}: expected {expected!r}, found {found!r}"


def expect_error(error_class, call, **request):
    try:
        found = call(**request)
    except error_class as error:
        return error
    raise AssertionError(f"expected {error_class.__name__}, found the answer {found}")


def create(name, text, **members):
    return sfn.create_state_machine(name=name, definition=text, roleArn=ROLE, **members)["stateMachineArn"]


def ended(execution_arn):
    until = time.monotonic() + SECONDS_UNTIL_ENDED
    while time.monotonic() < until:
        execution = sfn.describe_execution(executionArn=execution_arn)
        if execution["status"] != "RUNNING":
            return execution
        time.sleep(0.05)
    raise AssertionError(f"{execution_arn} still runs")


def start(machine_arn, name, value):
    return sfn.start_execution(stateMachineArn=machine_arn, name=name, input=json.dumps(value))["executionArn"]


def executions_and_their_history():
    machine = create("orders", definition("orders"))
    execution = start(machine, "one", {"items": list(range(30))})
    expect(start(machine, "other", {"items": []}) != execution, True, "two executions have two ARNs")
    described = ended(execution)
    expect(described["status"], "SUCCEEDED", "the status")
    expect(json.loads(described["output"])[29], {"price": 30}, "the last price")
    pages = list(sfn.get_paginator("get_execution_history").paginate(executionArn=execution, PaginationConfig={"PageSize": 25}))
    events = [event for page in pages for event in page["events"]]
    expect(len(pages), -(-len(events) // 25), "pages of the history")
    expect([event["id"] for event in events], list(range(1, len(events) + 1)), "the ids of all events")
    expect((events[0]["type"], events[-1]["type"]), ("ExecutionStarted", "ExecutionSucceeded"), "the ends of the history")
    newest = sfn.get_execution_history(executionArn=execution, reverseOrder=True, maxResults=1)
    expect(newest["events"][0]["id"], len(events), "the newest event")
    names = [e["name"] for p in sfn.get_paginator("list_executions").paginate(stateMachineArn=machine, PaginationConfig={"PageSize": 1}) for e in p["executions"]]
    expect(names, ["other", "one"], "executions, the newest first")


def activities():
    activity = sfn.create_activity(name="approvals")["activityArn"]
    machine = create("worker", definition("worker", Activity=activity))
    taken = []
    worker = threading.Thread(target=lambda: taken.append(sfn.get_activity_task(activityArn=activity, workerName="w")))
    worker.start()
    time.sleep(0.3)  # The poll is there before the task.
    execution = start(machine, "long-poll", {"amount": 7})
    worker.join(SECONDS_UNTIL_ENDED)
    expect(json.loads(taken[0]["input"]), {"amount": 7}, "the input of the task")
    sfn.send_task_heartbeat(taskToken=taken[0]["taskToken"])
    sfn.send_task_success(taskToken=taken[0]["taskToken"], output='{"approved": true}')
    expect(json.loads(ended(execution)["output"]), {"approved": True}, "the output of the task")
    expect_error(sfn.exceptions.TaskTimedOut, sfn.send_task_success, taskToken=taken[0]["taskToken"], output="{}")
    expect([a["name"] for a in sfn.list_activities()["activities"]], ["approvals"], "the activities")
    sfn.delete_activity(activityArn=activity)
    expect_error(sfn.exceptions.ActivityDoesNotExist, sfn.describe_activity, activityArn=activity)


def token_of(child_arn):
    until = time.monotonic() + SECONDS_UNTIL_ENDED
    while time.monotonic() < until:
        try:
            return json.loads(sfn.describe_execution(executionArn=child_arn)["input"])["token"]
        except sfn.exceptions.ExecutionDoesNotExist:
            time.sleep(0.05)
    raise AssertionError(f"{child_arn} was not started")


def callbacks():
    keep = create("keep", definition("keep"))
    machine = create("callback", definition("callback", Keep=keep))
    child = keep.replace(":stateMachine:", ":execution:")
    execution = start(machine, "accepted", {})
    sfn.send_task_success(taskToken=token_of(f"{child}:accepted"), output='{"answer": 42}')
    expect(json.loads(ended(execution)["output"]), {"answer": 42}, "the answer to the token")
    execution = start(machine, "refused", {})
    sfn.send_task_failure(taskToken=token_of(f"{child}:refused"), error="Refused", cause="too dear")
    expect(json.loads(ended(execution)["output"]), {"refusal": {"Error": "Refused", "Cause": "too dear"}}, "the refusal")


def express():
    machine = create("sum", definition("sum"), type="EXPRESS")
    answer = sfn.start_sync_execution(stateMachineArn=machine, input='{"numbers": [1, 2, 3]}')
    expect((answer["status"], json.loads(answer["output"])), ("SUCCEEDED", {"sum": 6}), "what is waited for")
    answer = sfn.start_sync_execution(stateMachineArn=machine, input='{"numbers": []}')
    expect((answer["status"], answer["error"]), ("FAILED", "Empty"), "what fails")


def errors():
    unknown = "arn:aws:states:us-east-1:000000000000:stateMachine:unknown"
    expect_error(sfn.exceptions.StateMachineDoesNotExist, sfn.describe_state_machine, stateMachineArn=unknown)
    expect_error(sfn.exceptions.ExecutionDoesNotExist, sfn.stop_execution, executionArn=f"{unknown.replace('stateMachine', 'execution')}:x")
    expect_error(sfn.exceptions.InvalidArn, sfn.describe_execution, executionArn="none")
    expect_error(sfn.exceptions.InvalidDefinition, create, name="broken", text="{}")
    expect_error(sfn.exceptions.InvalidToken, sfn.send_task_heartbeat, taskToken="none")
    error = expect_error(ClientError, sfn.list_activities, maxResults=1001)
    expect(error.response["Error"]["Code"], "ValidationException", "the code")
    expect(error.response["ResponseMetadata"]["HTTPStatusCode"], 400, "the status")


def versions_and_aliases():
    machine = create("versions", definition("keep"), tags=[{"key": "team", "value": "a"}])
    first = sfn.publish_state_machine_version(stateMachineArn=machine)["stateMachineVersionArn"]
    updated = sfn.update_state_machine(stateMachineArn=machine, definition=definition("orders"), publish=True)
    second = updated["stateMachineVersionArn"]
    expect((first, second), (f"{machine}:1", f"{machine}:2"), "the versions")
    routes = [{"stateMachineVersionArn": first, "weight": 100}]
    alias = sfn.create_state_machine_alias(name="live", routingConfiguration=routes)["stateMachineAliasArn"]
    execution = start(alias, "by-alias", {"a": 1})
    described = ended(execution)
    expect((described["stateMachineVersionArn"], described["stateMachineAliasArn"]), (first, alias), "what it was started by")
    expect_error(sfn.exceptions.ConflictException, sfn.delete_state_machine_version, stateMachineVersionArn=first)
    sfn.tag_resource(resourceArn=machine, tags=[{"key": "team", "value": "b"}])
    expect(sfn.list_tags_for_resource(resourceArn=machine)["tags"], [{"key": "team", "value": "b"}], "the tags")
    sfn.untag_resource(resourceArn=machine, tagKeys=["team"])
    expect(sfn.list_tags_for_resource(resourceArn=machine)["tags"], [], "the tags")


for conversation in [executions_and_their_history, activities, callbacks, express, errors, versions_and_aliases]:
    conversation()
