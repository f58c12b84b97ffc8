"""The sample of what was evaluated: bounded, the same in every loop, kept in files."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.problems import get
from divlearn.result.sample import COMPILED, USUAL, Keeper, thinned


@pytest.mark.parametrize("pace", [USUAL, COMPILED])
def test_a_sample_is_bounded(pace):
    """All of a small run, hundreds of a long one."""
    number, count = 0, 0
    while number <= 10**9:
        number, count = pace.after(number), count + 1
    assert pace.first < count < 1_200


def test_a_keeper_keeps_what_thinning_a_list_leaves():
    """Studies thin what their file has, searches keep as they go."""
    keeper, rows = Keeper(), np.arange(1_000)[:, None]
    for row in rows:
        keeper.note(row, row.astype(float))
    kept = keeper.sample(dl.Integer(0, 999), 1)
    assert kept.codes[:, 0].tolist() == thinned(rows[:, 0].tolist())
    np.testing.assert_array_equal(kept.codes, kept.outputs)


def test_the_compiled_loop_and_ask_and_tell_keep_the_same():
    """Whichever way the evaluations were made."""
    problem = get("bikp-20", instance=31)
    compiled, asked = (dl.Optimizer(problem, "uniform", seed=3) for _ in range(2))
    compiled.run(150)
    compiled.run(350)
    for _ in range(500):
        candidates = asked.ask()
        asked.tell(candidates, [problem.evaluate(c.x) for c in candidates])
    one, other = compiled.result().sample, asked.result().sample
    assert len(one.codes) < 500
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.outputs, other.outputs)


def test_a_sample_survives_the_file_of_an_optimizer(tmp_path):
    """And goes on where it was."""
    problem = get("bikp-20", instance=31)
    optimizer = dl.Optimizer(problem, "uniform", seed=3)
    optimizer.run(320)
    optimizer.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    for one in (optimizer, loaded):
        one.run(20)
    samples = [one.result().sample for one in (optimizer, loaded)]
    np.testing.assert_array_equal(samples[0].codes, samples[1].codes)


@pytest.mark.parametrize(
    "change",
    [{"codes": 5}, {"codes": "AAAA"}, {"outputs": ""}, {"count": "x"}, {"count": 0}],
)
def test_a_sample_that_is_none_is_refused(change):
    """State files come from anyone."""
    space, keeper = dl.Integer(0, 9), Keeper()
    keeper.note(np.array([3]), np.array([1.0]))
    assert Keeper.restored(keeper.saved(), space, 1).count == 1
    with pytest.raises(ValueError, match="its sample"):
        Keeper.restored(keeper.saved() | change, space, 1)
