"""What runs on this machine, for tests that leave nothing behind; Linux only."""

import os
import time
from contextlib import suppress
from pathlib import Path

#: A word in the command lines of processes that tests leave behind on purpose. Each
#: test process has its own, and all that it starts inherit it.
MARK = os.environ.setdefault("DIVLEARN_TEST_MARK", f"divlearn-test-{os.getpid()}-")


def running(word=MARK):
    """Processes with a word in their command line, but for dead ones."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                if str(word).encode() in command:
                    found.append(int(entry.name))
    return found


def runs(pid):
    """Whether a process is there and not dead."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=120.0):
    """Wait for what should come, and say whether it came."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
