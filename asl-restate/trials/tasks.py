"""A server that does the tasks of a trial, and remembers each time that it was asked."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
import random
import threading
import time

MODULUS = 1_000_003


def step(number):
    """What a task makes of a number: doing one twice, or leaving one out, gives another number at the end."""
    return (number * 31 + 7) % MODULUS


class Tasks:
    """Tasks take as long as `seconds()` says. `hand_on` is told of task tokens."""

    def __init__(self, seconds=lambda: random.uniform(0, 0.2), hand_on=None):
        self.seconds = seconds
        self.hand_on = hand_on
        self.lock = threading.Lock()
        # By the key that all repetitions of a task have: when each began and ended.
        self.done = {}
        self.server = Server(("127.0.0.1", 0), handler_of(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def arguments(self):
        """What `asl serve` is given for the function `work`."""
        return ["--task", f"work={self.url}/"]

    def perform(self, key, retries, payload):
        """The status and the answer."""
        begun = time.time()
        time.sleep(self.seconds())
        answer = 200, step(payload.get("number", 0))
        if retries < payload.get("failures", 0):
            answer = 500, {"Error": "Again", "Cause": f"retry {retries}"}
        if "token" in payload:
            self.hand_on(payload["token"], step(payload["number"]))
        with self.lock:
            self.done.setdefault(key, []).append((begun, time.time()))
        return answer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


def handler_of(tasks):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key, retries = self.headers["Idempotency-Key"], int(self.headers["Asl-Retry-Count"])
            status, value = tasks.perform(key, retries, payload)
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

        def handle(self):
            try:
                super().handle()
            except ConnectionError:
                pass  # whoever asked was killed

    return Handler
