"""From the name of a problem in a suite to the problem itself."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from functools import cache

from divlearn.basics.errors import DivlearnError
from divlearn.basics.plugins import is_reference
from divlearn.lab.bench.task import Case
from divlearn.problems import Knapsack, Problem, catalogue, get, read

#: How names end where a size follows.
SIZED = "-N"
#: Knapsacks up to this size are measured against their exact front; beyond, finding
#: it would take longer than the runs.
MOST_EXACT_ITEMS = 200
#: Problems that are kept: the next run is often on the same instance.
MOST_KEPT = 16

_kept: OrderedDict[str, Problem] = OrderedDict()


def build(case: Case, instance: int) -> Problem:
    """Make an instance of a problem, by its name or from its files.

    Examples
    --------
    >>> problem = build(Case("bitsp-matrix-50"), instance=0)
    >>> problem.distances.shape, problem.reference
    ((2, 50, 50), array([35., 35.]))
    """
    if case.files:
        return read(*case.files, **case.options)
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


@cache
def axes_of(name: str, options: str, instance: int) -> tuple[str, ...] | None:
    """Names and senses of the objectives of a problem that divlearn knows by name.

    None for others: what a store names is read, but nobody's code is run for it.

    Parameters
    ----------
    name, options, instance
        As a store has them; options as JSON.

    Examples
    --------
    >>> axes_of("bikp-20", "{}", 0)
    ('value 1 (max)', 'value 2 (max)')
    >>> axes_of("my_package:Problem", "{}", 0)
    """
    if is_reference(name):
        return None
    try:
        problem = get(name, instance=instance, **json.loads(options))
    except DivlearnError:  # of another version, or of a package that is not here
        return None
    return tuple(f"{one} ({sense})" for one, sense in problem.objectives.items())


def family_of(name: str) -> str:
    """Everything before the size.

    Examples
    --------
    >>> family_of("bitsp-matrix-50"), family_of("bikp-200")
    ('bitsp-matrix', 'bikp')
    """
    return re.sub(r"-[0-9]+(x[0-9]+)?$", "", name)


def size_of(name: str) -> int:
    """The size at the end of a name, the first of two; 1 where there is none.

    Examples
    --------
    >>> size_of("bitsp-matrix-50"), size_of("jobshop-10x5")
    (50, 10)
    """
    match = re.search(r"-([0-9]+)(?:x[0-9]+)?$", name)
    return int(match[1]) if match else 1


def families() -> list[str]:
    """All families of problems that a suite may use."""
    names = [name for name, _ in catalogue() if name.endswith(SIZED)]
    return [name.removesuffix(SIZED) for name in names]


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
