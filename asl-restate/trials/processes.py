"""What processes take: processor time, bytes written to disk, memory."""
from collections import namedtuple
import os

TICK = os.sysconf("SC_CLK_TCK")
Taken = namedtuple("Taken", "cpu_seconds written_bytes")


def taken(pid):
    """What a process has taken until now."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    with open(f"/proc/{pid}/io") as file:
        written = next(int(line.split()[1]) for line in file if line.startswith("write_bytes"))
    return Taken((int(fields[11]) + int(fields[12])) / TICK, written)


def peak_memory(pid):
    """The most that was resident at a time, in bytes."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


class Meter:
    """What each of some processes takes from now on."""

    def __init__(self, pids):
        self.pids = pids
        self.before = {name: taken(pid) for name, pid in pids.items()}

    def read(self):
        now = {name: taken(pid) for name, pid in self.pids.items()}
        return {name: Taken(*(after - before for after, before in zip(now[name], self.before[name]))) for name in now}
