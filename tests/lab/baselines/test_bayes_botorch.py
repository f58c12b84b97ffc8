"""Improvements against BoTorch's own acquisition functions, on the same processes."""

import itertools
import warnings
from functools import partial

import numpy as np
import pytest

import divlearn as dl

torch = pytest.importorskip("torch")
pytest.importorskip("botorch")

from divlearn.lab.baselines.bayes import acquisition  # noqa: E402
from divlearn.lab.baselines.bayes.running import own_torch  # noqa: E402
from tests.lab.baselines.bayes_cases import REFERENCE, line_view  # noqa: E402

WEIGHTS, RHO = np.array([0.4, 0.6]), 0.05
CANDIDATES = np.array([[3, 0], [9, 0], [11, 2], [14, 0], [17, 2], [10, 5], [20, 20]])
WAITING = [[8, 0]]
#: Fewer than are known, many draws.
BASELINE, DRAWS = 8, 4096
CASES = list(itertools.product([True, False], [False, True], [False, True]))
NAMES = [
    " ".join(["noise" if a else "exact", "limit" * b, "waiting" * c]).strip()
    for a, b, c in CASES
]


def scene(noise, limited, waiting):
    """What a run would see, and the same processes as a model of BoTorch."""
    view, twin = line_view(
        noise, WAITING if waiting else (), beyond_limit if limited else None
    )
    if not noise:  # what features do not explain is part of a solution's value
        twin.posterior = partial(twin.posterior, observation_noise=True)
    return view, twin


def beyond_limit(x):
    """Cut through where the improvement is."""
    return x[:, 0] - 0.7


def options_for(view, rows):
    """Arguments that all of BoTorch's functions take."""
    from botorch.sampling import SobolQMCNormalSampler

    limited = view.outputs.shape[1] > len(REFERENCE)
    pending = torch.as_tensor(view.encode(rows)) if len(rows) else None
    return {
        "sampler": SobolQMCNormalSampler(torch.Size([DRAWS]), seed=5),
        "constraints": [lambda values: values[..., 2]] if limited else None,
        "eta": acquisition.STEP,
        "X_pending": pending,
    }


def points(view, rows):
    """Solutions as BoTorch wants them, one per batch."""
    return torch.as_tensor(view.encode(rows))[:, None]


def known(view, chosen=slice(None)):
    """Known solutions as BoTorch wants them."""
    return torch.as_tensor(view.encode(view.codes[chosen]))


def feasible(view):
    """Which of the known solutions are feasible."""
    return (view.outputs[:, len(REFERENCE) :] <= 0.0).all(axis=1)


def gains_by_botorch(make, view):
    """What a candidate adds to the improvement of what is awaited.

    BoTorch judges it together with the candidates that are awaited, except where it
    says otherwise, and so counts what these improve on their own.
    """
    joint = make(view.pending)(points(view, CANDIDATES))
    if not len(view.pending):
        return joint.detach().numpy()
    alone = make(view.pending[:0])(points(view, view.pending))
    return (joint - alone).detach().numpy()


def objectives_of(view):
    """Both objectives, to be maximised."""
    from botorch.acquisition.multi_objective.objective import (
        WeightedMCMultiOutputObjective,
    )

    return WeightedMCMultiOutputObjective(
        -torch.ones(2).double(), outcomes=[0, 1], num_outcomes=view.outputs.shape[1]
    )


def hypervolumes(view, twin):
    """Expected improvements of the hypervolume by BoTorch."""
    from botorch.acquisition.multi_objective.monte_carlo import (
        qExpectedHypervolumeImprovement,
        qNoisyExpectedHypervolumeImprovement,
    )
    from botorch.utils.multi_objective.box_decompositions.non_dominated import (
        FastNondominatedPartitioning,
    )

    reference = torch.as_tensor(-REFERENCE)
    shared = {"objective": objectives_of(view), "ref_point": reference.tolist()}
    if view.noise:
        estimates = view.estimates()
        chosen = acquisition.choose_front(estimates, REFERENCE, BASELINE, fill=True)
        noisy = qNoisyExpectedHypervolumeImprovement(
            model=twin,
            X_baseline=known(view, chosen),
            prune_baseline=False,
            **shared,
            **options_for(view, view.pending),
        )  # what is awaited is part of its baseline
        return noisy(points(view, CANDIDATES)).detach().numpy()
    front = torch.as_tensor(-view.outputs[feasible(view), :2])
    cells = FastNondominatedPartitioning(reference, front)

    def make(rows):
        return qExpectedHypervolumeImprovement(
            model=twin, partitioning=cells, **shared, **options_for(view, rows)
        )

    return gains_by_botorch(make, view)


def joined(view):
    """The scalarization, to be minimised, of values in their last dimension."""
    estimates = view.estimates()
    rows = estimates[(estimates[:, 2:] <= 0.0).all(axis=1), :2]
    front = rows[dl.metrics.non_dominated(rows)]
    ideal, span = front.min(axis=0), np.ptp(front, axis=0)

    def join(values):
        scaled = [WEIGHTS[k] * (values[..., k] - ideal[k]) / span[k] for k in range(2)]
        larger = torch.maximum(*scaled)
        return larger + RHO * (scaled[0] + scaled[1])

    return join


def scalarized(view, twin):
    """Expected improvements of a scalarization by BoTorch."""
    from botorch.acquisition.monte_carlo import (
        qExpectedImprovement,
        qNoisyExpectedImprovement,
    )
    from botorch.acquisition.objective import GenericMCObjective

    join = joined(view)
    objective = GenericMCObjective(lambda values, X=None: -join(values))
    best = -join(torch.as_tensor(view.outputs[feasible(view)])).min()

    def make(rows):
        shared = {"model": twin, "objective": objective} | options_for(view, rows)
        if view.noise:
            return qNoisyExpectedImprovement(
                X_baseline=known(view), prune_baseline=False, **shared
            )
        return qExpectedImprovement(best_f=best, **shared)

    return gains_by_botorch(make, view)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_gain_of_hypervolume_is_that_of_botorch(case):
    """With and without noise, a constraint, and a candidate that is awaited."""
    with own_torch(0), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        view, twin = scene(*case)
        scores = acquisition.log_nehvi(view, BASELINE, DRAWS, seed=3)(CANDIDATES)
        expected = hypervolumes(view, twin)
    unit = np.prod(REFERENCE - view.estimates()[:, :2].min(axis=0))
    assert expected.max() > 1e-2
    assert np.allclose(np.exp(scores) * unit, expected, rtol=0.01, atol=6e-4)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_gain_of_a_scalarization_is_that_of_botorch(case):
    """With and without noise, a constraint, and a candidate that is awaited."""
    with own_torch(0), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        view, twin = scene(*case)
        scores = acquisition.log_nei(view, WEIGHTS, RHO, 20, DRAWS, 3)(CANDIDATES)
        expected = scalarized(view, twin)
    assert expected.max() > 1e-2
    assert np.allclose(np.exp(scores), expected, rtol=0.01, atol=6e-4)
