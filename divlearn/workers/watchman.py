"""A process that stays behind to see that nothing outlives the coordinator; Linux."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing import connection, parent_process
from typing import Any

from divlearn.workers.birth import quiet_fork
from divlearn.workers.system import (
    adopt_orphans,
    die_with_parent,
    kill_children,
    kill_group,
    own_group,
)


def leave_watchman(line: Any) -> None:
    """Go on as a child of this process, which watches over it.

    Called in a process that was just started, before there is anything that would
    not survive a fork. The watchman ends as its child ends; when the coordinator is
    gone, it kills the child with all that it started.
    """
    watchman = os.getpid()
    with quiet_fork():
        child = os.fork()
    if child == 0:
        own_group()
        die_with_parent()
        if os.getppid() != watchman:  # it died before we could say so
            os._exit(1)
        return
    line.close()
    adopt_orphans()
    _watch(child)


def _watch(child: int) -> None:
    """Wait for the end of the child or of the coordinator, and end likewise."""
    coordinator = parent_process()
    signs: list[Any] = [] if coordinator is None else [coordinator.sentinel]
    code = None
    with suppress(OSError, AttributeError):
        signs.append(os.pidfd_open(child))
    while code is None:
        over = connection.wait(signs, 1.0)
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
        elif coordinator is not None and coordinator.sentinel in over:
            code = 1
    kill_group(child)
    kill_children()
    if code < 0:  # die of the same
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
