"""Ends what a test process leaves behind, however that ended; Linux only.

``python reaper.py PID NAME`` waits for the end of a process, and then kills all that
were started with the variable NAME around them. Descendants inherit it, wherever they
went and whoever their parent is now. Nothing of divlearn is used here: its tests must
end also where it is broken.
"""

import os
import select
import signal
import sys
import time

#: Seconds that processes have to end by themselves, and that kills are repeated.
GRACE, PATIENCE = 1.0, 30.0


def marked(name):
    """Processes that were started with this variable, but for dead ones."""
    return [int(e) for e in os.listdir("/proc") if e.isdigit() and _has(e, name)]


def _has(entry, name):
    """Whether a process has a variable; the dead and the strange have none."""
    try:
        with open(f"/proc/{entry}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return False
    return any(variable.startswith(f"{name}=".encode()) for variable in variables)


def wait_for_end(pid):
    """Wait until a process has ended."""
    try:
        sign = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    select.select([sign], [], [])


def reap(name):
    """Kill until nothing is left: what is killed may just be starting another."""
    last = time.monotonic() + PATIENCE
    time.sleep(GRACE)
    while (found := marked(name)) and time.monotonic() < last:
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:  # just gone, or not ours
                continue
        time.sleep(0.05)


if __name__ == "__main__":
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)
    wait_for_end(int(sys.argv[1]))
    reap(sys.argv[2])
