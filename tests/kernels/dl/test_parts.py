import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.methods.dl.kernels.arms.bandit import propose_choice, propose_sequence
from divlearn.methods.dl.kernels.parts import (
    LEARN,
    PROPOSE,
    PROPOSE_REPEAT,
    part_address,
)
from divlearn.methods.dl.search import with_parts
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import new_search
from tests.kernels.dl.cases import small, state_for

SPACES = {
    "tour": (dl.Permutation(5), propose_sequence),
    "bits": (dl.Binary(5), propose_choice),
    "both": (dl.Composite(a=dl.Permutation(4), b=dl.Binary(2)), propose_sequence),
}


@pytest.mark.parametrize("name", SPACES)
def test_a_space_with_permutations_has_other_parts_than_one_without(name):
    """Looked up when the first candidate is asked for, not before."""
    space, proposing = SPACES[name]
    state = state_for(space)
    assert not state.parts.any()
    state = with_parts(state)
    assert state.parts[LEARN] not in (0, state.parts[PROPOSE])
    if proposing is propose_sequence:  # without orders, when tables are first asked
        assert state.parts[PROPOSE] == part_address(proposing, state)


def test_tables_without_orders_are_looked_up_when_they_are_first_asked():
    """A search that ends with its Gaussian process never does."""
    problem = dl.Problem(dl.Binary(5), lambda x: float(x.sum()), ["a"], noise=False)
    search = small().begin(problem, None, 0)
    search.make_room(1)
    assert search.state.parts[PROPOSE] == 0
    search.compile_tables()
    assert search.state.parts[PROPOSE] == part_address(propose_choice, search.state)


def test_a_search_from_another_process_looks_its_parts_up_again():
    """Addresses mean nothing there, and the search goes on as it would have."""
    problem = dl.problems.get("bitsp-8", instance=0)
    ahead, _ = new_search(problem, small(), 3)
    ahead.tell(candidate := ahead.ask()[0], problem.evaluate(candidate.x))
    kept = pickle.dumps(ahead)
    state_of(ahead).parts[:] = 0  # as if there was no such address
    other = pickle.loads(kept)
    assert not state_of(other).parts.any()  # they are looked up when they are needed
    for _ in range(12):
        candidate = other.ask()[0]
        other.tell(candidate, problem.evaluate(candidate.x))
    assert state_of(other).parts[:PROPOSE_REPEAT].all()
    assert other.result().evaluations == 13


def test_the_quality_of_the_tables_is_noted_now_and_then():
    """At growing intervals, as it was then: the last note agrees with the tables."""
    problem = dl.problems.get("ubqp-8", instance=0)
    optimizer, state = new_search(problem, small(), 0)
    notes = []
    for count in range(1, 61):
        candidate = optimizer.ask()[0]
        optimizer.tell(candidate, problem.evaluate(candidate.x))
        state = state_of(optimizer)
        if state.control[0].logged > len(notes):
            notes.append(count)
            assert state.log[len(notes) - 1, 0] == count
    assert notes[0] == 6  # the random solutions
    assert_array_equal(np.diff(notes), sorted(np.diff(notes)))
    learned = optimizer.result().learned
    history = learned["unexplained_history"]
    assert list(history) == [str(n) for n in notes]
    assert set(history["6"]) == set(problem.outputs)
