"""Reals, large and logarithmic integers and conditions, as the baselines see them."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines.operators import SpaceOperators, values
from divlearn.lab.baselines.scales import Scales, continuous
from divlearn.testing import check_baseline

SPACE = dl.Composite(
    kind=dl.Categorical(["a", "b"]),
    width=dl.Real(0.1, 10.0, log=True),
    count=dl.Integer(1, 1_000, log=True),
    turns=dl.If(kind="a", then=dl.Integer(1, 9)),
    depth=dl.If(kind="b", then=dl.Real(-1.0, 1.0)),
)


def small(x):
    """Two objectives with an optimum inside, whatever kind it is."""
    inner = x["turns"] / 9 if x["kind"] == "a" else x["depth"] ** 2
    gap = np.log10(x["width"]) ** 2 + (np.log10(x["count"]) - 1.5) ** 2
    return gap + inner, gap + 1.0 - inner


PROBLEM = dl.Problem(SPACE, small, ["f", "g"], reference=(4, 4), ideal=(0, 0))


@pytest.mark.parametrize("method", ["nsga2", "moead", "optuna-tpe", "optuna-nsga2"])
def test_baselines_pass_the_shared_checks_with_reals_and_conditions(method):
    """Proposals are members of the space, and absent knobs stay absent."""
    pytest.importorskip("pymoo")
    pytest.importorskip("optuna")
    check_baseline(method, PROBLEM, budget=16)


def test_models_of_optuna_and_botorch_take_reals_and_conditions():
    """A step of each beyond its initial solutions; a step of Optuna's takes seconds."""
    pytest.importorskip("botorch")
    pytest.importorskip("optuna")
    for method in (
        dl.lab.baselines.OptunaGP(startup=4),
        dl.lab.baselines.QNEHVI(initial=4, generations=3, population=10),
    ):
        result = dl.solve(PROBLEM, 5, method=method, seed=1)
        assert result.evaluations == 5
        assert all(SPACE.contains(x) for x in result.X)


def test_what_cannot_be_treated_is_said():
    """BOPR keeps a probability for every value of a position."""
    pytest.importorskip("botorch")
    with pytest.raises(dl.InputError, match="use qnehvi or qparego"):
        dl.solve(PROBLEM, 10, method="bopr")


def test_coordinates_and_codes_are_inverse_to_each_other():
    """A code survives the way there and back; ends are 0 and 1."""
    scales = Scales(SPACE.layout)
    assert continuous(SPACE.layout).tolist() == [False, True, True, False, True]
    rng = np.random.default_rng(0)
    rows = SpaceOperators(SPACE).sample(50, rng)
    back = scales.codes(scales.coordinates(rows))
    present = scales.present(rows)
    assert (back[present] == rows[:, scales.columns][present]).all()
    assert (scales.codes(np.zeros((1, 3))) == 0).all()
    assert (scales.codes(np.ones((1, 3))) == scales.last).all()


def test_a_logarithmic_scale_gives_every_decade_the_same_share():
    """Integers from 1 to 1000 are drawn like their logarithm."""
    scales = Scales(dl.Integer(1, 1_000, log=True).layout)
    numbers = 1 + scales.codes(np.linspace(0.0, 1.0, 3_001)[:, None])[:, 0]
    shares = np.histogram(np.log10(numbers), [-0.01, 1, 2, 3.01])[0] / 3_001
    assert np.abs(shares - 1 / 3).max() < 0.02


def test_blended_children_surround_their_parents_and_stay_inside():
    """The sum of both children is that of the parents where nothing is cut off."""
    rng = np.random.default_rng(1)
    a, b = np.full((4_000, 1), 0.4), np.full((4_000, 1), 0.5)
    first, second = values.blend(a, b, rng)
    assert np.abs(first + second - 0.9).max() < 1e-9
    assert 0.4 < np.mean((first == a) & (second == b)) < 0.6
    edge = values.blend(rng.random((500, 3)), rng.random((500, 3)).round(), rng)
    assert min(map(np.min, edge)) >= 0.0
    assert max(map(np.max, edge)) <= 1.0


def test_jitter_changes_as_many_values_as_asked_by_small_steps():
    """Polynomial mutation: mostly near, never outside, and nothing at rate zero."""
    rng = np.random.default_rng(2)
    rows = rng.random((4_000, 2))
    assert (values.jitter(rows, 0.0, rng) == rows).all()
    moved = values.jitter(rows, 0.25, rng)
    assert np.mean(moved != rows) == pytest.approx(0.25, abs=0.02)
    assert moved.min() >= 0.0
    assert moved.max() <= 1.0
    assert np.median(np.abs(moved - rows)[moved != rows]) < 0.05


def test_a_climb_finds_where_reals_are_best():
    """By gradients that are differences of codes, up to the border."""
    pytest.importorskip("botorch")
    from divlearn.lab.baselines.bayes.climbing import climb, fine_scales

    space = dl.Composite(x=dl.Real(0.0, 1.0, n=2), k=dl.Integer(0, 3))
    fine = fine_scales(space.layout)

    def score(rows):
        x = fine.coordinates(rows)
        return -((x[:, 0] - 0.3) ** 2) - (x[:, 1] - 1.5) ** 2

    start = space.encode({"x": [0.9, 0.1], "k": 2})
    found = space.decode(climb(score, start, fine))
    assert found["x"] == pytest.approx([0.3, 1.0], abs=1e-3)
    assert found["k"] == 2


def test_optuna_sees_scales_as_its_own_and_only_what_exists():
    """Define-by-run: a trial holds no knob of another kind."""
    pytest.importorskip("optuna")
    from divlearn.lab.baselines.optuna_search import Parameters

    form = Parameters(SPACE)
    assert form.fixed == {}
    assert form.distributions["x2"].log
    assert form.distributions["x2"].low == 1
    codes = SPACE.encode({"kind": "b", "width": 1.0, "count": 10, "depth": 0.0})
    told = form.trial(codes, [1.0, 2.0], {})
    assert set(told.params) == {"x0", "x1", "x2", "x4"}
    assert (form.codes(told) == codes).all()
    flat = Parameters(SPACE, flat=True)
    assert set(flat.trial(codes, [1.0, 2.0], {}).params) == set(flat.distributions)
