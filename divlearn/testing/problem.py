"""What a search relies on in every problem."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divlearn.basics.errors import EvaluationError, InvalidDesign
from divlearn.basics.typing import Floats, Value
from divlearn.problems import Problem
from divlearn.testing.require import require
from divlearn.testing.space import check_space, codes_of, require_member

#: Relative difference allowed because ``evaluate_batch`` may sum in another order.
BATCH_TOLERANCE = 1e-9


def check_problem(
    problem: Problem, seed: int = 0, samples: int = 20, evaluations: int = 120
) -> None:
    """Check a problem: its space, objective, repair and compiled objective.

    Evaluations give the right number of finite values, and repeat unless the problem is
    noisy. Inputs are not changed. Repaired solutions are feasible members, and so they
    are when repaired again. ``evaluate_batch`` and the compiled objective agree with
    ``evaluate``, the latter bit for bit. A short search gives the same by ask and tell
    as in the compiled loop.

    Parameters
    ----------
    problem
        The problem to check.
    seed
        Seed of solutions and search.
    samples
        Number of random solutions.
    evaluations
        Length of the short search.

    Examples
    --------
    >>> import divlearn as dl
    >>> bits = dl.Binary(5)
    >>> check_problem(dl.Problem(bits, lambda x: (x.sum(), 9 - x[0]), ["a", "b"]))
    """
    require(isinstance(problem, Problem), f"{problem!r} is not a divlearn.Problem.")
    check_space(problem.space, seed, min(samples, 10))
    try:
        solutions = list(_usable(problem, seed, samples))
        require(solutions, f"none of {samples} random solutions can be evaluated.")
        for x in solutions:
            _check_repetition(problem, x)
            _check_compiled(problem, x)
        _check_batch(problem, solutions)
        _check_search(problem, seed, evaluations)
    except EvaluationError as error:
        raise AssertionError(f"at {error.x!r}: {error}") from error


def _usable(problem: Problem, seed: int, samples: int) -> Iterator[Value]:
    """Random solutions, repaired, that can be evaluated."""
    for s in range(samples):
        try:
            x = _repaired(problem, problem.space.sample(seed + s))
            if problem.is_valid(x) and _evaluated(problem, x) is not None:
                yield x
        except InvalidDesign:
            continue


def _evaluated(problem: Problem, x: Value) -> Floats | None:
    """Evaluate; None if the objective refuses this design."""
    before = codes_of(problem.space, x)
    try:
        outputs = problem.evaluate(x)
    except InvalidDesign:
        return None
    require(
        outputs.shape == (len(problem.outputs),) and np.isfinite(outputs).all(),
        f"evaluate({x!r}) must give {len(problem.outputs)} finite numbers, "
        f"got {outputs}.",
    )
    require(
        problem.space.contains(x)
        and np.array_equal(codes_of(problem.space, x), before),
        f"evaluate() changed its input to {x!r}; let it work on a copy.",
    )
    return outputs


def _repaired(problem: Problem, x: Value) -> Value:
    """Repair twice: the result is a feasible member both times."""
    space = problem.space
    before = codes_of(space, x)
    codes = problem.repair_codes(before.copy())
    again = problem.repair_codes(codes.copy())
    for repaired in (codes, again):
        require_member(space, repaired, f"repair of {x!r}")
    if _has_repair(problem):
        for repaired in (codes, again):
            y = space.decode(repaired)
            outputs = _evaluated(problem, y) if problem.is_valid(y) else None
            require(
                outputs is not None and (outputs[problem.num_objectives :] <= 0).all(),
                f"repair({x!r}) must give a feasible solution, got {y!r} with "
                f"{outputs}.",
            )
    return space.decode(codes)


def _has_repair(problem: Problem) -> bool:
    """Whether the problem promises feasible candidates."""
    compiled = problem.compiled
    return bool(problem._repairs) or (compiled is not None and bool(compiled.repair))


def _check_repetition(problem: Problem, x: Value) -> None:
    """Check that the objective repeats."""
    first, second = _evaluated(problem, x), _evaluated(problem, x)
    require(
        problem.noise or np.array_equal(first, second),  # type: ignore[arg-type]
        f"evaluate({x!r}) gave {first} and then {second}; declare noise=True if that "
        "is intended.",
    )


def _check_compiled(problem: Problem, x: Value) -> None:
    """Check that the compiled objective gives the same bits as ``evaluate``."""
    if problem.compiled is None:
        return
    codes, table = codes_of(problem.space, x), problem.compiled.table.copy()
    outputs = np.empty(len(problem.outputs))
    problem.compiled.objective(codes, problem.compiled.table, outputs)
    expected = _evaluated(problem, x)
    require(
        expected is not None and outputs.tobytes() == expected.tobytes(),
        f"the compiled objective gives {outputs} for {x!r}, evaluate gives {expected}.",
    )
    require(
        np.array_equal(codes, codes_of(problem.space, x))
        and np.array_equal(table, problem.compiled.table),
        f"the compiled objective changed its input or its table at {x!r}.",
    )


def _check_batch(problem: Problem, solutions: list[Value]) -> None:
    """Check that a batch gives the same as single evaluations."""
    rows = problem.evaluate_batch(solutions)
    singles = np.array([_evaluated(problem, x) for x in solutions])
    require(
        problem.noise
        or np.allclose(rows, singles, rtol=BATCH_TOLERANCE, atol=BATCH_TOLERANCE),
        f"evaluate_batch gives {rows}, evaluate gives {singles}.",
    )


def _check_search(problem: Problem, seed: int, evaluations: int) -> None:
    """Run a short search, by ask and tell and in the compiled loop."""
    from divlearn.kernels.records import saved_arrays
    from divlearn.optimizer.optimizer import Optimizer, state_of

    asked = Optimizer(problem, seed=seed, budget=evaluations)
    for _ in range(evaluations):
        (candidate,) = asked.ask()
        require_member(problem.space, candidate.codes, "ask()")
        asked.tell(candidate, _evaluated(problem, candidate.x))
    if not asked.compiled or problem.noise:
        return
    ran = Optimizer(problem, seed=seed, budget=evaluations)
    ran.run(evaluations)
    arrays = saved_arrays(state_of(ran))
    for name, array in saved_arrays(state_of(asked)).items():
        require(
            array.tobytes() == arrays[name].tobytes(),
            f"the compiled loop and ask/tell disagree in {name!r}: the compiled "
            "objective or repair depends on more than x and the table.",
        )
