"""What a search compiles, and when."""

import subprocess
import sys

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.loops import Step
from divlearn.methods.dl import compilation
from divlearn.methods.dl.compilation import needs_of, rehearse
from divlearn.methods.dl.kernels.parts import PROPOSE
from divlearn.methods.dl.rules import completed
from divlearn.methods.names import method_for
from divlearn.methods.paper import search as paper_search

#: Problems of every kind, with the method and the budget; each runs 60 evaluations.
SCRIPT = """
import os, sys
import numpy as np
import divlearn as dl
from tests.custom_encodings import Apart

mixed = dl.Composite(
    blades=dl.Integer(3, 90), kind=dl.Categorical("abc"), width=dl.Ordinal([1.0, 5.0])
)
ordered = dl.Composite(order=dl.Permutation(5), kind=dl.Categorical("abc"))
two, three = ["a", "b"], ["a", "b", "c"]

def knobs(x):
    return float(x["blades"]), x["width"] - x["blades"], "abc".index(x["kind"])

def order(x):
    return float(x[0]), float(x[1] * x[2]), float(x[-1])

own = dl.DL(custom_encodings=(Apart(),))
get = dl.problems.get
CASES = {
    "mixed": (dl.Problem(mixed, knobs, three), "dl", 60),
    "one objective": (dl.Problem(mixed, lambda x: knobs(x)[0], ["a"]), "dl", 60),
    "constraint": (dl.Problem(mixed, knobs, two, constraints=["c"]), "dl", 60),
    "noise": (dl.Problem(mixed, knobs, three, noise=True), "dl", 60),
    "large budget": (dl.Problem(mixed, knobs, three), "dl", 9_000),
    "bits": (dl.Problem(dl.Binary(9), lambda x: order(x * 1.0), three), "dl", 60),
    "many bits": (dl.Problem(dl.Binary(40), lambda x: order(x * 1.0), three), "dl", 60),
    "subset": (dl.Problem(dl.Subset(9, 4), order, three), "dl", 60),
    "order": (dl.Problem(dl.Permutation(6), order, three), "dl", 60),
    "noisy order": (dl.Problem(dl.Permutation(6), order, three, noise=True), "dl", 60),
    "order and kind": (
        dl.Problem(ordered, lambda x: order(x["order"]), three), "dl", 60
    ),
    "own encoding": (dl.Problem(dl.Permutation(6), order, three), own, 60),
    "pairs": (dl.Problem(dl.Permutation(10), order, three), "dl", 600),
    "compiled pairs": (get("qap-10"), "dl", 600),
    "compiled tour": (get("bitsp-10"), "dl", 60),
    "compiled bits": (get("ubqp-10"), "dl", 60),
    "compiled bits, large budget": (get("ubqp-10"), "dl", 9_000),
    "compiled choice": (get("bikp-12"), "dl", 60),
    "experts": (dl.Problem(dl.Permutation(6), order, three), "paper-ts", 60),
    "compiled experts": (get("bitsp-10"), "paper-ucb", 60),
    "traced experts": (get("bitsp-10"), dl.DivideAndLearn(trace=True), 60),
}

def loaded():  # kernels themselves, as a module may be imported in a run
    return {
        value: len(value.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith("divlearn.")
        for value in vars(module).values()
        if hasattr(value, "signatures")
    }

for name, (problem, method, budget) in CASES.items():
    if os.fork():
        os.wait()
        continue
    optimizer = dl.Optimizer(problem, method, budget=budget)
    optimizer.warm_up()
    before = loaded()
    dl.solve(problem, 60, optimizer=optimizer)
    late = [
        kernel.py_func.__name__
        for kernel, count in loaded().items() if count > before.get(kernel, 0)
    ]
    print(f"{name}: {optimizer.evaluations}", *late, flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_after_its_warm_up_a_run_of_sixty_evaluations_compiles_nothing_more():
    """In the middle of a run, minutes of silence would look like a hanging objective.

    Loaded from the cache counts as compiled, so that a full cache hides nothing; each
    kind of problem has a process of its own.
    """
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert len(said) == 21
    assert [line for line in said if not line.endswith(": 60")] == []


def _pretend(monkeypatch, cached):
    """Let all kernels be there, or none."""
    monkeypatch.setattr(compilation, "are_cached", lambda *kernels: cached)
    monkeypatch.setattr("divlearn.kernels.jit.is_cached", lambda kernel: cached)
    monkeypatch.setattr(Step, "is_cached", lambda step: cached)
    for module in (compilation, paper_search):
        monkeypatch.setattr(module, "loops_are_cached", lambda compiled: cached)


MIXED = dl.Composite(a=dl.Integer(0, 9), b=dl.Categorical("xyz"))


@pytest.mark.parametrize(
    ("space", "budget", "compiled", "seconds", "what"),
    [
        (dl.Permutation(6), 60, False, 45.5, "permutations"),
        (dl.Permutation(20), 300, False, 39.5, "permutations"),
        (dl.Permutation(20), 2_000, False, 52.5, "permutations"),
        (dl.Binary(40), 300, False, 18.5, "choices and numbers"),
        (dl.Binary(40), 301, False, 33.5, "choices and numbers"),
        (dl.Binary(40), None, False, 37.0, "choices and numbers"),
        (MIXED, 60, False, 33.5, "choices and numbers"),
        (MIXED, 9_000, True, 35.5, "choices and numbers"),
        (dl.Binary(8), 60, True, 35.5, "choices and numbers"),
    ],
)
def test_the_time_that_compiling_takes_is_told_by_what_is_missing(
    monkeypatch, whole_gp, space, budget, compiled, seconds, what
):
    """A user who is told "about a minute" and waits for two believes that it hangs."""
    _pretend(monkeypatch, cached=False)
    problem = dl.Problem(space, lambda x: 0.0, ["a"])
    work = dl.DL().missing(problem, budget, compiled)
    assert (work.what, work.seconds) == (what, seconds)


def test_what_tables_propose_is_compiled_where_the_gaussian_process_finds_no_more():
    """A plan for few evaluations spares its user half a minute; longer ones go on."""

    def evaluate(x):
        return float(x.sum()), -float(x[:9].sum())

    small = dl.Problem(dl.Binary(40), evaluate, ["a", "b"], noise=False)
    optimizer = dl.Optimizer(small, dl.DL(gp_candidates=12, initial=5), budget=12)
    for _ in range(14):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, small.evaluate(candidate.x))
        missing = optimizer.search.state.parts[PROPOSE] == 0
        assert missing == (optimizer.evaluations <= 12)


def test_nothing_is_told_to_be_missing_when_everything_is_there(monkeypatch):
    """The second search starts at once, and says nothing of compiling."""
    _pretend(monkeypatch, cached=True)
    for method in ("dl", "paper-ts", "random"):
        problem = dl.Problem(MIXED, lambda x: 0.0, ["a"])
        assert method_for(method).missing(problem, 60, False) is None


def test_settings_may_be_filled_in_already(tiny_mixed):
    """An optimizer asks with its own settings, a study with those of its file."""
    optimizer = dl.Optimizer(tiny_mixed, budget=500)
    full = needs_of(optimizer.settings, tiny_mixed, 500, compiled=False)
    planned = completed(dl.DL(), tiny_mixed, 500)
    again = completed(optimizer.settings, tiny_mixed, 500)
    assert needs_of(planned, tiny_mixed, 500, compiled=False) == full
    assert needs_of(again, tiny_mixed, 500, compiled=False) == full


def test_a_rehearsal_leaves_the_search_as_it_was(tiny_mixed):
    """The same seed gives the same candidates, whoever warmed up before."""
    rehearse.cache_clear()
    plain = dl.Optimizer(tiny_mixed, seed=3, budget=40)
    warm = dl.Optimizer(tiny_mixed, seed=3, budget=40)
    warm.warm_up()
    for _ in range(40):
        batches = [optimizer.ask() for optimizer in (plain, warm)]
        first, second = (batch[0].codes for batch in batches)
        assert np.array_equal(first, second)
        for optimizer, batch in zip((plain, warm), batches, strict=True):
            optimizer.tell(batch, [tiny_mixed.evaluate(c.x) for c in batch])
