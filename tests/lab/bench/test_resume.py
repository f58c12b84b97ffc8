"""kill -9 at any moment, and the same command again."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

SUITE = """
budget = 4_000
instances = 12
problems = ["bitsp-20", "bikp-10"]
methods = ["paper-ts", "uniform"]
"""
RUNS = 48


def start(folder):
    """Start the benchmark as a user does."""
    command = [sys.executable, "-m", "divlearn", "bench", "suite.toml", "--quiet"]
    return subprocess.Popen(
        [*command, "--out", folder, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )


def stored(folder):
    """Keys of the runs in the store, in the order in which they were written."""
    path = Path(folder, "bench.db")
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT key FROM runs ORDER BY rowid").fetchall()
            return [key for (key,) in rows]
    except sqlite3.OperationalError:  # the tables are not there yet
        return []


def children(pid):
    """Processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


def alive(pid):
    """Whether a process is there and no mere entry of a table."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def kill_after(folder, count):
    """Run until that many runs are stored, then kill -9."""
    process = start(folder)
    deadline = time.monotonic() + 600
    while len(stored(folder)) < count and time.monotonic() < deadline:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.002)
    workers = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    return workers


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_killed_twice_and_started_again_a_benchmark_ends_with_the_same_table(
    tmp_path, monkeypatch
):
    """Nothing that was finished is made again, and nothing is lost or left behind."""
    monkeypatch.chdir(tmp_path)
    Path("suite.toml").write_text(SUITE)
    workers = kill_after("broken", 5)
    first = stored("broken")
    kill_after("broken", len(first) + 10)
    second = stored("broken")
    assert 5 <= len(first) < len(second) < RUNS
    assert second[: len(first)] == first
    for folder in ("broken", "whole"):
        process = start(folder)
        out, _ = process.communicate(timeout=600)
        assert process.returncode == 0, out
    assert stored("broken")[: len(second)] == second
    assert len(stored("broken")) == len(stored("whole")) == RUNS
    for name in ("table.md", "table.csv"):
        broken, whole = Path("broken", name), Path("whole", name)
        assert broken.read_bytes() == whole.read_bytes()
    assert workers
    assert not any(map(alive, workers))
