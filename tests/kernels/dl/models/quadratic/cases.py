"""What the tests of learned values share: spaces, tables, true outputs."""

import numpy as np
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.archive import insert
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.memory import hash_solution, mark_seen
from divlearn.methods.dl.kernels.models.quadratic.values import learn_values, new_values
from tests.kernels.dl.cases import state_for
from tests.reference.values import additive_outputs, all_codes

SPACES = {
    "bits": dl.Binary(6),
    "few": dl.Subset(6, min=2, max=4),
    "some": dl.Subset(6, 3),
    "categories": dl.Categorical("abc", n=4),
    "numbers": dl.Integer(0, 4, n=3),
    "mixture": dl.Composite(
        a=dl.Binary(2),
        b=dl.Categorical("abc", n=2),
        c=dl.Integer(1, 4),
        d=dl.Subset(3, min=1, max=2),
        e=dl.Categorical(["only"]),
    ),
}
spaces = st.sampled_from(sorted(SPACES))


def random_table(layout, num_outputs, rng):
    """What every action adds, whole numbers so that sums are exact; shape (A, p)."""
    actions = int(layout.places.arity.sum())
    return rng.integers(-20, 20, (actions, num_outputs)).astype(float)


def two_codes(layout, rng):
    """Two solutions of a small space."""
    codes = all_codes(layout)
    return codes[rng.integers(len(codes))], codes[rng.integers(len(codes))]


def step_or_leap(layout, rng):
    """Two solutions that differ by one step, or in any way if that is impossible."""
    for _ in range(20):
        x, y = two_codes(layout, rng)
        i = rng.choice(np.flatnonzero(layout.places.arity > 1))
        near = x.copy()
        near[i] += 1 if x[i] + 1 < layout.places[i].arity else -1
        if is_member(layout, near):
            return x, near
    return x, y


def taught(layout, table, rng, count=400, order=1):
    """Tables after differences of an additive truth, most of them single steps."""
    values = new_values(layout, table.shape[1], order)
    zero = np.zeros(table.shape[1])
    for _ in range(count):
        x, y = step_or_leap(layout, rng)
        delta = additive_outputs(table, zero, layout, y)
        delta -= additive_outputs(table, zero, layout, x)
        learn_values(values, layout, x, y, delta, True)
    return values


def state_around(space, outputs_of, members, m):
    """A state whose archive holds some solutions, all of them seen."""
    p, size = len(outputs_of(members[0])), 0
    state = state_for(space, m, constraints=[f"c{k}" for k in range(p - m)])
    for x in members:
        y = outputs_of(x)
        mark_seen(state.seen, np.uint64(hash_solution(state.layout, x, False)))
        if (y[m:] <= 0.0).all():
            size = max(size, insert(state.archive, size, x, y))
    state.control.archive_size = size
    keys = state.archive.keys[state.archive.order[:size]]
    state.low[:] = keys.min(axis=0) if size else 0.0
    state.high[:] = keys.max(axis=0) if size else 1.0
    return state
