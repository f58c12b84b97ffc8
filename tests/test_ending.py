"""Tests end: whoever started them, whatever hangs in them, and whoever kills them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reaper import marked
from tests.workers.processes import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes")
ROOT = Path(__file__).parent.parent


@pytest.fixture
def start(tmp_path):
    """Start a run of small tests, known by its folder; none of them stays."""
    started = []

    def start(tests, *options, **more):
        (tmp_path / "pytest.ini").touch()
        (tmp_path / "test_small.py").write_text(tests)
        command = [sys.executable, "-m", "pytest", "-p", "tests.ending", *options]
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), name_of(tmp_path): "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **more,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.stdout.close()
        process.wait()
    assert wait_until(lambda: not marked(name_of(tmp_path)))


def name_of(folder):
    """A variable that all processes of a run have."""
    return f"RUN_IN_{folder.name}"


SIGNALS = """
import os, signal, subprocess, sys

def test_here():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        assert False
    except KeyboardInterrupt:
        pass

def test_below():
    for kind in (signal.SIGINT, signal.SIGTERM):
        code = "print(flush=True); import time; time.sleep(600)"
        command = [sys.executable, "-c", code]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:
            process.stdout.readline()
            process.send_signal(kind)
            assert process.wait() == -kind
"""


def ignore_signals():
    """As a job in the background of a script, which outlives its terminal."""
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)


def hold_signals_back():
    """As some services leave it to all that they start."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


@pytest.mark.parametrize("habit", [ignore_signals, hold_signals_back])
@pytest.mark.parametrize("where", ["in this process", "in workers"])
def test_tests_hear_signals_whoever_started_them(start, habit, where):
    """A script in the background of a shell used to wait for ever."""
    workers = "0" if where == "in this process" else "1"
    process = start(SIGNALS, "-n", workers, "--timeout=600", preexec_fn=habit)
    said = process.communicate()[0]
    assert process.returncode == 0, said


HANG = """
import subprocess, sys, time

def test_hangs():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    while True:
        try:
            time.sleep(600)
        except BaseException:
            if {obedient}:
                raise

def test_next():
    pass
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_test_that_hangs_fails_with_its_stack(start, workers):
    """The others are run."""
    process = start(HANG.format(obedient=True), f"-n{workers}", "--timeout=2")
    said = process.communicate()[0]
    assert "1 failed, 1 passed" in said
    assert "Timeout (>2.0s)" in said
    assert "time.sleep(600)" in said


@pytest.mark.parametrize("workers", [0, 1])
def test_a_test_that_nothing_interrupts_ends_with_its_process(start, workers, tmp_path):
    """As one in a kernel that does not come back; what it started ends too."""
    settings = "import tests.ending\ntests.ending.LATER = 1.0\n"
    (tmp_path / "conftest.py").write_text(settings)
    process = start(HANG.format(obedient=False), f"-n{workers}", "--timeout=2")
    said = process.communicate()[0]
    assert process.returncode == 1
    assert "in test_hangs" in said
    if workers:
        assert "1 failed, 1 passed" in said


BUSY = """
import os, subprocess, sys, time
from pathlib import Path
from divlearn.workers import LocalPool, Attempt
from tests.workers.objectives import PROBLEM

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]

def test_workers():
    with LocalPool(PROBLEM, workers=2) as pool:
        for number, deed in enumerate(["family", "hang deaf"]):
            pool.submit(Attempt(number, 0, 0, deed, None))
        pool.wait(0.5)
        Path("workers").touch()
        pool.wait(600)

def test_programs():
    detached = subprocess.Popen(SLEEP, start_new_session=True)
    subprocess.Popen([*SLEEP[:2], f"import subprocess; subprocess.run({SLEEP})"])
    Path("programs").touch()
    detached.wait()
"""


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_test_run_that_is_killed_leaves_no_process(start, kind, tmp_path):
    """Workers, what objectives started, and programs that left their group."""
    process = start(BUSY, "-n2", start_new_session=True)
    files = [tmp_path / "workers", tmp_path / "programs"]
    assert wait_until(lambda: all(file.exists() for file in files))
    assert len(marked(name_of(tmp_path))) >= 10
    if kind == signal.SIGINT:
        os.killpg(process.pid, kind)  # as the keys do: to all of them
    else:
        process.send_signal(kind)
    process.wait()
    assert wait_until(lambda: not marked(name_of(tmp_path)))
