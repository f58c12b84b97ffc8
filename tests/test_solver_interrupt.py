import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numba import njit

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from tests.kernels.cases import differing_arrays
from tests.search_cases import Recorder, bits, broken_at, ones_and_zeros


def press_ctrl_c():
    """Send this process what the terminal sends."""
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def same_handler_after():
    """A look at the handler after a test; before, it is Python's usual one."""
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("same_handler_after")
def test_ctrl_c_ends_a_slow_evaluation_at_once():
    """The objective is left in the middle; what was asked stays pending."""
    calls, late = [], []

    def evaluate(x):
        calls.append(x)
        if len(calls) == 15:
            press_ctrl_c()
            late.append(time.sleep(5))
        return ones_and_zeros(x)

    problem = bits(evaluate)
    optimizer = dl.Optimizer(problem, budget=100)
    with pytest.raises(dl.SearchInterrupted, match=r"in \.result") as caught:
        dl.solve(problem, 100, optimizer=optimizer)
    assert late == []
    result = caught.value.result
    assert (result.evaluations, result.stopped) == (14, "interrupted")
    assert len(optimizer.pending) == 1
    assert dl.solve(problem, 100, optimizer=optimizer).evaluations == 100


@pytest.mark.usefixtures("same_handler_after")
def test_ctrl_c_outside_of_an_evaluation_lets_the_bookkeeping_finish():
    """A callback of the same evaluation still runs; the state is whole."""
    finished = []

    def callback(optimizer, candidate):
        if optimizer.evaluations == 9:
            press_ctrl_c()
        finished.append(candidate.id)

    with pytest.raises(dl.SearchInterrupted) as caught:
        dl.solve(bits(ones_and_zeros), 100, callbacks=callback)
    assert caught.value.result.evaluations == 9
    assert finished == list(range(9))


@pytest.mark.usefixtures("same_handler_after")
def test_ctrl_c_ends_the_compiled_loop_soon(tiny_tour):
    """Pressed while a kernel runs; the search can go on from there."""
    optimizer = dl.Optimizer(tiny_tour)
    optimizer.warm_up()

    def press_later():
        """Press it when the loop is under way."""
        while optimizer.evaluations == 0:
            time.sleep(0.001)
        time.sleep(0.05)
        press_ctrl_c()

    threading.Thread(target=press_later).start()
    with pytest.raises(dl.SearchInterrupted) as caught:
        dl.solve(tiny_tour, 10**12, optimizer=optimizer)
    count = caught.value.result.evaluations
    assert 0 < count == optimizer.evaluations
    direct = dl.Optimizer(tiny_tour)
    direct.run(count)
    assert differing_arrays(optimizer, direct) == []


@njit
def slow_counts(x, table, y):
    """Two counts, after some ten milliseconds of work."""
    work = 0.0
    for k in range(int(table[0, 0])):
        work += np.sin(k)
    y[0] = x.sum()
    y[1] = -x.sum() + 1e-300 * work


@pytest.mark.usefixtures("same_handler_after")
def test_ctrl_c_works_also_between_slow_compiled_evaluations():
    """Few of them are made in one call, whatever the budget."""
    terms = 1e4 if JIT_DISABLED else 1e6
    problem = bits(None, compiled=dl.Compiled(slow_counts, np.array([[terms]])))
    optimizer = dl.Optimizer(problem, budget=10_000)
    optimizer.warm_up()
    updates = []

    class Watch(Recorder):
        def update(self, optimizer):
            updates.append(optimizer.evaluations)
            if len(updates) == 4:
                press_ctrl_c()

    with pytest.raises(dl.SearchInterrupted):
        dl.solve(problem, 10_000, optimizer=optimizer, progress=Watch())
    assert len(updates) == 4
    assert optimizer.evaluations <= 100


@pytest.mark.usefixtures("same_handler_after")
def test_a_keyboard_interrupt_of_the_objective_counts_as_ctrl_c():
    """Some libraries raise it on their own."""

    def evaluate(x):
        raise KeyboardInterrupt

    with pytest.raises(dl.SearchInterrupted) as caught:
        dl.solve(bits(evaluate), 10)
    assert caught.value.result.evaluations == 0


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it():
    """As a job in the background of a shell script does."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        def evaluate(x):
            press_ctrl_c()
            return ones_and_zeros(x)

        assert dl.solve(bits(evaluate), 10).evaluations == 10
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("same_handler_after")
@pytest.mark.parametrize("outcome", ["done", "failed"])
def test_the_handler_of_ctrl_c_is_put_back(outcome):
    """After an end of any kind; the fixture looks."""
    evaluate, _ = broken_at(5 if outcome == "failed" else 50, (1,))
    try:
        dl.solve(bits(evaluate), 10)
    except dl.EvaluationError:
        assert outcome == "failed"
    else:
        assert outcome == "done"


def test_a_search_runs_in_any_thread(tiny_tour):
    """Only the main thread may handle signals; the others search without."""
    results = []

    def work(seed):
        results.append((seed, dl.solve(tiny_tour, 300, seed=seed).F.tolist()))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [(s, dl.solve(tiny_tour, 300, seed=s).F.tolist()) for s in range(3)]
    assert sorted(results) == expected


INTERRUPTED = """
import sys, time
import divlearn as dl

def slow(x):
    time.sleep(0.01)
    return x[0], -x[1]

if sys.argv[1] == "python":
    problem = dl.Problem(dl.Permutation(9), slow, ["a", "b"])
else:
    problem = dl.problems.get("bitsp-50")

class Say:
    said = False
    def compiling(self, what, seconds): pass
    def start(self, optimizer, budget, seconds): pass
    def update(self, optimizer):
        if optimizer.evaluations and not self.said:
            self.said = True
            print("searching", flush=True)
    def say(self, message): pass
    def finish(self): print("finished", flush=True)

try:
    dl.solve(problem, 10**9, progress=Say())
except KeyboardInterrupt as stopped:
    print(type(stopped).__name__, stopped.result.evaluations, len(stopped.result.F))
"""


@pytest.mark.parametrize("kind", ["python", "compiled"])
def test_ctrl_c_from_outside_gives_what_was_found(kind):
    """A process of its own gets the signal as from a terminal."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, kind], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
    assert lines[0] == "finished"
    name, evaluations, size = lines[1].split()
    assert name == "SearchInterrupted"
    assert int(evaluations) >= int(size) >= 1
    assert process.returncode == 0
