"""A client of the API, as SDKs are: connections that are kept, and tries again, on the next endpoint where there are several."""
import http.client
import json
import random
import socket
import threading
import time
import urllib.parse

ACCOUNT = "123456789012"
SERVICE = "AWSStepFunctions."
ARN = f"arn:aws:states:us-east-1:{ACCOUNT}"
# Told to come again, or not told at all what became of it.
AGAIN = {"ServiceUnavailable", "InternalFailure", "InternalServerError", "ThrottlingException"}
ENDED = {"SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"}


class ApiError(Exception):
    """What the API refused, by its code."""

    def __init__(self, status, code, message):
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code

    def is_passing(self):
        return self.status >= 500 or self.code in AGAIN


class Client:
    """May be used by any number of threads; each has connections of its own."""

    def __init__(self, *endpoints, attempts=5, timeout=70):
        self.endpoints = [urllib.parse.urlsplit(endpoint) for endpoint in endpoints]
        self.attempts = attempts
        self.timeout = timeout
        self.own = threading.local()
        self.lock = threading.Lock()
        self.errors = {}

    def call(self, operation, attempts=None, **request):
        """Does one operation; where it passes by, again, as often as an SDK would."""
        body = json.dumps(request).encode()
        attempts = attempts or self.attempts
        first = getattr(self.own, "endpoint", None)
        first = random.randrange(len(self.endpoints)) if first is None else first
        for attempt in range(attempts):
            endpoint = (first + attempt) % len(self.endpoints)
            try:
                answer = self.exchange(endpoint, operation, body)
                self.own.endpoint = endpoint
                return answer
            except (OSError, http.client.HTTPException, ApiError) as error:
                if isinstance(error, ApiError) and not error.is_passing():
                    raise
                self.note(operation, error)
                if attempt + 1 == attempts:
                    raise
            # As SDKs do: doubled from one time to the next, and anything between nothing and that.
            time.sleep(random.random() * min(5, 0.1 * 2 ** attempt))
        raise AssertionError("at least one attempt is made")

    def note(self, operation, error):
        kind = error.code if isinstance(error, ApiError) else type(error).__name__
        with self.lock:
            key = f"{operation} {kind}"
            self.errors[key] = self.errors.get(key, 0) + 1

    def exchange(self, endpoint, operation, body):
        connections = self.own.__dict__.setdefault("connections", {})
        connection = connections.get(endpoint)
        if connection is None:
            place = self.endpoints[endpoint]
            connection = connections[endpoint] = http.client.HTTPConnection(place.hostname, place.port, timeout=self.timeout)
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        headers = {"X-Amz-Target": SERVICE + operation, "Content-Type": "application/x-amz-json-1.0"}
        try:
            connection.request("POST", "/", body, headers)
            answer = connection.getresponse()
            text = answer.read()
        except BaseException:
            connections.pop(endpoint).close()
            raise
        return read(answer.status, text)

    # What is asked for often.

    def define(self, name, definition, **more):
        """A state machine of that name and definition, whether it was there or not."""
        definition = definition if isinstance(definition, str) else json.dumps(definition)
        role = f"arn:aws:iam::{ACCOUNT}:role/any"
        return self.call("CreateStateMachine", name=name, definition=definition, roleArn=role, **more)["stateMachineArn"]

    def start(self, machine, name, text, **more):
        return self.call("StartExecution", stateMachineArn=machine, name=name, input=text, **more)["executionArn"]

    def describe(self, execution, **more):
        return self.call("DescribeExecution", executionArn=execution, **more)

    def history(self, execution):
        """All events, over as many pages as there are."""
        events, more = [], {}
        while True:
            page = self.call("GetExecutionHistory", executionArn=execution, maxResults=1000, **more)
            events += page["events"]
            if not page.get("nextToken"):
                return events
            more = {"nextToken": page["nextToken"]}


def read(status, text):
    try:
        value = json.loads(text or b"{}")
    except ValueError:
        value = {"message": text[:200].decode(errors="replace")}
    if status == 200:
        return value
    code = str(value.get("__type", f"HTTP {status}")).rpartition("#")[2]
    raise ApiError(status, code, value.get("message") or value.get("Message"))
