"""Cases of executions: a definition, an input and what its tasks answer (fixtures/README.md says what a case holds)."""
import hashlib
import json
from pathlib import Path
import re


class Case:
    """A case under names that no other has, and that are the same each time."""

    def __init__(self, case, source):
        self.id = case["id"]
        self.source = source
        digest = hashlib.sha256(self.id.encode()).hexdigest()[:10]
        self.machine = re.sub(r"[^A-Za-z0-9]+", "-", self.id)[-60:].strip("-") + "-" + digest
        self.execution = f"case-{digest}"
        definition = case["definition"] if "definition" in case else case["definition_text"]
        self.definition = definition if isinstance(definition, str) else json.dumps(definition, ensure_ascii=False)
        self.input = json.dumps(case.get("input", {}), ensure_ascii=False)
        self.tasks = case.get("tasks") or {}
        self.left_out = why_left_out(case)

    def start_arn(self, machine_arn):
        """What to start, so that its tasks are answered as the case says."""
        return f"{machine_arn}#Case" if self.tasks else machine_arn


def why_left_out(case):
    """Why an API cannot run the case as it is meant, if it cannot."""
    if case.get("profile", "aws") != "aws":
        return "holds by the specification alone"
    if case.get("context"):
        return "has a Context Object of its own"
    if case.get("runnable") is False:
        return "is not to be run"
    return None


def read(places):
    """The cases of files and folders; a file holds one or an array."""
    cases = []
    for place in map(Path, places):
        for file in sorted(place.rglob("*.json")) if place.is_dir() else [place]:
            value = json.loads(file.read_text(encoding="utf8"))
            found = value if isinstance(value, list) else [value]
            cases += [Case(case, str(file)) for case in found if "definition" in case or "definition_text" in case]
    return cases


def mocks(cases):
    """One MockConfigFile.json for all of them."""
    machines, responses = {}, {}
    for case in cases:
        states = {}
        for state, answers in case.tasks.items():
            name = f"{case.machine}-{len(states)}"
            states[state] = name
            responses[name] = {str(number): answer for number, answer in enumerate(answers)}
        if states:
            machines[case.machine] = {"TestCases": {"Case": states}}
    return {"StateMachines": machines, "MockedResponses": responses}
