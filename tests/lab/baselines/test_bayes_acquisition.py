"""How the Bayesian baselines judge candidates."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divlearn.lab.baselines.bayes.boxes import Boxes
from divlearn.metrics import hypervolume

torch = pytest.importorskip("torch")
pytest.importorskip("botorch")

from divlearn.lab.baselines.bayes.acquisition import (  # noqa: E402
    choose_front,
    log_nehvi,
    log_nei,
)
from divlearn.lab.baselines.bayes.running import own_torch  # noqa: E402
from tests.lab.baselines.bayes_cases import line_view  # noqa: E402


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31), m=st.integers(1, 5))
def test_gains_are_differences_of_hypervolumes(seed, m):
    """Of every candidate to every front, by computing both hypervolumes."""
    rng = np.random.default_rng(seed)
    fronts, reference = rng.random((3, 6, m)), np.full(m, 0.9)
    fronts[:, 3] = fronts[:, 2]  # equal points
    fronts[1, 4] = fronts[1, 5] + 0.01  # a dominated one
    points = 0.8 * rng.random((3, 5, m))
    boxes = Boxes(fronts, reference)
    gains, shortfalls = boxes.gains(points), boxes.shortfalls(points)
    for s, q in itertools.product(range(3), range(5)):
        with_it = hypervolume(np.vstack([fronts[s], points[s, q]]), reference)
        expected = with_it - hypervolume(fronts[s], reference)
        assert gains[s, q] == pytest.approx(expected, abs=1e-12)
        assert (gains[s, q] > 1e-12) <= (shortfalls[s, q] == 0.0)
        closer = points[s, q] - shortfalls[s, q] - 1e-6
        assert Boxes(fronts[s : s + 1], reference).gains(closer[None, None])[0, 0] > 0


def test_a_front_without_points_leaves_everything_to_be_gained():
    """Before anything feasible is known the volume below the reference counts."""
    boxes = Boxes(np.empty((1, 0, 2)), np.array([1.0, 1.0]))
    assert boxes.gains(np.array([[[0.5, 0.0], [2.0, 0.0]]])).tolist() == [[0.5, 0.0]]


def test_one_front_meets_all_draws():
    """Without noise there is one front, cut into boxes once."""
    rng = np.random.default_rng(0)
    front, points = rng.random((1, 5, 3)), rng.random((7, 4, 3))
    reference = np.ones(3)
    once = Boxes(front, reference).gains(points)
    assert np.allclose(once, Boxes(np.repeat(front, 7, 0), reference).gains(points))


@pytest.mark.parametrize("noise", [True, False])
def test_a_waiting_candidate_takes_the_gain_of_its_neighbours(noise):
    """Asynchronous workers are then sent elsewhere."""
    near, far = np.array([[9, 0]]), np.array([[20, 0]])
    with own_torch(0):
        free = log_nehvi(line_view(noise)[0], 20, 256, seed=0)
        taken = log_nehvi(line_view(noise, pending=[[8, 0]])[0], 20, 256, seed=0)
        lost_near = (free(near) - taken(near))[0]
        lost_far = (free(far) - taken(far))[0]
    assert lost_near > max(0.5, 3.0 * abs(lost_far))


@pytest.mark.parametrize("noise", [True, False])
def test_a_scalarization_prefers_what_its_weights_ask_for(noise):
    """Under extreme weights the best of one objective is found."""
    view, _ = line_view(noise)
    grid = np.array(list(itertools.product(range(21), [0])))
    with own_torch(0):
        best = [
            int(np.argmax(log_nei(view, np.array(w), 0.05, 20, 256, 0)(grid)))
            for w in ([0.98, 0.02], [0.02, 0.98])
        ]
    assert best[0] <= 8
    assert best[1] >= 12


@pytest.mark.parametrize("kind", ["hypervolume", "scalarization"])
def test_what_is_probably_infeasible_is_worth_little(kind):
    """Constraints are modelled as the objectives are, and weigh every draw."""
    view, _ = line_view(constraint=lambda x: x[:, 0] - 0.5)
    candidates = np.array([[8, 0], [16, 0]])
    with own_torch(0):
        score = (
            log_nehvi(view, 20, 128, 0)
            if kind == "hypervolume"
            else log_nei(view, np.array([0.5, 0.5]), 0.05, 20, 128, 0)
        )
        feasible, infeasible = score(candidates)
    assert feasible > infeasible + 3.0


@pytest.mark.parametrize("noise", [True, False])
@pytest.mark.parametrize("kind", ["hypervolume", "scalarization"])
def test_where_nothing_feasible_is_known_feasible_comes_before_good(kind, noise):
    """As in BoTorch: even the worst corner, if only that is feasible."""
    view, _ = line_view(noise, constraint=lambda x: 0.98 - x[:, 1])
    view = view._replace(reference=np.array([9.0, 9.0]))
    feasible, better = np.array([[20, 20], [0, 20]]), np.array([[20, 17], [9, 0]])
    with own_torch(0):
        score = (
            log_nehvi(view, 20, 256, 0)
            if kind == "hypervolume"
            else log_nei(view, np.array([0.4, 0.6]), 0.05, 20, 256, 0)
        )
        assert score(feasible).min() > score(better).max() + 1.0


def test_where_no_draw_improves_less_is_missing_nearby():
    """A search that sees equal values everywhere would be a random one."""
    view, _ = line_view(noise=False)
    view = view._replace(reference=view.outputs.min(axis=0) - 1.0)
    with own_torch(0):
        scores = log_nehvi(view, 20, 64, 0)(np.array([[10, 0], [10, 10], [10, 20]]))
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1] > scores[2]


def test_the_front_is_covered_by_few_points():
    """Beyond the limit those stay that keep most of the hypervolume."""
    t = np.linspace(0.0, 1.0, 30)
    outputs = np.column_stack([t, 1.0 - t, np.where(t == t[0], 1.0, -1.0)])
    chosen = choose_front(outputs, np.array([1.2, 1.2]), 5)
    assert len(set(chosen.tolist())) == 5
    assert 0 not in chosen  # it is infeasible
    points = outputs[:, :2]
    kept, all_of_it = (hypervolume(p, (1.2, 1.2)) for p in (points[chosen], points[1:]))
    assert kept > 0.85 * all_of_it
    dominated = np.vstack([outputs[5], outputs[5] + [1e-3, 1e-3, 0.0]])
    assert choose_front(dominated, np.array([1.2, 1.2]), 5).tolist() == [0]
    filled = choose_front(dominated, np.array([1.2, 1.2]), 5, fill=True)
    assert filled.tolist() == [0, 1]
