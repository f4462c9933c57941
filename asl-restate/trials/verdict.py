"""What became of the executions of a trial, and whether that is what was promised."""
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
import json
import time

from client import ENDED, ApiError

Started = namedtuple("Started", "kind number begun acknowledged")
# `wrong` says what is not as it must be, if anything; `ended` is when, by the cluster's clock.
Found = namedtuple("Found", "arn started status wrong ended")


def judge(client, load, patience):
    """Waits until all that was acknowledged has ended, and looks at each."""
    deadline = time.monotonic() + patience
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda item: look(client, *item, deadline), load.acknowledged.items()))
    return found + listed_wrong(client, load)


def look(client, arn, started, deadline):
    while True:
        try:
            described = client.describe(arn)
        except ApiError as error:
            return Found(arn, started, error.code, "lost", None)
        if described["status"] in ENDED:
            break
        if time.monotonic() > deadline:
            return Found(arn, started, described["status"], "has not ended", None)
        time.sleep(0.5)
    wrong = wrong_output(started, described) or wrong_history(client.history(arn))
    return Found(arn, started, described["status"], wrong, described["stopDate"])


def wrong_output(started, described):
    if described["status"] != "SUCCEEDED":
        return f"{described['status']}: {described.get('error')}: {described.get('cause')}"[:300]
    expected, output = started.kind.expected(started.number), json.loads(described["output"])
    return None if output == expected else f"gave {json.dumps(output)[:100]}, not {json.dumps(expected)[:100]}"


def wrong_history(events):
    """Whether it ended more than once, or has a gap."""
    if [event["id"] for event in events] != list(range(1, len(events) + 1)):
        return "its history has gaps"
    ends = [event["id"] for event in events if event["type"].startswith("Execution") and event["type"] != "ExecutionStarted"]
    return None if ends == [len(events)] else f"its history ends at {ends} of {len(events)} events"


def listed_wrong(client, load):
    """Executions that ListExecutions does not have, or has twice, or in another state."""
    wrong = []
    for machine in load.machines.values():
        counts, more = Counter(), {}
        while True:
            page = client.call("ListExecutions", stateMachineArn=machine, maxResults=1000, **more)
            counts.update((execution["executionArn"], execution["status"]) for execution in page["executions"])
            if not page.get("nextToken"):
                break
            more = {"nextToken": page["nextToken"]}
        for arn, started in load.acknowledged.items():
            if load.machines[started.kind.name] == machine and counts[arn, "SUCCEEDED"] != 1:
                told = [status for listed, status in counts.elements() if listed == arn]
                wrong.append(Found(arn, started, "LISTED", f"ListExecutions has it as {told}", None))
    return wrong


def repeated(tasks, kills, recovery):
    """How often a task was done again: under way at a kill, while the cluster recovered from one, and otherwise."""
    counts, moments = Counter(), [at for at, _ in kills]
    for times in tasks.done.values():
        for begun, ended in sorted(times)[:-1]:
            if any(begun <= at <= ended + 0.1 for at in moments):
                counts["under way at a kill"] += 1
            elif any(begun - recovery <= at <= ended + 1 for at in moments):
                counts["within the recovery from one"] += 1
            else:
                counts["at another time"] += 1
    return counts


def recoveries(found, kills):
    """From each kill, how long until the next execution ended, and until all had ended that ran at the kill."""
    ends = sorted(each.ended for each in found if each.ended)
    next_ends, all_ends = [], []
    for at, _ in kills:
        next_ends += [end - at for end in ends if end > at][:1]
        running = [each.ended for each in found if each.ended and each.started.begun < at < each.ended]
        all_ends += [max(running) - at] if running else []
    return next_ends, all_ends


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def spread(values):
    return f"p50 {percentile(values, 0.5):.2f} s, p90 {percentile(values, 0.9):.2f} s, max {percentile(values, 1):.2f} s"


def report(found, load, tasks, answers, kills, given):
    bad = [each for each in found if each.wrong]
    lost = [each for each in bad if each.wrong in ("lost", "has not ended")]
    ended = [each for each in found if each.ended]
    again = repeated(tasks, kills, given.recovery)
    performed = sum(map(len, tasks.done.values()))
    children = sum(given.children for each in ended if each.started.kind.name == "distributed")
    print(f"starts: {load.count}, acknowledged {load.count - len(load.unacknowledged)}, not acknowledged {len(load.unacknowledged)}")
    print(f"executions: ended {len(ended)}, with {children} children; wrong {len(bad) - len(lost)}, lost {len(lost)}")
    print(f"tasks: {performed} performed; again: {sum(again.values())} ({', '.join(f'{count} {when}' for when, count in again.items())})")
    next_ends, all_ends = recoveries(ended, kills)
    print(f"from a kill until the next execution ends: {spread(next_ends)}")
    print(f"from a kill until all have ended that ran then: {spread(all_ends)}")
    for kind in load.kinds:
        took = [each.ended - each.started.begun for each in ended if each.started.kind is kind]
        print(f"  {kind.name}: {len(took)}, start to end {spread(took)}")
    took = [started.acknowledged - started.begun for started in load.acknowledged.values()]
    print(f"from a start until it is acknowledged: {spread(took)}")
    print("errors that clients saw, and tried again: " + (json.dumps(load.client.errors, sort_keys=True) if load.client.errors else "none"))
    print("answers to tokens that were refused: " + (json.dumps(answers.refused) if answers.refused else "none"))
    for each in bad[:20]:
        print(f"WRONG {each.arn} {each.status}: {each.wrong}")
    if given.json:
        write(given.json, found, load, kills, again)
    return 1 if bad or again["at another time"] else 0


def write(path, found, load, kills, again):
    told = [{"arn": each.arn, "status": each.status, "wrong": each.wrong, "begun": each.started.begun, "ended": each.ended}
            for each in found]
    with open(path, "w", encoding="utf8") as file:
        json.dump({"executions": told, "kills": kills, "again": again, "not acknowledged": load.unacknowledged}, file, indent=1)
