"""Steps at many positions at once: better, unseen, and solutions all the same."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.memory import hash_solution, mark_seen
from divlearn.methods.dl.kernels.models.gp.merit import merit_of
from divlearn.methods.dl.kernels.models.gp.search import prepare
from divlearn.methods.dl.kernels.models.gp.state import HUGE
from divlearn.methods.dl.kernels.models.gp.wandering import wander
from tests.kernels.cases import words_of
from tests.kernels.dl.models.gp.cases import codes_of, memory_of

REALS = dl.Composite(
    kind=dl.Categorical(["a", "b", "c"]),
    size=dl.Real(0, 1, n=2),
    steps=dl.Integer(0, 9),
    depth=dl.If(kind="a", then=dl.Real(1, 100, log=True)),
)
SMALL = dl.Integer(0, 2, n=2)


@lean_kernel
def wandered(gp, layout, seen, x, num_steps, rng):
    """Merits of ``x`` before, as told afterwards, and afterwards."""
    prepare(gp, layout, rng)
    before = merit_of(gp, layout, x, -HUGE)
    told = wander(gp, layout, seen, x, before, num_steps, rng)
    return before, told, merit_of(gp, layout, x, -HUGE)


@lean_kernel
def mark_all(layout, seen, codes):
    """Mark solutions, shape (q, n), as seen."""
    for q in range(codes.shape[0]):
        mark_seen(seen, hash_solution(layout, codes[q], False))


def test_what_it_leads_to_is_a_better_solution():
    """Where a part exists only sometimes, too; and better by as much as it says."""
    layout, seen = REALS.layout, np.zeros(64, np.uint64)
    gains = []
    for seed, x in enumerate(codes_of(REALS, 6, seed=50)):
        gp = memory_of(REALS, 12, num_constraints=1, seed=seed)
        before, told, after = wandered(gp, layout, seen, x, 40, words_of(seed))
        assert is_member(layout, x)
        assert told == pytest.approx(after, rel=1e-9)
        gains.append(after - before)
    assert min(gains) >= 0.0
    assert max(gains) > 0.0


def test_it_does_not_lead_to_what_was_seen():
    """It leads elsewhere only while something else is left."""
    everything = np.array([[i, j] for i in range(3) for j in range(3)])
    moved = []
    for codes in (everything[:0], everything):
        gp, seen = memory_of(SMALL, 6, seed=2), np.zeros(64, np.uint64)
        mark_all(SMALL.layout, seen, codes)
        starts = everything.copy()
        for x in starts:
            wandered(gp, SMALL.layout, seen, x, 50, words_of(1))
        moved.append((starts != everything).any())
    assert moved == [True, False]
