"""Going through the past in stretches leaves the optimizer that asked and told."""

import itertools
import random

import numpy as np
import pytest

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.optimizer.optimizer import Optimizer
from divlearn.optimizer.replay import Elsewhere, OtherCandidate, Stretch
from divlearn.spaces.packing import Packing
from tests.kernels.cases import differing_arrays
from tests.search_cases import memory
from tests.study.conftest import SPACES, tiny

EVALUATIONS = 60


def live(
    problem, method, seed=3, evaluations=EVALUATIONS, fails=0.0, lost=0.0, others=0.0
):
    """Ask and tell with up to five under way, in any order; what happened, in events.

    A share of the answers says that the evaluation failed, another never comes. A
    share of the designs comes from elsewhere: known, or to be evaluated.
    """
    chance = random.Random(seed)
    optimizer = Optimizer(problem, method, seed, budget=evaluations)
    packing, events, under_way = Packing(problem.space), [], []
    while optimizer.evaluations < evaluations:
        if chance.random() < others:
            events.append(from_elsewhere(optimizer, packing, under_way, chance))
        if len(under_way) < chance.randint(1, 5):
            (candidate,) = optimizer.ask()
            events.append(packing.pack(candidate.codes))
            if chance.random() >= lost:
                under_way.append(candidate)
            continue
        candidate = under_way.pop(chance.randrange(len(under_way)))
        failed = chance.random() < fails
        values = None if failed else tuple(problem.evaluate(candidate.x).tolist())
        optimizer.tell(candidate, values)
        events.append((candidate.id, values))
    return optimizer, events


def from_elsewhere(optimizer, packing, under_way, chance):
    """Let an optimizer have a random design, known or not; what happened."""
    problem = optimizer.problem
    x = problem.space.sample(chance.randrange(10**6))
    codes = packing.pack(problem.space.encode(x))
    if chance.random() < 0.5:
        under_way.append(optimizer.enqueue(x))
        return Elsewhere(codes)
    values = problem.evaluate(x)
    optimizer.add(x, values, source="old")
    return Elsewhere(codes, tuple(values.tolist()), "old")


def rehearse(optimizer, events, compiled=True, ends=(), method=None):
    """A new optimizer that went through the events, with pauses at some of them."""
    problem, method = optimizer.problem, method or optimizer.method
    other = Optimizer(problem, method, optimizer.seed, budget=optimizer.budget)
    for first, last in itertools.pairwise((0, *ends, len(events))):
        other.replay(events[first:last], compiled=compiled)
    return other


def require_same(optimizer, other):
    """All arrays, and all that waits or failed, are the same."""
    assert differing_arrays(optimizer, other) == []
    assert memory(optimizer) == memory(other)
    for one, two in zip(optimizer.pending, other.pending, strict=True):
        assert repr(one.x) == repr(two.x)


@pytest.fixture
def only_compiled(monkeypatch):
    """Let nothing go one by one."""

    def refuse(optimizer, packing, event):
        raise AssertionError(event)

    monkeypatch.setattr("divlearn.optimizer.replay._step", refuse)


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
@pytest.mark.parametrize("space", SPACES)
def test_a_compiled_rehearsal_leaves_the_same_optimizer(space, method, only_compiled):
    """For every space and family: answers in any order, failed or never given."""
    optimizer, events = live(tiny(space), method, fails=0.2, lost=0.1)
    assert optimizer.pending
    assert optimizer.under_way.failed
    other = rehearse(optimizer, events, ends=(1, 2, 17, 40))
    require_same(optimizer, other)
    assert [c.id for c in other.ask(3)] == [c.id for c in optimizer.ask(3)]
    assert differing_arrays(optimizer, other) == []


def constrained(x):
    """Two objectives and how much a limit is exceeded."""
    return [*tiny()._function(x), float(x[0] - 3)]


CASES = {
    "constraints": dl.Problem(
        dl.Permutation(7), constrained, ["cost", "gain"], constraints=["limit"]
    ),
    "noise": tiny("composite", noise=True),
    "a compiled repair": dl.problems.get("bikp-20"),
    "a front that outgrows its place": dl.Problem(
        dl.Binary(10),
        lambda x: (x @ 2 ** np.arange(10), -(x @ 2 ** np.arange(10))),
        ["up", "down"],
    ),
}
# The Gaussian process, which the test above has, is slow where it has much to say.
FAMILIES = {
    "dl": method_for("dl").replace(gp_candidates=0),
    "paper-ts": method_for("paper-ts"),
}


@pytest.mark.parametrize("method", FAMILIES)
@pytest.mark.parametrize("case", CASES)
def test_nothing_about_a_problem_changes_that(case, method, only_compiled):
    """Constraints, measurements again, repair; the state is enlarged on the way."""
    method = FAMILIES[method]
    optimizer, events = live(CASES[case], method, evaluations=400, fails=0.05)
    other = rehearse(optimizer, events, method=method, ends=(100,))
    require_same(optimizer, other)
    if case == "a front that outgrows its place":
        assert other.front_size > 256


def test_a_design_that_failed_is_refused_as_it_was(only_compiled):
    """In a small space the search runs into failed designs again and again."""
    problem = tiny("binary")
    optimizer, events = live(problem, "paper-ts", evaluations=200, fails=0.3)
    proposed = optimizer.search.state.control[0].proposed
    assert proposed > optimizer.next_number  # some were refused
    require_same(optimizer, rehearse(optimizer, events))


def test_hooks_in_python_are_called_one_by_one(monkeypatch):
    """A valid or repair in Python sees every candidate, also in a rehearsal."""
    monkeypatch.setattr(Stretch, "run", None)
    seen = []
    problem = tiny(valid=lambda x: seen.append(1) is None and x[0] != 2)
    optimizer, events = live(problem, "dl")
    before = len(seen)
    require_same(optimizer, rehearse(optimizer, events))
    assert len(seen) == 2 * before


def spoil_design(events):
    """Another design at candidate 30."""
    asked = [i for i, event in enumerate(events) if isinstance(event, bytes)]
    events[asked[30]] = events[asked[30]][::-1]


def spoil_answer(events):
    """Another answer, which leads to another design later."""
    told = [i for i, event in enumerate(events) if isinstance(event, tuple)]
    number, _ = events[told[10]]
    events[told[10]] = number, (-50.0, 50.0)


def cut_design(events):
    """A design that lacks its last position."""
    asked = [i for i, event in enumerate(events) if isinstance(event, bytes)]
    events[asked[30]] = events[asked[30]][:-1]


def ask_for_what_failed(events):
    """A design that has failed before is asked for again."""
    told = [i for i, event in enumerate(events) if isinstance(event, tuple)]
    asked = [event for event in events if isinstance(event, bytes)]
    number, _ = events[told[10]]
    events[told[10]] = number, None
    later = [i for i in range(told[10], len(events)) if isinstance(events[i], bytes)]
    events[later[0]] = asked[number]


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
@pytest.mark.parametrize(
    "spoil", [spoil_design, spoil_answer, cut_design, ask_for_what_failed]
)
def test_both_ways_see_the_same_difference(spoil, method):
    """At the same candidate, from as many outcomes, for the same reason."""
    optimizer, events = live(tiny(), method)
    spoil(events)
    seen = []
    for compiled in (True, False):
        with pytest.raises(OtherCandidate) as caught:
            rehearse(optimizer, events, compiled)
        error = caught.value
        seen.append((error.number, error.known, str(error)))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "answer", [(3, (1.0,)), (3, (1.0, float("inf"))), (999, (1.0, 2.0)), (0, None)]
)
def test_both_ways_refuse_the_same_answers(answer):
    """Too few numbers, one that is none, a candidate that nobody asked for."""
    optimizer, events = live(tiny(), "dl")
    events.append(answer)
    said = []
    for compiled in (True, False):
        with pytest.raises(dl.InputError) as caught:
            rehearse(optimizer, events, compiled)
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
@pytest.mark.parametrize("compiled", [True, False])
def test_designs_from_elsewhere_are_gone_through_as_well(method, compiled):
    """Known ones and enqueued ones, some of which fail, in the middle of a search."""
    for space in ("permutation", "integer"):
        optimizer, events = live(tiny(space), method, fails=0.1, others=0.3)
        assert optimizer.known > 5
        other = rehearse(optimizer, events, compiled, ends=(7, 40))
        require_same(optimizer, other)
        assert optimizer.result().sources == other.result().sources
