"""Searches over reals and other wide positions."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.kernels.moves import MAX_BLOCK, move_shares, random_move
from tests.kernels.cases import SEEDS, ask_and_tell, differing_arrays, words_of
from tests.kernels.dl.cases import small

SPACE = dl.Composite(
    angle=dl.Real(-1, 1, n=2),
    rate=dl.Real(1e-4, 1, log=True),
    size=dl.Integer(1, 1_000, log=True),
    count=dl.Integer(0, 10**6),
    kind=dl.Categorical("abc"),
)
#: The Gaussian process, the tables that follow it, and the methods of the paper.
METHODS = {
    "gp": small(gp_candidates=30),
    "tables": small(gp_candidates=0),
    "paper-ucb": "paper-ucb",
}


@njit
def bowls(x, table, y):
    """Squared distances of codes from two points, shares of their ranges."""
    y[0] = y[1] = 0.0
    for i in range(x.shape[0]):
        share = x[i] / table[0, i]
        y[0] += (share - 0.3) ** 2
        y[1] += (share - 0.8) ** 2


def problem():
    """Two bowls, compiled."""
    last = (SPACE.layout.places.levels - 1).astype(float)
    compiled = dl.Compiled(bowls, [last])
    return dl.Problem(SPACE, None, ["a", "b"], compiled=compiled)


@pytest.mark.parametrize("method", METHODS)
def test_both_drivers_agree_over_reals(method):
    """The compiled loop and ask and tell; all candidates are of the space."""
    ran, asked = (dl.Optimizer(problem(), METHODS[method], 7) for _ in range(2))
    ran.run(60)
    ask_and_tell(asked, 60)
    assert differing_arrays(ran, asked) == []
    for x in ran.result().X:
        assert SPACE.contains(x)
        assert isinstance(x["rate"], float)
        assert is_member(SPACE.layout, SPACE.encode(x))


@pytest.mark.parametrize("method", METHODS)
def test_a_saved_search_over_reals_goes_on_as_if_never_stopped(method, tmp_path):
    """To the last bit, with the front it had."""
    whole, cut = (dl.Optimizer(problem(), METHODS[method], 3) for _ in range(2))
    ask_and_tell(whole, 50)
    ask_and_tell(cut, 35)
    cut.save(tmp_path / "search.npz")
    again = dl.Optimizer.load(tmp_path / "search.npz", problem())
    ask_and_tell(again, 15)
    assert differing_arrays(whole, again) == []


@given(SEEDS, st.sampled_from([None, "step", "set"]))
@settings(max_examples=60)
def test_moves_of_wide_positions_change_them_and_stay_inside(seed, move):
    """One position per move, to another code of it."""
    layout, words = SPACE.layout, words_of(seed)
    n = SPACE.num_positions
    x = SPACE.encode(SPACE.sample(seed))
    shares = move_shares(None if move is None else [move])
    for _ in range(5):
        before = x.copy()
        moved = random_move(
            layout, x, np.arange(n), n, shares, MAX_BLOCK, words, np.empty(n, np.int64)
        )
        assert moved
        assert (x != before).sum() == 1
        assert is_member(layout, x)


def test_steps_of_a_real_have_all_sizes():
    """As many down to a hundredth of the range as from there to a thousandth."""
    space = dl.Real(0, 1)
    moved = [abs(space.neighbour(0.5, seed, "step") - 0.5) for seed in range(400)]
    counts = np.histogram(np.log10(moved), [-5, -4, -3, -2, -1])[0]
    assert counts.min() > 0.6 * counts.max()


def test_reals_are_refined_beyond_any_grid():
    """Sixty evaluations of a bowl end nearer to its middle than a hundredth."""
    best = np.array([0.123, 0.456, 0.789])
    bowl = dl.Problem(dl.Real(0, 1, n=3), lambda x: (((x - best) ** 2).sum(),), ["f"])
    x = dl.solve(bowl, 60, progress=False).X[0]
    assert abs(np.asarray(x) - best).max() < 0.01


def test_tables_go_on_where_the_gaussian_process_ends():
    """Fine steps from members improve a front of reals beyond the first candidates."""
    first, later = (
        dl.solve(
            problem(), budget, method=small(gp_candidates=30, corner=False), seed=1
        )
        for budget in (60, 600)
    )
    volume = [r.hypervolume([6.0, 6.0]) for r in (first, later)]
    assert volume[1] > 1.005 * volume[0]


def test_reals_survive_all_files(tmp_path):
    """JSON and CSV hold the floats as they were evaluated, to the last bit."""
    result = dl.solve(problem(), 30, method="random", seed=2)
    result.save(tmp_path / "front.json")
    again = dl.load(tmp_path / "front.json")
    for one, other in zip(result.X, again.X, strict=True):
        assert one["rate"] == other["rate"]
        assert np.array_equal(one["angle"], other["angle"])
    result.to_csv(tmp_path / "front.csv")
    with (tmp_path / "front.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["rate"]) for row in rows] == [x["rate"] for x in result.X]
    assert [row["rate"] for row in result.to_records()] == [x["rate"] for x in result.X]
