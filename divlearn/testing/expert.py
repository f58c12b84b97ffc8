"""What a search relies on in every expert."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from types import SimpleNamespace

import numpy as np

from divlearn.methods.paper.experts import Expert, Known, Mixture
from divlearn.problems import Problem
from divlearn.spaces import Permutation
from divlearn.testing.part import check_description
from divlearn.testing.require import require


def check_expert(expert: Expert) -> None:
    """Check an expert: that it compiles, scores any statistics, and can be written.

    Over a grid of statistics the score must be a number or infinite, never NaN; the
    same for the same numbers; and the same compiled as in plain Python. The
    description must be plain data, the expert must survive pickling, and a short
    search must run with it.

    Parameters
    ----------
    expert
        The expert to check.

    Examples
    --------
    >>> from divlearn.methods.paper.experts import UCB
    >>> check_expert(UCB(coefficient=1.5))
    """
    require(isinstance(expert, Expert), f"{expert!r} is not a divlearn Expert.")
    check_description(expert, "expert")
    _check_scores(expert)
    _check_short_search(expert)


def _cases(expert: Expert) -> Iterator[tuple[Known, dict[str, float]]]:
    """Every combination of a few statistics that can occur, with the options."""
    histories = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 9.0), (500.0, 9000.0))
    for (visits, updates), value, variance in product(
        histories, (-1.0, 0.0, 0.7, 1.0), (0.0, 0.3, 1.0)
    ):
        for n, temperature, draw in product((1, 100), (1.0, 0.01), (0.0, 0.37, 0.999)):
            log_weight, loss = -2.0 * visits / (1.0 + n), 100.0 * visits
            known = Known(
                *(value, variance, visits, log_weight, loss, updates, temperature),
                *(float(n), max(value, 0.5), 0.5, draw, 1.0 - draw - 2.0**-53),
            )
            yield known, expert.options(n)


def _compiled_score(expert: Expert) -> Callable[[Known, dict[str, float]], float]:
    """Return the score as kernels call it."""
    from divlearn.methods.paper.kernels.scores import score_address, score_at

    names = tuple(expert.options(1))
    address = np.uint64(score_address(type(expert).score, names))

    def score(known: Known, options: dict[str, float]) -> float:
        row = np.array([*options.values(), 0.0])
        return float(score_at(address, known, row))

    return score


def _plain_score(expert: Expert) -> Callable[[Known, dict[str, float]], float]:
    """Return the score as plain Python."""

    def score(known: Known, options: dict[str, float]) -> float:
        return type(expert).score(known, SimpleNamespace(**options))

    return score


def _check_scores(expert: Expert) -> None:
    """Compare the compiled score with the plain one over the grid."""
    plain = _plain_score(expert)
    try:
        compiled = _compiled_score(expert)
    except TypeError as error:
        raise AssertionError(f"score of {expert!r}: {error}") from error
    for case in _cases(expert):
        score, expected, known = (
            _outcome(compiled, case),
            _outcome(plain, case),
            case[0],
        )
        raised = isinstance(score, str) and score == expected
        require(not raised, f"score({known}) raised {score}, which ends a search.")
        require(score == score, f"score({known}) is NaN.")
        require(score == _outcome(compiled, case), f"score({known}) does not repeat.")
        require(
            score == expected,
            f"score({known}) is {score} compiled and {expected} in plain Python.",
        )


def _outcome(
    function: Callable[[Known, dict[str, float]], float],
    case: tuple[Known, dict[str, float]],
) -> float | str:
    """A score, or what was raised instead."""
    try:
        return function(*case)
    except (ArithmeticError, ValueError, IndexError) as error:
        return type(error).__name__


def _check_short_search(expert: Expert) -> None:
    """Let the expert alone construct solutions of a small problem."""
    from divlearn.methods.paper.method import DivideAndLearn
    from divlearn.optimizer.optimizer import Optimizer

    problem = Problem(Permutation(6), lambda x: (x[0], x[5]), ["first", "last"])
    method = DivideAndLearn(mixture=Mixture((expert,)), construct_every=1, initial=5)
    optimizer = Optimizer(problem, method, budget=150)
    for _ in range(150):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    require(optimizer.front_size > 0, f"a search with {expert!r} found nothing.")
