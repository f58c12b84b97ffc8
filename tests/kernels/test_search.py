"""Where the cursor goes and what it proposes."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.names import OWN_METHODS, method_for
from divlearn.methods.paper.kernels.search import CONSTRUCTION, REFINEMENT, SAMPLE
from tests.kernels.cases import (
    SEEDS,
    WEIGHTS,
    composites,
    hashed_problem,
    new_search,
    small_settings,
    walk,
)
from tests.reference import decomposition as reference


def nested_loops(num_weights, iterations, steps, num_subproblems, initial):
    """The loops of Algorithm 1, written as loops."""
    for _ in range(initial):
        yield SAMPLE, 0
    while True:
        for w in range(num_weights):
            yield CONSTRUCTION, w
            for t in range(1, iterations + 1):
                for k in range(num_subproblems(t)):
                    for step in range(steps):
                        yield REFINEMENT, w, t, k, step


@pytest.mark.parametrize("neighbourhoods", [0, 2])
def test_the_cursor_walks_through_the_loops_of_the_algorithm(neighbourhoods):
    """Weights, iterations, subproblems and steps in their order, again and again."""
    distance = np.ones((9, 9)) if neighbourhoods else None
    settings = small_settings(**{"decomposition.neighbourhoods": neighbourhoods})
    optimizer, state = new_search(
        hashed_problem(dl.Binary(9), distance=distance), settings
    )

    def num_subproblems(t):
        return len(reference.windows(9, 4, 3, t, 1.0)) + neighbourhoods

    expected = list(islice(nested_loops(3, 3, 2, num_subproblems, 5), 250))
    found = []
    for cursor, _, kind in walk(optimizer, state, 250):
        place = (cursor["weight"],)
        if kind == REFINEMENT:
            place += (cursor["iteration"], cursor["subproblem"], cursor["step"])
        found.append((kind, *place))
    assert found == expected
    assert num_subproblems(1) > num_subproblems(3)  # the overlap did diminish


@pytest.mark.parametrize("patience", [1, 2, 5])
def test_experts_construct_anew_after_patience_without_improvement(patience):
    """A constant objective never improves; a construction starts a new count."""
    problem = dl.Problem(dl.Binary(6), lambda x: (1, 1), ["a", "b"])
    settings = small_settings(iterations=30, patience=patience)
    optimizer, state = new_search(problem, settings)
    steps = walk(optimizer, state, 400)
    constructed = [
        cursor["iteration"]
        for cursor, _, kind in steps
        if kind == CONSTRUCTION and cursor["weight"] == 0
    ]
    expected = range(1, 31, patience + 1)
    assert constructed[: len(expected)] == list(expected)


def test_constructions_come_at_their_period():
    """At every c-th iteration, besides the one that starts a weight."""
    settings = small_settings(iterations=10, construct_every=4)
    optimizer, state = new_search(hashed_problem(dl.Binary(6)), settings)
    constructed = [
        cursor["iteration"]
        for cursor, _, kind in walk(optimizer, state, 90)
        if kind == CONSTRUCTION
    ]
    assert constructed[:6] == [1, 4, 8, 1, 4, 8]


def test_without_refinement_every_iteration_is_a_construction():
    """The control for what local search contributes."""
    settings = small_settings(**{"refinement.steps": 0})
    optimizer, state = new_search(hashed_problem(dl.Binary(6)), settings)
    visited = [
        (cursor["weight"], cursor["iteration"], kind)
        for cursor, _, kind in walk(optimizer, state, 5 + 9)
    ]
    expected = [(w, t, CONSTRUCTION) for w in range(3) for t in (1, 2, 3)]
    assert visited[5:] == expected


def can_move(space, codes, positions):
    """Whether any of many random moves changes something."""
    x = space.decode(codes)
    neighbours = (space.neighbour(x, s, positions=positions) for s in range(50))
    return any(not np.array_equal(space.encode(y), codes) for y in neighbours)


@given(composites(5, 3), SEEDS, st.booleans())
def test_refinements_change_only_positions_of_their_subproblem(space, seed, around):
    """Relative to the incumbent of the weight, in windows and in neighbourhoods."""
    n = space.num_positions
    items = [len(a) for kind, a, *_ in space.segments() if kind == 0]
    rows = max(items, default=n)
    distance = np.random.default_rng(seed).random((rows, rows))
    settings = small_settings(
        **{"decomposition.windows": not around, "decomposition.neighbourhoods": 1}
    )
    optimizer, state = new_search(
        hashed_problem(space, distance=distance), settings, seed
    )
    kinds = [kind for kind, arities, *_ in space.segments() for _ in arities]
    size = min(n, 4)
    for cursor, x, kind in walk(optimizer, state, 60):
        if kind != REFINEMENT:
            continue
        incumbent = state.incumbents[cursor["weight"]]
        windows = reference.windows(n, size, min(3, size - 1), cursor["iteration"], 1.0)
        k = cursor["subproblem"]

        def neighbourhood(centre, incumbent=incumbent):
            near = reference.nearest(distance, centre, min(rows, 4))
            return [
                i
                for i in range(n)
                if (incumbent[i] in near or kinds[i] != 0 if items else i in near)
            ]

        inside = not around and k < len(windows)
        allowed = windows[k] if inside else neighbourhood(cursor["centre"])
        changed = set(np.flatnonzero(x != incumbent))
        if changed <= set(allowed):
            continue
        # A subproblem where nothing can move is passed over: then it is another one.
        assert not can_move(space, incumbent, allowed)
        others = [] if around else windows
        others += [neighbourhood(centre) for centre in range(rows)]
        assert any(changed <= set(other) for other in others)


@given(composites(5, 4), SEEDS, st.sampled_from(sorted(set(OWN_METHODS) - {"dl"})))
def test_every_candidate_is_a_member(space, seed, method):
    """For every mixture of kinds, with all parts of the method at work."""
    settings = method_for(method).replace(
        initial=4, iterations=4, patience=1, weights=WEIGHTS, **{"refinement.steps": 2}
    )
    optimizer, state = new_search(hashed_problem(space), settings, seed)
    kinds = set()
    for _, x, kind in walk(optimizer, state, 60):
        assert is_member(space.layout, x)
        kinds.add(kind)
    assert kinds == {SAMPLE, CONSTRUCTION, REFINEMENT}
