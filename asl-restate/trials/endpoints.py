"""Endpoints to try, each in a folder of its own: the engine within the process, and one on a cluster of this machine."""
from contextlib import contextmanager
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from client import ACCOUNT

CLUSTER = Path(__file__).resolve().parent.parent.parent / "packaging" / "restate" / "cluster"


STARTED = []


def embedded(asl, folder, port, arguments):
    """`asl serve` with its own engine; ends with this program. Its URL, and its process."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [asl, "serve", "--port", str(port), "--account", ACCOUNT, "--data", str(folder / "data"), *arguments]
    with open(folder / "embedded.log", "ab") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    STARTED.append(lambda: (process.terminate(), process.wait()))
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 30
    while not is_healthy(url):
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"{' '.join(command)} does not serve: {(folder / 'embedded.log').read_text()}")
        time.sleep(0.05)
    return url, process.pid


def is_healthy(url):
    try:
        with urllib.request.urlopen(url + "/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


class Cluster:
    """A cluster of plain processes; ends with this program."""

    def __init__(self, asl, folder, base_port, nodes=1, apis=1, arguments=(), programs=None):
        self.folder = folder
        self.nodes = [f"node-{n}" for n in range(1, nodes + 1)]
        self.apis = [f"api-{n}" for n in range(1, apis + 1)]
        self.urls = [f"http://127.0.0.1:{base_port + 100 + n}" for n in range(1, apis + 1)]
        given = [f"--{name}={path}" for name, path in (programs or {}).items() if path]
        STARTED.append(self.stop)
        self.run("start", "--asl", asl, "--base-port", str(base_port), "--nodes", str(nodes), "--apis", str(apis), *given,
                 "--", "--account", ACCOUNT, *arguments)

    def run(self, command, *arguments):
        done = subprocess.run([str(CLUSTER), command, str(self.folder), *arguments], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"cluster {command} {' '.join(arguments)}: {done.stdout}{done.stderr}")

    def stop(self):
        if self.folder.exists():
            subprocess.run([str(CLUSTER), "stop", str(self.folder)], capture_output=True, stdin=subprocess.DEVNULL)

    def pid(self, name):
        return int((self.folder / f"{name}.pid").read_text())


@contextmanager
def folder(given=None):
    """A folder for all that a trial keeps, which goes with it unless it was given. What was started ends first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    with tempfile.TemporaryDirectory(prefix="asl-trial-") as temporary:
        try:
            yield Path(given or temporary)
        finally:
            while STARTED:
                STARTED.pop()()


def kind_of(asl):
    """Which build a program is, from where cargo puts them."""
    name = Path(asl).resolve().parent.name
    return name if name in ("debug", "release") else "other"
