import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn import InputError
from divlearn.problems import MixedDesign
from tests.reference import design as reference

SPACE = dl.Composite(
    kind=dl.Categorical(["x", "y", "z"]),
    width=dl.Integer(5, 8),
    size=dl.Ordinal([0.5, 1.5]),
    flags=dl.Binary(2),
)
ARITIES = [3, 4, 2, 2, 2]


def random_design(seed, m, pairs):
    """A model over ``SPACE`` with so many objectives and interactions."""
    rng = np.random.default_rng(seed)
    places = [tuple(map(int, rng.choice(5, 2, replace=False))) for _ in range(pairs)]
    return {
        "effects": [rng.normal(size=(arity, m)) for arity in ARITIES],
        "interactions": [
            (i, j, rng.normal(size=(ARITIES[i], ARITIES[j], m))) for i, j in places
        ],
        "scale": rng.random(m) + 0.5,
        "bend": float(rng.random()),
    }


@given(st.integers(0, 999), st.integers(1, 6), st.integers(0, 4))
def test_values_agree_with_the_definition(seed, m, pairs):
    """Fewer and more objectives than the table's least width, pairs either way."""
    model = random_design(seed, m, pairs)
    problem = MixedDesign(SPACE, **model)
    x = SPACE.sample(seed)
    assert_allclose(
        problem.evaluate(x), reference.values(SPACE.encode(x), **model), rtol=1e-12
    )


def test_values_reach_the_model_as_declared():
    """The third category, width 8 and the second flag are the last of their rows."""
    effects = [np.zeros((arity, 1)) for arity in ARITIES]
    for position, value in [(0, 1.0), (1, 2.0), (4, 4.0)]:
        effects[position][-1] = value
    x = {"kind": "z", "width": 8, "size": 0.5, "flags": [False, True]}
    assert_allclose(MixedDesign(SPACE, effects).evaluate(x), np.exp(7.0))


EFFECTS = [np.ones((arity, 2)) for arity in ARITIES]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"space": "x"}, "space must be a space without permutations.*got 'x'"),
        ({"space": dl.Permutation(3)}, "without permutations.*Permutation"),
        ({"effects": EFFECTS[:4]}, "list of 5 arrays.*got 4"),
        ({"effects": 3}, "list of 5 arrays.*got 3"),
        ({"effects": [*EFFECTS[:4], np.ones((2, 3))]}, r"effects\[4\] .*\(2, 2\)"),
        ({"effects": [*EFFECTS[:4], np.ones((3, 2))]}, r"effects\[4\] .*\(2, 2\)"),
        ({"interactions": 7}, "interactions must be a list .* got 7"),
        ({"interactions": [(0, 1)]}, r"interactions\[0\] must be \(i, j, table\)"),
        ({"interactions": [(0, 5, 1)]}, "0 to 4, got 0 and 5"),
        ({"interactions": [(1, 1, 1)]}, "two different positions"),
        ({"interactions": [(0.5, 1, 1)]}, "got 0.5 and 1"),
        ({"interactions": [(0, 1, np.ones((4, 3, 2)))]}, r"of shape \(3, 4, 2\), got"),
        ({"scale": [1, 2, 3]}, r"scale must be .*\(2,\).*got shape \(3,\)"),
        ({"bend": -1}, "bend must be a number of at least 0, got -1"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(changed, message):
    """Each message names the argument, what was expected and what came."""
    right = {"space": SPACE, "effects": EFFECTS}
    with pytest.raises(InputError, match=message):
        MixedDesign(**(right | changed))
