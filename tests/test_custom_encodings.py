"""Encodings of a user's own in a whole search: worth, files, mistakes."""

import pickle

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.testing import check_encoding
from tests.custom_encodings import (
    Apart,
    Colours,
    Miscounted,
    Narrow,
    OtherCompiled,
    Uncompiled,
    Wider,
    spaced_costs,
)
from tests.kernels.cases import ask_and_tell, differing_arrays

EVALUATIONS = 60 if JIT_DISABLED else 400


def with_own(*encodings, **changes):
    """The method with custom encodings, without the experts for few points."""
    given = {"custom_encodings": encodings, "gp_candidates": 0, "pairing": False}
    return dl.DL(**{"initial": 10} | given | changes)


def test_an_encoding_that_fits_explains_what_the_built_in_ones_cannot():
    """Costs of items two apart: the search says so, and its front is better."""
    problem = spaced_costs(12, 0)
    results = {
        name: dl.solve(problem, EVALUATIONS, method=method, seed=1)
        for name, method in {"with": with_own(Apart()), "without": with_own()}.items()
    }
    explained = results["with"].learned["explained_by"]
    if not JIT_DISABLED:
        assert [row["by"] for row in explained] == ["two apart", "two apart"]
        assert all(row["two apart"] < 0.3 * row["successor"] for row in explained)
        reference = (12, 12)
        assert results["with"].hypervolume(reference) > results["without"].hypervolume(
            reference
        )
    assert "two apart" in results["with"].explain()


@pytest.mark.parametrize(
    "space",
    [
        dl.Permutation(7),
        dl.Binary(8),
        dl.Subset(8, 3),
        dl.Integer(0, 4, n=5),
        dl.Categorical(["a", "b", "c"], n=4),
        dl.Composite(order=dl.Permutation(4), level=dl.Ordinal([1, 2, 5])),
    ],
    ids=repr,
)
def test_any_space_can_be_searched_with_a_custom_encoding(space):
    """Where nothing is permuted, too; also as the only encoding."""
    check_encoding(Colours(), space)
    weights = np.random.default_rng(3).random((2, space.num_positions))

    def evaluate(x):
        return weights @ space.encode(x) ** 2

    problem = dl.Problem(space, evaluate, ["a", "b"])
    for changes in ({}, {"encodings": ()}):
        result = dl.solve(problem, 50, method=with_own(Colours(), **changes))
        assert result.evaluations == 50 or result.stopped.startswith("nothing")
        assert all(
            np.array_equal(problem.evaluate(x), f)
            for x, f in zip(result.X, result.F, strict=True)
        )


def test_constraints_are_learned_by_such_tables_too(tiny_knapsack):
    """Weights that are alike: how many items are in it says most about the capacity."""
    result = dl.solve(tiny_knapsack, EVALUATIONS, method=with_own(Colours()))
    explained = result.learned["explained_by"]
    assert len(explained) == 3
    assert explained[2]["colours"] < 1.0
    assert len(result.F) > 0


def test_both_loops_agree_with_a_custom_encoding(tiny_tour):
    """Everything that the search remembers is compared."""
    ran, asked = (dl.Optimizer(tiny_tour, with_own(Apart()), 5) for _ in range(2))
    ran.run(EVALUATIONS // 2)
    ask_and_tell(asked, EVALUATIONS // 2)
    assert differing_arrays(ran, asked) == []


def test_a_search_with_a_custom_encoding_survives_files_and_pickling(
    tmp_path, tiny_tour
):
    """Addresses are looked up again; a file needs the settings that hold the class."""
    method = with_own(Apart())
    whole = dl.Optimizer(tiny_tour, method, 5)
    whole.run(60)
    half = dl.Optimizer(tiny_tour, method, 5)
    half.run(30)
    half.save(tmp_path / "half.npz")
    with pytest.raises(dl.InputError, match="encoding 'two apart' is not one of the"):
        dl.Optimizer.load(tmp_path / "half.npz", tiny_tour)
    loaded = dl.Optimizer.load(tmp_path / "half.npz", tiny_tour, method)
    pickled = pickle.loads(pickle.dumps(half))
    for other in (loaded, pickled):
        other.run(30)
        assert differing_arrays(whole, other) == []


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        (Wider(), "beyond the 2 that most_listed allows"),
        (Narrow(), "numbers from 0 to num_actions - 1 = 2, got"),
        (Miscounted(), "must return how many it wrote, 0 to 6, got -1"),
        pytest.param(
            Uncompiled(),
            "numba compiles",
            marks=pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled"),
        ),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_wrong_encoding_is_refused_before_the_search(encoding, words):
    """With its name and what is wrong; the shared check finds the same."""
    problem = spaced_costs(6, 0)
    with pytest.raises(dl.InputError, match="custom_encodings: .*" + words):
        dl.Optimizer(problem, with_own(encoding))
    fault = words.replace("numba compiles", "does not compile")
    with pytest.raises(AssertionError, match=fault):
        check_encoding(encoding, problem.space)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_an_encoding_that_is_another_one_compiled_is_caught():
    """Whole numbers of plain Python have no end."""
    with pytest.raises(AssertionError, match=r"compiled and .* in plain Python"):
        check_encoding(OtherCompiled(), dl.Permutation(6))


@pytest.mark.parametrize("given", ["two apart", [Apart], 3, [Apart(), 4]])
def test_what_is_not_an_encoding_is_refused(given):
    """A name or a class in place of an object is the usual mistake."""
    with pytest.raises(dl.InputError, match="custom_encodings must be a list of"):
        dl.DL(custom_encodings=given)


def test_every_encoding_needs_a_name_of_its_own():
    """Names are how a result speaks of them."""
    with pytest.raises(dl.InputError, match="'two apart' twice"):
        dl.DL(custom_encodings=[Apart(), Apart()])
