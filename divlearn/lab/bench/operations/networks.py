"""Networks that build solutions: products of matrices, step by step.

Shapes as in :mod:`divlearn.lab.baselines.pmoco.model`: instances have n nodes, features
have f numbers, nodes d after the encoder, preferences m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from divlearn.basics.extras import need
from divlearn.lab.baselines.pmoco.library import find_model, require_family
from divlearn.lab.baselines.pmoco.methods import PMOCO, MatchedPMOCO, matched_plan
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.weights import spread_weights
from divlearn.lab.bench.operations.counts import (
    ADAM,
    BACKWARD,
    DIVISION,
    Count,
    Counts,
    Work,
    kept,
    multiply_adds,
)
from divlearn.lab.bench.operations.local_search import greedy_choice, least_routes
from divlearn.problems import CVRP, Knapsack, Problem

if TYPE_CHECKING:
    from divlearn.lab.baselines.pmoco.plan import Plan
    from divlearn.lab.baselines.pmoco.tasks import Task

#: Symmetries of a map.
SYMMETRIES = 8
#: Depot visits of the longest of many walks that are built together, in least numbers
#: of routes: about 3 for 20 and for 50 customers.
DEPOT_VISITS = 3


@dataclass(frozen=True)
class Parts:
    """What the parts of a network cost on one problem.

    Attributes
    ----------
    encoder
        Description of all nodes, per instance.
    decoder
        Hypernetwork and all that depends on nodes alone, per preference and instance.
    walk
        All choices of one solution.
    starts
        Solutions that are built for each preference and instance.
    parameters
        Numbers that are trained.
    """

    encoder: Count
    decoder: Count
    walk: Count
    starts: int
    parameters: float


def network(problem: Problem, method: PMOCO, work: Work) -> Counts:
    """What the trained network does in a run; its training is not part of it."""
    need("torch", "neural")
    from divlearn.lab.baselines.pmoco.files import read_network

    family, size = require_family(method.name, problem)
    path = find_model(family, size) if method.model is None else method.model
    parts = parts_of(problem, read_network(path).plan.shape)
    variants = num_variants(problem, method.augment)
    each = len(spread_weights(problem.num_objectives, method.weights)) * parts.starts
    built = work.tally.get("solutions_built", (variants + method.samples) * each)
    return _building(parts, variants, built) | kept(problem, work)


def matched_network(problem: Problem, method: MatchedPMOCO, work: Work) -> Counts:
    """Training steps on random instances, then solutions of the problem itself.

    A step encodes, shapes the decoder and walks; then all choices are scored once more
    at once, to be derived. If the run does not say how many solutions were built, they
    are as many as were evaluated, in whole rounds.
    """
    need("torch", "neural")
    plan = matched_plan(method, problem, work.budget, seed=0)
    parts = parts_of(problem, plan.shape)
    steps = work.tally.get("training_steps", plan.total_steps)
    instances = steps * plan.preferences * plan.instances
    variants = num_variants(problem, method.augment)
    each = len(spread_weights(problem.num_objectives, method.weights)) * parts.starts
    found = max(0, work.evaluations - instances * parts.starts)
    built = work.tally.get("solutions_built", math.ceil(found / each) * each)
    ended = Work(found, work.budget, work.front_size)
    return {
        **_training(parts, steps, instances),
        **_building(parts, variants, built),
        **kept(problem, ended),
    }


def training(problem: Problem, plan: Plan) -> Counts:
    """What the training of a network costs that is used on a problem of its size."""
    need("torch", "neural")
    steps = plan.total_steps
    instances = steps * plan.preferences * plan.instances
    return _training(parts_of(problem, plan.shape), steps, instances)


def _training(parts: Parts, steps: float, instances: float) -> Counts:
    """Walks on random instances; all choices scored once more and derived; Adam."""
    derived = parts.encoder + parts.decoder + parts.starts * parts.walk
    return {
        "training walks": instances * parts.starts * parts.walk,
        "training": instances * (1 + BACKWARD) * derived,
        "descent": steps * parts.parameters * ADAM,
    }


def _building(parts: Parts, variants: int, built: float) -> Counts:
    """Encode all variants, shape a decoder per group of starts, and walk."""
    return {
        "encoder": variants * parts.encoder,
        "decoder": (built / parts.starts) * parts.decoder,
        "walks": built * parts.walk,
    }


def num_variants(problem: Problem, augment: int) -> int:
    """Equivalent instances: maps turned and mirrored, each by itself."""
    if isinstance(problem, Knapsack):
        return 1
    maps = 1 if isinstance(problem, CVRP) else problem.num_objectives
    return int(min(augment, SYMMETRIES**maps))


def num_choices(problem: Problem) -> float:
    """Choices of the longest walk, after the first node, which is given.

    Cities but one; the items of a greedy choice; customers and returns to the depot.
    """
    if isinstance(problem, Knapsack):
        return float(greedy_choice(problem).sum())
    if isinstance(problem, CVRP):
        return len(problem.demands) - 1 + DEPOT_VISITS * least_routes(problem)
    return problem.space.num_positions - 1


def parts_of(problem: Problem, shape: Shape) -> Parts:
    """Count the parts of a network on one problem."""
    from divlearn.lab.baselines.pmoco.tasks import task_of

    family, size = require_family("pmoco", problem)
    task = task_of(family)
    n = size + isinstance(problem, CVRP)  # with the depot
    hyper, rows = _hypernetwork(task, shape)
    per_layer = 4 * shape.width**2 + 2 * shape.width * shape.inner
    trained = task.num_features * shape.width + shape.layers * per_layer
    return Parts(
        encoder=_encoder(task, shape, n),
        decoder=multiply_adds(hyper + _projections(task, shape, n)),
        walk=num_choices(problem) * _choice(task, shape, n),
        starts=size,
        parameters=trained + hyper + rows * shape.width,
    )


def _encoder(task: Task, shape: Shape, n: int) -> Count:
    """Describe n nodes: attention among them, then each by itself, layer by layer."""
    d = shape.width
    products = 4 * d * d + 2 * n * d + 2 * d * shape.inner
    layer = multiply_adds(products) + softmax(shape.heads * n)
    # Two normalizations: means, variances, and both applied.
    layer += 2 * d * Count(additions=5, multiplications=3)
    return n * (multiply_adds(task.num_features * d) + shape.layers * layer)


def _hypernetwork(task: Task, shape: Shape) -> tuple[float, float]:
    """Products that turn a preference into matrices, and the rows of these."""
    from divlearn.lab.baselines.pmoco.model import decoder_parts

    parts = decoder_parts(task, shape.width)
    rows = sum(parts.values())
    inner = task.num_objectives + shape.inner + len(parts) * shape.codes
    return shape.inner * inner + shape.codes * rows * shape.width, rows


def _projections(task: Task, shape: Shape, n: int) -> float:
    """Products of nodes with the matrices of the decoder; their mean is one row."""
    whole = [name for name in task.context if name != "mean"]
    rows = n * (3 + len(whole)) + (len(task.context) - len(whole))
    return float(rows * shape.width**2)


def _choice(task: Task, shape: Shape, n: int) -> Count:
    """Choose the next of n nodes: attention, a score each, and the highest of them.

    What is closed is looked up and added twice.
    """
    d = shape.width
    query = multiply_adds(task.num_scalars * d) + len(task.context) * Count(d)
    attention = multiply_adds(2 * n * d) + softmax(shape.heads * n)
    scores = multiply_adds(n * d) + n * Count(2, 2, exponentials=1) + softmax(n)
    choice = n * Count(comparisons=3, copies=1)
    return query + attention + scores + choice


def softmax(number: float) -> Count:
    """Exponentials of numbers less the greatest, divided by their sum."""
    return number * Count(3, DIVISION, comparisons=1, exponentials=1)
