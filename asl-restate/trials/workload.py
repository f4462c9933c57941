"""State machines of each kind that lasts, with the output that each input must give."""
from tasks import step

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:work"
TASK = {"Type": "Task", "Resource": FUNCTION, "Parameters": {"number.$": "$.number"}, "ResultPath": "$.number"}
NUMBER = {"Type": "Pass", "InputPath": "$.number", "End": True}
CHAIN, ITEMS = 5, 8


def chain(*states):
    """States one after another, and then the number alone."""
    named = {f"S{index}": {**state, "Next": f"S{index + 1}"} for index, state in enumerate(states)}
    return {"StartAt": "S0", "States": {**named, f"S{len(states)}": NUMBER}}


def mapped(kind, items, at_a_time):
    own = {"Type": "Task", "Resource": FUNCTION, "Parameters": {"number.$": "$"}, "End": True}
    mode = {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"} if kind == "distributed" else {"Mode": "INLINE"}
    items_processor = {"ProcessorConfig": mode, "StartAt": "Each", "States": {"Each": own}}
    state = {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": at_a_time, "ItemProcessor": items_processor, "End": True}
    return {"StartAt": "Map", "States": {"Map": state}}


def waiting():
    return {"Type": "Wait", "Seconds": 2}


def retried():
    retry = [{"ErrorEquals": ["Again"], "IntervalSeconds": 1, "MaxAttempts": 3, "BackoffRate": 1}]
    return {**TASK, "Parameters": {"number.$": "$.number", "failures": 2}, "Retry": retry}


def with_token():
    payload = {"FunctionName": FUNCTION, "Payload": {"number.$": "$.number", "token.$": "$$.Task.Token"}}
    return {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken", "Parameters": payload,
            "ResultPath": "$.number"}


def stepped(times, number):
    for _ in range(times):
        number = step(number)
    return number


class Kind:
    """A state machine; how often one of it is started among others; and what a number gives."""

    def __init__(self, name, definition, share, given, expected):
        self.name, self.definition, self.share = name, definition, share
        self.given, self.expected = given, expected


def kinds(children):
    """All of them; the distributed Maps have so many children."""
    number = lambda number: {"number": number}
    items = lambda count: lambda number: {"items": [number + index for index in range(count)]}
    each = lambda count: lambda number: [step(number + index) for index in range(count)]
    return [
        Kind("chain", chain(*[TASK] * CHAIN), 8, number, lambda number: stepped(CHAIN, number)),
        Kind("map", mapped("inline", ITEMS, 4), 4, items(ITEMS), each(ITEMS)),
        Kind("wait", chain(waiting(), TASK, waiting()), 4, number, step),
        Kind("retry", chain(retried(), TASK), 3, number, lambda number: stepped(2, number)),
        Kind("token", chain(with_token(), TASK), 4, number, lambda number: stepped(2, number)),
        Kind("distributed", mapped("distributed", children, 40), 1, items(children), each(children)),
    ]
