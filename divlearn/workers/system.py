"""What the operating system is asked for: process groups, orphans, ends."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

LINUX = sys.platform == "linux"
POSIX = os.name == "posix"

#: Numbers of prctl, as the manual page of Linux has them.
_DIE_WITH_PARENT = 1
_ADOPT_ORPHANS = 36
#: Seconds after which a process that a kill does not end is given up.
PATIENCE = 5.0


def die_with_parent() -> None:
    """Let this process be killed when the thread that started it ends; Linux only."""
    _prctl(_DIE_WITH_PARENT, signal.SIGKILL if POSIX else 0)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends; Linux only.

    A process that left its group and its session can then still be found.
    """
    _prctl(_ADOPT_ORPHANS, 1)


def _prctl(option: int, value: int) -> None:
    if LINUX:
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def own_session() -> None:
    """Leave the terminal: Ctrl-C there is for the coordinator alone."""
    if POSIX:
        with suppress(OSError):  # a leader already
            os.setsid()


def own_group() -> None:
    """Lead a group within the session: killed as a whole, found by its session."""
    if POSIX:
        os.setpgid(0, 0)


def kill_group(pid: int) -> None:
    """Kill a process and all that share its group; on Windows all that it started."""
    if POSIX:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    else:
        command = ["taskkill", "/T", "/F", "/PID", str(pid)]
        subprocess.run(command, capture_output=True, check=False)


def kill_session(leader: int) -> None:
    """Kill all processes of a session, whatever their group; Linux only."""
    for pid, (_, session) in _processes().items():
        if session == leader:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill all processes that were started with ``NAME=value`` around them; Linux only.

    Descendants inherit it, wherever they went and whoever their parent is now.
    """
    if not LINUX:
        return
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                around = Path("/proc", entry, "environ").read_bytes()
                if mark.encode() in around.split(b"\0"):
                    os.kill(int(entry), signal.SIGKILL)


def kill_children() -> None:
    """Kill and bury all children of this process, those that it adopted included."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for pid in children_of(os.getpid()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not bury_children():
            return
        time.sleep(0.001)


def bury_children() -> bool:
    """Take the end of every child that has ended; say whether any is left."""
    with suppress(ChildProcessError):
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return True
    return False


def children_of(parent: int) -> list[int]:
    """Processes whose parent is ``parent``."""
    return [pid for pid, (above, _) in _processes().items() if above == parent]


def descendants_of(ancestor: int) -> list[int]:
    """Processes below ``ancestor``, as long as no one between has ended."""
    processes = _processes()
    found = [ancestor]
    for one in found:
        found += [pid for pid, (above, _) in processes.items() if above == one]
    return found[1:]


def _processes() -> dict[int, tuple[int, int]]:
    """Every process with its parent and, on Linux, its session."""
    if not LINUX:
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, check=False
        ).stdout.split()
        pairs = zip(map(int, listed[::2]), map(int, listed[1::2]), strict=True)
        return {pid: (parent, 0) for pid, parent in pairs}
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError, IndexError, ValueError):
                # The name of the program, in brackets, may hold anything.
                stat = Path("/proc", entry, "stat").read_bytes().rpartition(b")")[2]
                _, parent, _, session, *_ = stat.split()
                found[int(entry)] = int(parent), int(session)
    return found


def how_it_ended(code: int | None) -> str:
    """Say how a process ended.

    Examples
    --------
    >>> how_it_ended(3)
    'ended with exit code 3'
    >>> how_it_ended(-9)
    'was ended by signal 9 (SIGKILL)'
    """
    if code is None:
        return "ended"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = f" ({signal.Signals(-code).name})"
    except ValueError:
        name = ""
    return f"was ended by signal {-code}{name}"
