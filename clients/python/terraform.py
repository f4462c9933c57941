"""What Terraform asks for, in its order: plan, create, refresh, update and destroy of a state machine, its alias and an activity."""
import json
import time
from pathlib import Path

import boto3

DEFINITIONS = Path(__file__).parent.parent / "definitions"
ROLE = "arn:aws:iam::000000000000:role/clients"
SECONDS_UNTIL_AGREED = 60

sfn = boto3.client("stepfunctions")


def expect(found, expected, about):
    assert found == expected, f"{about}: expected {expected!r}, found {found!r}"


def is_gone(error_class, call, **request):
    try:
        call(**request)
        return False
    except error_class:
        return True


def until(holds, about):
    end = time.monotonic() + SECONDS_UNTIL_AGREED
    while not holds():
        assert time.monotonic() < end, f"{about}: not within {SECONDS_UNTIL_AGREED} s"
        time.sleep(0.1)


def plan(definition):
    """Whenever the definition changes; anything but OK stops the plan."""
    answer = sfn.validate_state_machine_definition(definition=definition, type="STANDARD")
    expect((answer["result"], answer["diagnostics"]), ("OK", []), "the validation")


def refresh(arn):
    """The state as Terraform keeps it: the newest version is the first of the list."""
    described = sfn.describe_state_machine(stateMachineArn=arn)
    versions = sfn.list_state_machine_versions(stateMachineArn=arn)["stateMachineVersions"]
    tags = sfn.list_tags_for_resource(resourceArn=arn)["tags"]
    return {
        "definition": json.loads(described["definition"]),
        "role": described["roleArn"],
        "logging": described["loggingConfiguration"],
        "tracing": described["tracingConfiguration"],
        "created": described["creationDate"],
        "version": versions[0]["stateMachineVersionArn"] if versions else None,
        "tags": {tag["key"]: tag["value"] for tag in tags},
    }


def state_machine(text, other):
    plan(text)
    created = sfn.create_state_machine(
        name="terraform", definition=text, roleArn=ROLE, type="STANDARD", publish=True,
        tags=[{"key": "made-by", "value": "terraform"}],
    )
    arn = created["stateMachineArn"]
    state = refresh(arn)
    expect(state["definition"], json.loads(text), "the definition")
    expect((state["version"], state["role"]), (created["stateMachineVersionArn"], ROLE), "version and role")
    expect(state["tags"], {"made-by": "terraform"}, "the tags")
    expect(state["logging"], {"level": "OFF", "includeExecutionData": False}, "logging where none was given")
    expect(state["tracing"], {"enabled": False}, "tracing where none was given")
    expect(refresh(arn), state, "what a second refresh reads")

    plan(other)
    updated = sfn.update_state_machine(stateMachineArn=arn, definition=other, roleArn=ROLE, publish=True)
    until(lambda: refresh(arn)["definition"] == json.loads(other), "the update")
    sfn.tag_resource(resourceArn=arn, tags=[{"key": "made-by", "value": "hand"}, {"key": "more", "value": ""}])
    sfn.untag_resource(resourceArn=arn, tagKeys=["made-by"])
    state = refresh(arn)
    expect((state["version"], state["tags"]), (updated["stateMachineVersionArn"], {"more": ""}), "version and tags")
    return arn


def alias(machine_arn):
    first, second = f"{machine_arn}:1", f"{machine_arn}:2"
    route = lambda *shares: [{"stateMachineVersionArn": arn, "weight": weight} for arn, weight in shares]
    arn = sfn.create_state_machine_alias(name="live", routingConfiguration=route((first, 100)))["stateMachineAliasArn"]
    described = sfn.describe_state_machine_alias(stateMachineAliasArn=arn)
    expect((described["name"], "creationDate" in described), ("live", True), "the alias")
    shares = route((first, 10), (second, 90))
    sfn.update_state_machine_alias(stateMachineAliasArn=arn, routingConfiguration=shares, description="most")
    described = sfn.describe_state_machine_alias(stateMachineAliasArn=arn)
    expect((described["routingConfiguration"], described["description"]), (shares, "most"), "the update of the alias")
    sfn.delete_state_machine_alias(stateMachineAliasArn=arn)
    gone = is_gone(sfn.exceptions.ResourceNotFound, sfn.describe_state_machine_alias, stateMachineAliasArn=arn)
    expect(gone, True, "the alias is gone")


def activity():
    created = sfn.create_activity(name="terraform", tags=[{"key": "a", "value": "1"}])
    arn = created["activityArn"]
    described = sfn.describe_activity(activityArn=arn)
    expect((described["name"], described["creationDate"]), ("terraform", created["creationDate"]), "the activity")
    expect(sfn.list_tags_for_resource(resourceArn=arn)["tags"], [{"key": "a", "value": "1"}], "its tags")
    sfn.untag_resource(resourceArn=arn, tagKeys=["a"])
    sfn.delete_activity(activityArn=arn)
    gone = is_gone(sfn.exceptions.ActivityDoesNotExist, sfn.describe_activity, activityArn=arn)
    expect(gone, True, "the activity is gone")


def destroy(arn):
    """ACTIVE and DELETING are pending."""
    sfn.delete_state_machine(stateMachineArn=arn)
    missing = sfn.exceptions.StateMachineDoesNotExist
    until(lambda: is_gone(missing, sfn.describe_state_machine, stateMachineArn=arn), "the deletion")


machine = state_machine((DEFINITIONS / "keep.asl.json").read_text(), (DEFINITIONS / "orders.asl.json").read_text())
alias(machine)
activity()
destroy(machine)
