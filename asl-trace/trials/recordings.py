"""Replays recorded executions, and names those whose rerun is different.

    python3 asl-trace/trials/recordings.py ASL FOLDER [FILTER]

A recording is a JSON file with a `definition` (or `definition_text`), and a `history`: the events of GetExecutionHistory, in which
data may be JSON instead of its text, and placeholders such as "timestamp" may replace values.
"""
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ASL, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
FILTER = sys.argv[3] if len(sys.argv) > 3 else ""
TEXTS = {"input", "output", "parameters", "taskCredentials"}
PLACEHOLDER = re.compile(r"<[A-Za-z_][^>]*>|\bdate\b|RandomNumberGenerated|generated-uuid|redacted|(start|stop)[-_](date|time)|timestamp|map_run_arn")


# A time of the recordings: some definitions wait until a date.
STARTED = 1735689600
# What is different, and why: the recording lacks what the service has.
NAMED = {
    "activities__activities-test_activity_task__0": "the ARN of the activity was replaced by a name",
    "scenarios__base_scenarios-test_lambda_invoke_with_retry_extended_input__0": "recorded before the Context Object had RedriveCount",
    "scenarios__base_scenarios-test_lambda_service_invoke_with_retry_extended_input__0": "recorded before the Context Object had RedriveCount",
    "scenarios__base_scenarios-test_wait_timestamp_jsonata_NANOSECONDS__0": "the date in the definition was replaced",
    "scenarios__base_scenarios-test_wait_timestamp_jsonata_SECONDS__0": "the date in the definition was replaced",
}
# Placeholders that stand for the same everywhere.
KNOWN = {"<region>": "us-east-1", "<partition>": "aws"}


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value)


def event(recorded, number):
    """An event as the API has it."""
    shown = {**recorded, "timestamp": STARTED + number}
    for name, details in recorded.items():
        if name.endswith("EventDetails") and isinstance(details, dict):
            details = {field: as_text(value) if field in TEXTS else value for field, value in details.items()}
            if isinstance(details.get("assignedVariables"), dict):
                details["assignedVariables"] = {field: as_text(value) for field, value in details["assignedVariables"].items()}
            for field in ("cause", "error"):
                if field in details and not isinstance(details[field], str):
                    details[field] = json.dumps(details[field])
            shown[name] = details
    return shown


def replayed(path):
    """The name of a recording, and what became of it."""
    with open(path) as file:
        text = file.read()
    for placeholder, value in KNOWN.items():
        text = text.replace(placeholder, value)
    case = json.loads(text)
    if not case.get("history"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        history, definition = os.path.join(folder, "history.json"), os.path.join(folder, "definition.asl.json")
        with open(history, "w") as file:
            json.dump({"events": [event(it, number) for number, it in enumerate(case["history"])]}, file)
        with open(definition, "w") as file:
            file.write(case.get("definition_text") or json.dumps(case["definition"]))
        command = [ASL, "replay", history, "--definition", definition, "--format", "json"]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if process.returncode == 2 and not all(isinstance(it.get("id"), int) for it in case["history"]):
        return case["id"], "not replayable", "the recording lost the ids of events"
    if process.returncode == 2:
        return case["id"], "refused", process.stderr.strip()[:300]
    result = json.loads(process.stdout)
    if result["isEqual"]:
        return case["id"], "equal", ""
    if result["unknown"] and not result["differences"]:
        return case["id"], "not in the history", result["unknown"]
    others = [it for it in result["differences"] if not PLACEHOLDER.search(json.dumps([it.get("recorded"), it.get("rerun")]))]
    if others and case["id"] in NAMED:
        return case["id"], "named", f"{NAMED[case['id']]}: {others[0]['message']}"
    if others:
        return case["id"], "different", others[0]["message"]
    if result["unknown"]:
        return case["id"], "not in the history", result["unknown"]
    return case["id"], "equal but for placeholders", result["differences"][0]["message"]


paths = [path for path in sorted(glob.glob(os.path.join(FOLDER, "**", "*.json"), recursive=True)) if FILTER in path]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    results = [result for result in pool.map(replayed, paths) if result]
for name, kind, message in sorted(results, key=lambda it: it[1]):
    if kind != "equal":
        print(f"{kind}: {name}: {message}")
print(collections.Counter(kind for _, kind, _ in results))
sys.exit(any(kind in ("different", "refused") for _, kind, _ in results))
