"""Hidden rows behind a count: what is learned of them is true and leads to fronts."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.metrics import non_dominated
from divlearn.problems import SetCovering, SetPacking


def bits_of(words, n):
    """The members of a set as a Python set."""
    return {i for i in range(n) if int(words[i // 64]) >> (i % 64) & 1}


@pytest.mark.skipif(JIT_DISABLED, reason="some thousand walks take too long")
@pytest.mark.parametrize(("kind", "good"), [(SetCovering, 1), (SetPacking, 0)])
def test_clauses_behind_a_count_are_true_and_lead_to_the_exact_front(kind, good):
    """Members that are known belong to a row, others do not; all points are found."""
    rng, n = np.random.default_rng(3), 12
    members = np.zeros((8, n))
    for row in members:
        row[rng.choice(n, 2, replace=False)] = 1.0
    problem = kind(members, rng.integers(1, 50, (n, 2)), "count")
    # The process would find so small a front by itself, and pairs are found otherwise.
    method = dl.DL(gp_candidates=0, count_questions=0)
    optimizer = dl.Optimizer(problem, method, 1, budget=1_200)
    result = dl.solve(problem, 1_200, optimizer=optimizer)
    clauses = optimizer.search.state.clauses
    rows = [set(np.flatnonzero(row)) for row in members]
    assert clauses.control[0].known > 3
    assert (clauses.good == good).all()
    for r in range(clauses.control[0].known):
        known, others = bits_of(clauses.members[r], n), bits_of(clauses.others[r], n)
        assert any(known <= row and not others & row for row in rows)
    every = problem.evaluate_batch(list(product([0, 1], repeat=n)))
    feasible = every[every[:, 2] == 0.0, :2]
    front = feasible[non_dominated(feasible, problem.senses)]
    found = np.unique(result.F, axis=0)
    assert_allclose(found, np.unique(front, axis=0))
