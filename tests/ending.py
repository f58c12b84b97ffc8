"""A plugin of pytest: every test ends, and nothing outlives the tests.

A test that hangs fails by the ``timeout`` in ``pyproject.toml``, with a stack. Where
that cannot be (the compiler or a kernel does not come back, a fixture hangs after the
failure), the process ends ``LATER`` seconds after it, with the stacks of all threads.
"""

import faulthandler
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

#: Seconds beyond the limit of a test after which its process is ended.
LATER = 60.0
#: Signals that tests send. A shell that starts the tests in its background, nohup and
#: many a service let them be ignored, and all that is started inherits that.
USUAL = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    **({signal.SIGCHLD: signal.SIG_DFL} if hasattr(signal, "SIGCHLD") else {}),
}
LINUX = sys.platform == "linux"
REAPER = Path(__file__).with_name("reaper.py")
LIMIT = pytest.StashKey[float]()
STDERR = pytest.StashKey[int]()


def pytest_configure(config):
    """Mark all that this process will start, and leave somebody to look after it."""
    limit = config.getoption("timeout", None) or config.getini("timeout") or 0.0
    config.stash[LIMIT] = float(limit)
    config.stash[STDERR] = os.dup(2)  # what pytest captures would be lost
    if LINUX:
        name = f"DIVLEARN_TESTS_OF_{os.getpid()}"
        _start_reaper(name)
        os.environ[name] = "1"


def pytest_unconfigure(config):
    """Give back what was taken; the reaper ends by itself."""
    os.close(config.stash[STDERR])
    os.environ.pop(f"DIVLEARN_TESTS_OF_{os.getpid()}", None)


def _start_reaper(name):
    """Start it without the mark, in a session that no terminal and no kill reaches."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", REAPER, str(os.getpid()), name],
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        start_new_session=True,
    )
    process.returncode = 0  # it outlives us: nobody waits for it


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """Let tests, and what they start, hear the signals that they send."""
    with usual_signals():
        return (yield)


@contextmanager
def usual_signals():
    """Handle signals as in a program that was started from a terminal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {kind: signal.signal(kind, usual) for kind, usual in USUAL.items()}
    mask = _unblock()
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, signal.SIG_DFL if handler is None else handler)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _unblock():
    """Let signals come that somebody held back; returns what was held back."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    return signal.pthread_sigmask(signal.SIG_UNBLOCK, {*USUAL, signal.SIGALRM})


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    """Limit the time of fixtures as well."""
    with _last_resort(item):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    """Limit the time of a test."""
    with _last_resort(item):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    """Limit the time of what follows; other limits are off once a test has failed."""
    with _last_resort(item):
        return (yield)


@contextmanager
def _last_resort(item):
    """End the process, with all stacks, if this takes longer than any test may."""
    limit = _limit(item)
    if limit:
        stderr = item.config.stash[STDERR]
        faulthandler.dump_traceback_later(limit + LATER, exit=True, file=stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _limit(item):
    """Seconds that a test may take; 0 where there is no limit, or somebody debugs."""
    marker = item.get_closest_marker("timeout")
    own = marker.args[0] if marker is not None and marker.args else None
    debugging = item.config.getoption("usepdb") or sys.gettrace() is not None
    return 0.0 if debugging else item.config.stash[LIMIT] if own is None else own
