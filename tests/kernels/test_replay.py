"""The replay driver is the same search as ask and tell, and stops where it differs."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.loops import Conversation
from divlearn.methods.base import TICKET_SIZE
from divlearn.methods.names import method_for
from divlearn.optimizer.optimizer import Optimizer
from tests.kernels.cases import differing_arrays, hashed_problem

SMALL = {
    "experts": method_for("paper-ts"),
    "differences": dl.DL(initial=10, gp_candidates=5),
}
SPACES = {"order": dl.Permutation(5), "bits": dl.Binary(6)}
EVALUATIONS = 40


def answered(settings, space):
    """An optimizer that was told the answer to each candidate after the next one."""
    problem = hashed_problem(SPACES[space])
    optimizer = Optimizer(problem, settings, seed=1)
    batches, events = [optimizer.ask()], [0]
    for row in range(1, EVALUATIONS):
        batches.append(optimizer.ask())
        values = [problem.evaluate(c.x) for c in batches[row - 1]]
        optimizer.tell(batches[row - 1], values)
        events += [row, -row]
    codes = np.array([batch[0].codes for batch in batches])
    answers = np.array([problem.evaluate(batch[0].x) for batch in batches])
    return optimizer, np.array(events), codes, answers


def go_through(optimizer, settings, events, codes, answers):
    """Replay until it is done or differs; returns the optimizer and the last answer."""
    other = Optimizer(optimizer.problem, settings, seed=1)
    tickets = np.zeros((len(codes), TICKET_SIZE), np.int64)
    x, done = np.zeros_like(codes[0]), 0
    while done < len(events):
        more = other.search.replay(
            Conversation(events[done:], codes, answers, tickets), x
        )
        if more < 0:
            return other, -1 - more + done
        done += more
    return other, done


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("family", SMALL)
def test_a_replay_leaves_the_same_state(family, space):
    """Bit for bit, with answers that come late."""
    settings = SMALL[family]
    optimizer, *known = answered(settings, space)
    other, done = go_through(optimizer, settings, *known)
    assert done == len(known[0])
    assert differing_arrays(optimizer, other) == []


@pytest.mark.parametrize("row", [2, 30])
@pytest.mark.parametrize("family", SMALL)
def test_a_replay_stops_at_another_candidate(family, row):
    """In both stages of a search by differences."""
    settings = SMALL[family]
    optimizer, events, codes, answers = answered(settings, "order")
    codes[row] = codes[row][::-1]
    _, done = go_through(optimizer, settings, events, codes, answers)
    assert events[done] == row
