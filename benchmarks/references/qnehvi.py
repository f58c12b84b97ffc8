"""Bayesian optimization by noisy expected hypervolume improvement, with BoTorch.

S. Daulton, M. Balandat, E. Bakshy, "Parallel Bayesian optimization of multiple noisy
objectives with expected hypervolume improvement", NeurIPS 2021.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.references import operators
from benchmarks.references.common import Clock, Evaluator, Front, need
from divlearn.baselines.operators import SpaceOperators
from divlearn.errors import InputError
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout, is_member
from divlearn.metrics import non_dominated

#: Random solutions among which a local search finds its start.
NUM_RANDOM = 100
#: Positions are tried in so many groups: a call costs more than what it scores.
NUM_GROUPS = 4
#: Most steps of fitting a Gaussian process; more change little.
FIT_STEPS = 50
#: Draws of the objectives over which the improvement is averaged.
NUM_DRAWS = 16
#: Share of the box that the partition into cells may leave out, by objectives; exact
#: partitions of a front with four objectives take most of the time.
COARSENESS = {2: 0.0, 3: 0.0}
COARSENESS_OF_MORE = 1e-2


def front(
    problem: Any, budget: int, seed: int = 0, initial: int = 20, batch: int = 5
) -> Front:
    """Choose solutions by qLogNEHVI of independent Gaussian processes.

    Categories become one feature per value, ordered values one feature in [0, 1]. The
    improvement is maximised by local search over single changes, from the best random
    solutions, from the known front and its neighbours.

    Parameters
    ----------
    problem
        A problem with reference point, without permutations and constraints.
    budget
        Evaluations.
    seed
        Seed of the run.
    initial
        Random solutions to begin with.
    batch
        Solutions that are chosen, one after the other, before the models are fitted
        again.

    Returns
    -------
    The non-dominated solutions of all that was evaluated.
    """
    torch = need("torch")
    need("botorch")
    _require_suitable(problem)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    layout = problem.space.layout
    evaluator = Evaluator(problem)
    clock = Clock()
    values = []
    for row in operators.random_codes(layout, min(initial, budget), seed):
        values.append(evaluator(row)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while len(values) < budget:
            codes, count = np.array(evaluator.codes), min(batch, budget - len(values))
            for row in _choose(problem, codes, np.array(values), count, rng):
                values.append(evaluator(row)[0])
    return Front(evaluator.front(), len(evaluator.outputs), clock.read())


def _require_suitable(problem: Any) -> None:
    """Refuse what the models do not cover."""
    kinds = problem.space.layout.segments.kind
    if problem.num_constraints or (kinds == PERMUTATION).any():
        raise InputError(
            "qnehvi takes problems without permutations and constraints, got "
            f"{problem.name!r}; use nsga2."
        )
    if problem.reference is None:
        raise InputError("qnehvi needs a problem with a reference point, got none.")


def features(layout: Layout, rows: np.ndarray) -> np.ndarray:
    """One feature per category, one in [0, 1] for ordered values and for bits."""
    columns = []
    kinds = layout.segments.kind[layout.places.segment]
    for column, arity, kind in zip(rows.T, layout.places.arity, kinds, strict=True):
        if kind == ORDINAL or arity <= 2:
            columns.append(column[:, None] / max(1, arity - 1))
        else:
            columns.append(np.eye(arity)[column])
    return np.hstack(columns)


def changes(layout: Layout, x: np.ndarray, i: int) -> np.ndarray:
    """All solutions that differ from ``x`` at position ``i`` alone, shape (k, n)."""
    rows = np.repeat(x[None], layout.places.arity[i], axis=0)
    rows[:, i] = np.arange(len(rows))
    return rows[[is_member(layout, row) and row[i] != x[i] for row in rows]]


def _choose(
    problem: Any,
    codes: np.ndarray,
    values: np.ndarray,
    count: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Choose the next solutions, those before each one pending."""
    import torch

    layout = problem.space.layout
    model = _fit(features(layout, codes), -values)
    seen = {row.tobytes() for row in codes}
    best = codes[non_dominated(values)]
    baseline = _promising(problem, model, features(layout, codes))
    chosen: list[np.ndarray] = []
    for _ in range(count):
        acquisition = _acquisition(problem, model, baseline, chosen)

        def score(rows: np.ndarray, acquisition: Any = acquisition) -> np.ndarray:
            with torch.no_grad():
                points = torch.as_tensor(features(layout, rows)).unsqueeze(1)
                return acquisition(points).numpy()

        starts = operators.random_codes(layout, NUM_RANDOM, int(rng.integers(2**31)))
        near = SpaceOperators(problem.space).mutate(rng.permutation(best)[:50], rng)
        row = climb(layout, np.vstack([starts, near]), score, seen, rng)
        chosen.append(row)
        seen.add(row.tobytes())
    return chosen


def climb(
    layout: Layout,
    starts: np.ndarray,
    score: Any,
    seen: set[bytes],
    rng: np.random.Generator,
) -> np.ndarray:
    """Find an unseen solution of high score by changes at single positions.

    Parameters
    ----------
    layout
        Layout of the space.
    starts
        Solutions of which the best one is improved, shape (k, n).
    score
        ``score(rows)`` gives a number per row.
    seen
        Codes, as bytes, that may not be the answer.
    rng
        Chooses the order of positions.

    Returns
    -------
    The best unseen solution of all that were scored.
    """
    scores = score(starts)
    found = list(zip(scores, starts, strict=True))
    x, height = starts[np.argmax(scores)], scores.max()
    positions = np.flatnonzero(layout.places.arity > 1)
    higher = True
    while higher:
        higher = False
        for group in np.array_split(rng.permutation(positions), NUM_GROUPS):
            rows = np.vstack([starts[:0], *(changes(layout, x, i) for i in group)])
            if not len(rows):
                continue
            scores = score(rows)
            found.extend(zip(scores, rows, strict=True))
            if scores.max() > height:
                x, height, higher = rows[np.argmax(scores)], scores.max(), True
    found.sort(key=lambda pair: -pair[0])
    return next(row for _, row in found if row.tobytes() not in seen)


def _fit(x: np.ndarray, y: np.ndarray) -> Any:
    """Fit a Gaussian process to each objective, all maximised."""
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import ModelListGP, SingleTaskGP
    from botorch.models.transforms import Standardize
    from gpytorch.mlls import SumMarginalLogLikelihood

    points = torch.as_tensor(x)
    models = [
        SingleTaskGP(
            points, torch.as_tensor(column[:, None]), outcome_transform=Standardize(m=1)
        )
        for column in y.T
    ]
    model = ModelListGP(*models)
    fit_gpytorch_mll(
        SumMarginalLogLikelihood(model.likelihood, model),
        optimizer_kwargs={"options": {"maxiter": FIT_STEPS}},
    )
    return model


def _promising(problem: Any, model: Any, x: np.ndarray) -> Any:
    """Keep the points that may be non-dominated, once for a whole batch."""
    import torch
    from botorch.acquisition.multi_objective.utils import (
        prune_inferior_points_multi_objective,
    )

    corner = torch.as_tensor(-problem.sign * problem.reference)
    return prune_inferior_points_multi_objective(model, torch.as_tensor(x), corner)


def _acquisition(
    problem: Any, model: Any, baseline: Any, chosen: list[np.ndarray]
) -> Any:
    """Noisy expected hypervolume improvement over ``baseline``."""
    import torch
    from botorch.acquisition.multi_objective.logei import (
        qLogNoisyExpectedHypervolumeImprovement,
    )
    from botorch.sampling import SobolQMCNormalSampler

    pending = None
    if chosen:
        pending = torch.as_tensor(features(problem.space.layout, np.array(chosen)))
    return qLogNoisyExpectedHypervolumeImprovement(
        model=model,
        ref_point=(-problem.sign * problem.reference).tolist(),
        X_baseline=baseline,
        X_pending=pending,
        sampler=SobolQMCNormalSampler(torch.Size([NUM_DRAWS]), seed=0),
        prune_baseline=False,
        alpha=COARSENESS.get(problem.num_objectives, COARSENESS_OF_MORE),
    )
