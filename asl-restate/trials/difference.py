"""Whether two executions of one name went the same way, by what the API says of them.

By nature differ: the times of events, and times, durations and task tokens within data. They are replaced: a moment within the
trial by `<time>`, a token by `<token>`. Concurrent branches (Map, Parallel) get on in an order of their own: histories that
are the same once each branch is taken by itself are called so, and not different.
"""
from datetime import datetime
import json
import re

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)")
MILLISECONDS = re.compile(r"(?<!\d)\d{13}(?!\d)")
ENTERED = re.compile(r"event id #\d+")
DURATIONS = re.compile(r'("(?:BilledDuration|billedDurationInMilliseconds|durationInMilliseconds|BilledMemoryUsed)":)\d+')
ABOUT = ("status", "input", "output", "error", "cause", "name", "executionArn", "stateMachineArn", "redriveCount", "redriveStatus")


class Normal:
    """Takes out what differs by nature, given when the trial was."""

    def __init__(self, begun, ended, tokens=()):
        self.begun, self.ended = begun - 60, ended + 60
        self.tokens = tokens

    def text(self, text):
        for token in self.tokens:
            text = text.replace(token, "<token>")
        text = MOMENT.sub(self.moment, text)
        return MILLISECONDS.sub(lambda found: self.within(int(found[0]) / 1000, found[0]), text)

    def moment(self, found):
        try:
            seconds = datetime.fromisoformat(found[0].replace("Z", "+00:00")).timestamp()
        except ValueError:
            return found[0]
        return self.within(seconds, found[0])

    def within(self, seconds, text):
        return "<time>" if self.begun <= seconds <= self.ended else text

    def event(self, event):
        kept = {key: value for key, value in event.items() if key != "timestamp"}
        return json.loads(self.text(json.dumps(kept, ensure_ascii=False)))


def description(normal, described):
    about = {key: described[key] for key in ABOUT if key in described}
    return json.loads(normal.text(json.dumps(about, ensure_ascii=False)))


def of_objects(left, right, where=""):
    """The first place where two values differ, with both, or None."""
    places = [(left, right, where)]
    while places:
        left, right, where = places.pop(0)
        if isinstance(left, dict) and isinstance(right, dict):
            keys = list(left) + [key for key in right if key not in left]
            absent = "(absent)"
            places += [(left.get(key, absent), right.get(key, absent), f"{where}/{key}") for key in keys]
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            places += [(one, other, f"{where}/{index}") for index, (one, other) in enumerate(zip(left, right))]
        elif type(left) is not type(right) or left != right:
            return f"{where}: {shown(left)} | {shown(right)}"
    return None


def shown(value):
    return json.dumps(value, ensure_ascii=False)[:400]


def by_branches(events):
    """A history in which each event is followed by what followed from it, whatever came between."""
    following = {}
    for event in sorted(events, key=lambda event: -event["id"]):
        own = {key: value for key, value in event.items() if key not in ("id", "previousEventId")}
        text = ENTERED.sub("event id #", json.dumps(own, ensure_ascii=False, sort_keys=True))
        after = sorted(following.pop(event["id"], []))
        whole = text + "(" + ",".join(after) + ")"
        following.setdefault(event.get("previousEventId", 0), []).append(whole)
    return sorted(text for texts in following.values() for text in texts)


def of_histories(left, right):
    """None, or where they differ; and whether they are the same but for the order of branches."""
    types = [[event["type"] for event in events] for events in (left, right)]
    if types[0] == types[1]:
        found = None
        for one, other in zip(left, right):
            found = of_objects(one, other, f"/{one['id']}")
            if found:
                break
        if found is None:
            return None, False
    else:
        found = f"events {first_of(*types)}"
    return found, by_branches(left) == by_branches(right)


def first_of(left, right):
    for index, (one, other) in enumerate(zip(left, right)):
        if one != other:
            return f"#{index + 1}: {one} | {other}"
    return f"in number: {len(left)} | {len(right)}"
