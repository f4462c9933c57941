#!/usr/bin/env python3
"""The orchestrator and the run-checker of retry-loop.asl.json, as one task program.

Reads a task's payload on stdin and writes its answer on stdout. What must outlive a call - who holds the
lock, how often the data were checked, how often the job ran - is kept in one JSON file per pipeline in the
temporary directory; releaseLock removes it.

RETRY_LOOP_PLAN chooses what happens:
    smooth       everything goes well
    bumpy        not ready once, one failure worth a retry, then success (the default)
    permanent    the job fails for good
    error        the evaluator of readiness is broken
"""

import json
import os
import sys
import tempfile

MAX_ATTEMPTS = 3
PLANS = {
    "smooth": {"unready": 0, "failures": []},
    "bumpy": {"unready": 1, "failures": [("worker lost", "TRANSIENT")]},
    "permanent": {"unready": 0, "failures": [("table orders does not exist", "PERMANENT")]},
    "error": {"unready": 0, "failures": [], "broken": True},
}


class TaskError(Exception):
    def __init__(self, error, cause):
        super().__init__(cause)
        self.error, self.cause = error, cause


class State:
    """The file that remembers one pipeline between calls."""

    def __init__(self, payload):
        name = f"asl-retry-loop-{payload['pipelineID']}.json".replace(os.sep, "_")
        self.path = os.path.join(tempfile.gettempdir(), name)
        try:
            with open(self.path, encoding="utf-8") as file:
                self.data = json.load(file)
        except FileNotFoundError:
            self.data = {"owner": None, "checks": 0, "runs": 0}

    def save(self):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(self.data, file)

    def remove(self):
        if os.path.exists(self.path):
            os.remove(self.path)


def acquire_lock(state, payload, plan):
    holder = state.data["owner"]
    if holder not in (None, payload["owner"]):
        raise TaskError("LockHeld", f"{holder} holds the lock; remove {state.path} if that run is gone")
    state.data["owner"] = payload["owner"]
    return {"acquired": True}


def check_run_log(state, payload, plan):
    return {"runs": state.data["runs"]}


def resolve_pipeline(state, payload, plan):
    return {"traits": ["orders-landed", "prices-fresh"]}


def evaluate_traits(state, payload, plan):
    state.data["checks"] += 1
    late = state.data["checks"] <= plan["unready"]
    return [
        {"trait": trait, "status": "FAIL" if late and trait == "prices-fresh" else "PASS"}
        for trait in payload["traits"]
    ]


def check_readiness(state, payload, plan):
    if plan.get("broken"):
        return {"result": "error", "message": "evaluator timed out"}
    if all(trait["status"] == "PASS" for trait in payload["payload"]["traitResults"]):
        return {"result": "proceed"}
    return {"result": "not_ready", "pollAdvised": True}


def trigger_job(state, payload, plan):
    state.data["runs"] += 1
    return f"run-{state.data['runs']}"


def poll_status(state, payload, plan):
    run = state.data["runs"]
    if run <= len(plan["failures"]):
        message, category = plan["failures"][run - 1]
        return {"status": "FAILED", "message": message, "failureCategory": category}
    return {"status": "SUCCEEDED"}


def log_result(state, payload, plan):
    result = payload["payload"]
    if result["status"] == "COMPLETED":
        return {"payload": {"logged": True}}
    attempts = state.data["runs"]
    category = result.get("failureCategory", "TRANSIENT")
    if category == "PERMANENT" or attempts >= MAX_ATTEMPTS:
        return {"payload": {"retryable": False}}
    return {"payload": {"retryable": True, "retryBackoffSeconds": 2 ** (attempts - 1)}}


def alert(state, payload, plan):
    print(f"alert: {payload['pipelineID']}: {payload['message']}", file=sys.stderr)


def release_lock(state, payload, plan):
    state.remove()


ACTIONS = {
    "acquireLock": acquire_lock,
    "checkRunLog": check_run_log,
    "resolvePipeline": resolve_pipeline,
    "evaluateTraits": evaluate_traits,
    "checkReadiness": check_readiness,
    "triggerJob": trigger_job,
    "pollStatus": poll_status,
    "logResult": log_result,
    "alert": alert,
    "releaseLock": release_lock,
}


def main():
    payload = json.load(sys.stdin)
    name = os.environ.get("RETRY_LOOP_PLAN", "bumpy")
    if name not in PLANS:
        raise TaskError("UnknownPlan", f"RETRY_LOOP_PLAN is {name!r}; it may be {', '.join(PLANS)}")
    action = ACTIONS.get(payload.get("action"))
    if action is None:
        raise TaskError("UnknownAction", f"{payload.get('action')!r} is not an action of the orchestrator")
    state = State(payload)
    answer = action(state, payload, PLANS[name])
    if action is not release_lock:
        state.save()
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    try:
        main()
    except TaskError as error:
        print(json.dumps({"Error": error.error, "Cause": error.cause}), file=sys.stderr)
        sys.exit(1)
