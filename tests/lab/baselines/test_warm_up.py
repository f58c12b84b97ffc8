"""Compiling before the clock starts."""

import subprocess
import sys

import pytest

import divlearn as dl
from divlearn.basics.clock import Clock
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.names import other_methods
from divlearn.methods.others.random import RandomSearch

#: Methods, problems, and evaluations: enough to use all that a method compiles.
RUNS = [
    ("ppls-dc", "bitsp-8", 3_000),
    ("ppls-dc", "biatsp-8", 3_000),
    ("ppls-dc", "bikp-12", 3_000),
    ("ppls-dc", "bicvrp-8", 3_000),
    ("ws-2opt", "bitsp-8", 3_000),
    ("random", "mixed-20", 30),
    ("pure-ucb", "bitsp-8", 30),
    ("nsga2", "bikp-12", 300),
    ("moead", "bicvrp-8", 300),
    ("qnehvi", "bitsp-8", 22),
]
#: Says which kernels a run compiled or loaded after its warm-up.
SCRIPT = """
import sys
import divlearn as dl

def compiled():
    return {
        (name, attribute): len(value.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith("divlearn.kernels")
        for attribute, value in vars(module).items()
        if hasattr(value, "signatures")
    }

for method, problem, budget in %r:
    optimizer = dl.Optimizer(dl.problems.get(problem), method, budget=budget)
    optimizer.warm_up()
    before = compiled()
    dl.solve(optimizer.problem, budget, optimizer=optimizer)
    late = [key for key, count in compiled().items() if count > before.get(key, 0)]
    print(method, problem, *late, sep=" ")
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_nothing_is_compiled_while_the_clock_runs():
    """In a process of its own, since kernels stay compiled."""
    runs = [run for run in RUNS if other_methods()[run[0]].installed]
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT % (runs,)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.splitlines() == [f"{method} {problem}" for method, problem, _ in runs]


def test_the_clock_starts_after_the_warm_up(monkeypatch):
    """A time limit is for searching, whoever the method is from."""
    events = []
    start = Clock.start

    def started(self):
        events.append("clock")
        start(self)

    monkeypatch.setattr(Clock, "start", started)
    monkeypatch.setattr(
        RandomSearch, "warm_up", lambda self, problem: events.append("warm-up")
    )
    dl.solve(dl.problems.get("bitsp-8"), 3, method="random")
    assert events[:2] == ["warm-up", "clock"]


@pytest.mark.parametrize("name", ["ppls-dc", "ws-2opt", "random"])
def test_a_warm_up_leaves_no_trace(name):
    """Nothing is counted or found, and the run is the same as without."""
    problem = dl.problems.get("bitsp-8")
    optimizer = dl.Optimizer(problem, name, seed=4)
    for _ in range(2):
        optimizer.warm_up()
    assert (optimizer.evaluations, optimizer.front_size, optimizer.seconds) == (0, 0, 0)
    warm = dl.solve(problem, 200, optimizer=optimizer)
    plain = dl.solve(problem, 200, method=name, seed=4)
    assert warm.F.tolist() == plain.F.tolist()
