"""From the name of a problem in a suite to the problem itself."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from difflib import get_close_matches

import numpy as np

from divlearn.errors import InputError
from divlearn.lab.bench.task import Case
from divlearn.problems import TSP, Knapsack, Problem, catalogue, get, read

#: Tours with random distances instead of random places, the paper's diversity table.
MATRIX_FAMILY = "bitsp-matrix"
MATRIX_SIZES = (2, 5_000)
#: How names end where a size follows.
SIZED = "-N"
#: Knapsacks up to this size are measured against their exact front; beyond, finding
#: it would take longer than the runs.
MOST_EXACT_ITEMS = 200
#: Problems that are kept: the next run is often on the same instance.
MOST_KEPT = 16

_kept: OrderedDict[str, Problem] = OrderedDict()


def build(case: Case, instance: int) -> Problem:
    """Make an instance of a problem.

    Beside the names of :func:`divlearn.problems.get` there is ``bitsp-matrix-N``:
    two symmetric N x N distance matrices with entries uniform in [0, 1), the upper
    triangles of ``default_rng(instance).random((2, N, N))``, and the points of
    comparison of ``bitsp-N``.

    Examples
    --------
    >>> problem = build(Case("bitsp-matrix-50"), instance=0)
    >>> problem.distances.shape, problem.reference
    ((2, 50, 50), array([35., 35.]))
    """
    if case.files:
        return read(*case.files, **case.options)
    match = re.fullmatch(rf"{MATRIX_FAMILY}-([0-9]{{1,9}})", case.name)
    if match is not None:
        return _matrix_tour(case, int(match[1]), instance)
    _require_family(case.name)
    return get(case.name, instance=instance, **case.options)


def problem_of(case: Case, instance: int) -> Problem:
    """Build a problem, or take one that was built a moment ago."""
    name = json.dumps([*case.identity, instance], sort_keys=True)
    if name not in _kept:
        _kept[name] = build(case, instance)
    _kept.move_to_end(name)
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return _kept[name]


def family_of(name: str) -> str:
    """Everything before the size.

    Examples
    --------
    >>> family_of("bitsp-matrix-50"), family_of("bikp-200")
    ('bitsp-matrix', 'bikp')
    """
    return re.sub(r"-[0-9]+$", "", name)


def size_of(name: str) -> int:
    """The size at the end of a name, 1 where there is none.

    Examples
    --------
    >>> size_of("bitsp-matrix-50")
    50
    """
    match = re.search(r"-([0-9]+)$", name)
    return int(match[1]) if match else 1


def families() -> list[str]:
    """All families of problems that a suite may use."""
    names = [name for name, _ in catalogue() if name.endswith(SIZED)]
    return [*(name.removesuffix(SIZED) for name in names), MATRIX_FAMILY]


def can_judge(problem: Problem) -> bool:
    """Whether a problem can say what a front is worth without the noise of a search.

    Examples
    --------
    >>> can_judge(build(Case("noisytsp-20"), 0)), can_judge(build(Case("bitsp-20"), 0))
    (True, False)
    """
    return callable(getattr(problem, "noise_free", None))


def has_exact_front(problem: Problem) -> bool:
    """Whether the whole front can be found in reasonable time.

    Examples
    --------
    >>> has_exact_front(build(Case("bikp-50"), 0)), has_exact_front(
    ...     build(Case("bitsp-20"), 0)
    ... )
    (True, False)
    """
    return (
        isinstance(problem, Knapsack)
        and problem.num_objectives == 2
        and len(problem.capacity) == 1
        and len(problem.values) <= MOST_EXACT_ITEMS
    )


def _singles() -> list[str]:
    """Problems without a size."""
    return [name for name, _ in catalogue() if not name.endswith(SIZED)]


def _require_family(name: str) -> None:
    """Name the nearest family where there is none of this name."""
    known, singles = families(), _singles()
    if name in singles or (family_of(name) in known and family_of(name) != name):
        return
    words = [*(f"{word}{SIZED}" for word in known), *singles]
    near = get_close_matches(family_of(name.lower()), [*known, *singles], 1)
    meant = next((word for word in words if near and word.startswith(near[0])), None)
    raise InputError(
        f"problem must be {', '.join(singles)} or one of "
        f"{', '.join(f'{word}{SIZED}' for word in known)} with a size for N, such as "
        f"bitsp-100; got {name!r}." + (f" Did you mean {meant}?" if meant else "")
    )


def _matrix_tour(case: Case, n: int, instance: int) -> TSP:
    """Make a tour with two random distance matrices."""
    if case.options:
        raise InputError(
            f"{MATRIX_FAMILY}-N has no options; got {', '.join(case.options)}."
        )
    least, most = MATRIX_SIZES
    if not least <= n <= most:
        raise InputError(
            f"the size of {MATRIX_FAMILY}-N must be from {least} to {most}, "
            f"got {case.name!r}."
        )
    upper = np.triu(np.random.default_rng(instance).random((2, n, n)), 1)
    problem = TSP(distances=upper + upper.transpose(0, 2, 1), name=case.name)
    plain = get(f"bitsp-{n}")
    problem.reference, problem.ideal = plain.reference, plain.ideal
    return problem
