"""Functions of two objectives with integers and reals from the COCO platform.

T. Tusar, D. Brockhoff, N. Hansen, "Mixed-integer benchmark problems for single- and
bi-objective optimization", GECCO (2019): the suite ``bbob-biobj-mixint``, 92 functions
in 15 instances. Four fifths of the variables are integers with 2, 4, 8 and 16 values,
and the last fifth are reals. Values span many decades, so an objective is
asinh(100 u) / asinh(100), where u is 0 at the nadir point that COCO tells and 1 at the
median of random solutions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Floats
from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Composite, Integer, Real, Space

#: Functions, and instances of each that COCO checked.
NUM_FUNCTIONS, NUM_INSTANCES = 92, 15
#: Random solutions that tell what usual values are.
NUM_SAMPLED = 500
#: How much finer values near the nadir point are than far from it.
ZOOM = 100.0
#: Largest code of each group of integers.
GROUPS = {"twos": 1, "fours": 3, "eights": 7, "sixteens": 15}
LIMIT = 100.0


class Choice(NamedTuple):
    """A function and an instance, both counted from 1 as COCO does."""

    function: int
    instance: int
    dimension: int


def draw(dimension: int, rng: np.random.Generator) -> Choice:
    """One of the functions and of the instances."""
    need("cocoex", "coco")
    function = 1 + int(rng.integers(NUM_FUNCTIONS))
    return Choice(function, 1 + int(rng.integers(NUM_INSTANCES)), dimension)


def space(choice: Choice) -> Space:
    """Five groups of the same size."""
    size = choice.dimension // 5
    return Composite(
        **{name: Integer(0, last, n=size) for name, last in GROUPS.items()},
        reals=Real(-LIMIT, LIMIT, n=size),
    )


def evaluate(choice: Choice, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Both objectives in units of their distance from nadir to usual values."""
    problem, nadir, width = _problem(choice)
    row = np.concatenate([np.atleast_1d(part) for part in x.values()])
    shares = ZOOM * (np.array(problem(row.astype(float))) - nadir) / width
    return tuple((np.arcsinh(shares) / np.arcsinh(ZOOM)).tolist())


@cache
def _problem(choice: Choice) -> tuple[Any, Floats, Floats]:
    """The function, its nadir point, and how far random solutions are from it."""
    problem = _suite(choice.dimension).get_problem_by_function_dimension_instance(
        choice.function, choice.dimension, choice.instance
    )
    rng = np.random.default_rng(0)
    low, high = problem.lower_bounds, problem.upper_bounds
    rows = low + (high - low) * rng.random((NUM_SAMPLED, len(low)))
    whole = problem.number_of_integer_variables
    rows[:, :whole] = np.round(rows[:, :whole])
    values = np.array([problem(row) for row in rows])
    nadir = np.array(problem.largest_fvalues_of_interest)
    usual = np.median(values, axis=0) - nadir
    return problem, nadir, np.maximum(usual, 0.1 * values.std(axis=0))


@cache
def _suite(dimension: int) -> Any:
    """The suite, which its functions need as long as they live."""
    cocoex = need("cocoex", "coco")
    cocoex.log_level("error")
    return cocoex.Suite("bbob-biobj-mixint", "", f"dimensions: {dimension}")


BLUEPRINTS = {
    f"coco-{n}": Blueprint(
        partial(draw, n), space, evaluate, {"first": "min", "second": "min"}
    )
    for n in (5, 10, 20)
}
