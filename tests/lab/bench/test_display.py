"""The displays of searches show the jobs of a benchmark."""

import io

from rich.console import Console

from divlearn.lab.bench.display import Jobs
from divlearn.terminal import LiveProgress, LogProgress
from divlearn.terminal.log import LEAST_SECONDS
from divlearn.terminal.places import Screen


def test_a_log_gets_a_line_now_and_then_and_one_at_the_end():
    """Thousands of runs must not make thousands of lines."""
    stream, now = io.StringIO(), [0.0]
    log = LogProgress("bench", stream, clock=lambda: now[0], ticking=False)
    log.start(Jobs(100), None, None)
    for done in range(100):
        now[0] = 0.2 * done
        log.update(Jobs(total=100, done=done, seconds_left=100.0 - done))
    log.update(Jobs(total=100, done=100, failed=2))
    log.finish()
    log.finish()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 20 / LEAST_SECONDS
    assert lines[0] == "bench: 25 of 100 runs, about 1 min 15 s left"
    assert lines[-1] == "bench: 100 of 100 runs, 2 failed"


def test_a_terminal_shows_bar_numbers_and_the_last_run():
    """What one wants to know at a glance."""
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=80, highlight=False)
    live = LiveProgress("bench tiny", Screen(console), ticking=False)
    live.say("compiling [soon]")
    live.start(
        Jobs(10, 5, 1, 42.0, "bitsp-8 instance 0", "runs and fronts"), None, None
    )
    shown = stream.getvalue()
    live.finish()
    for word in ("compiling [soon]", "bench tiny", "5 of 10 runs and fronts"):
        assert word in shown
    for word in ("1 failed", "about 42 s left", "bitsp-8 instance 0"):
        assert word in shown
