"""Two methods of a store against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.lab.bench.captions import limit_text
from divlearn.lab.bench.cases import family_of, size_of
from divlearn.lab.bench.measures import Values, in_percent, values_of
from divlearn.lab.bench.rows import Run
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.summary import PERCENT, compare_values
from divlearn.lab.bench.table import Entry, Grid
from divlearn.lab.bench.words import DECIMALS, difference_text, p_text, score_text
from divlearn.methods.budget import planned
from divlearn.metrics import Comparison

LEGEND = (
    "Difference: {first} minus {second} in hypervolume ratio (%: in percent of the "
    "exact front), mean ± standard error over pairs of the same instance and seed; "
    "several seeds of an instance count as one pair. p: Wilcoxon signed-rank test, "
    "two-sided. W-T-L: pairs won, tied and lost by {first}."
)


@dataclass(frozen=True)
class Pairing:
    """Two methods on a problem.

    Attributes
    ----------
    problem
        Label of the problem.
    limit
        Budget of the runs in words.
    measure
        ``"hypervolume"`` or ``"percent"``.
    means
        Mean of the first and of the second.
    comparison
        First against second.
    """

    problem: str
    limit: str
    measure: str
    means: tuple[float, float]
    comparison: Comparison


def compare_methods(store: Store, first: str, second: str) -> list[Pairing]:
    """Compare two methods on all problems, instances and seeds that both have done.

    Parameters
    ----------
    store
        Where their runs are.
    first, second
        Labels of the methods, as in tables.

    Returns
    -------
    A pairing for each problem and limit, by family and size.

    Raises
    ------
    InputError
        If the store has no runs of a method, or no runs of both on anything.
    """
    runs = store.runs()
    labels = dict.fromkeys(run.task.contender.label for run in runs)
    if not labels:
        raise InputError(
            f"the store {str(store.path)!r} holds no runs yet; run 'divlearn bench "
            "SUITE' first."
        )
    for label in (first, second):
        require_one_of("method", label, labels)
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in sorted(runs, key=_order):
        if run.ok and run.task.contender.label in (first, second):
            place = run.task.case.label, _limit(run)
            groups.setdefault(place, []).append(run)
    exact = store.exact()
    pairings = [
        pairing
        for place, group in groups.items()
        for pairing in _pair(place, group, first, second, exact, store)
    ]
    if not pairings:
        raise InputError(
            f"{first} and {second} have no instance and seed in common in "
            f"{str(store.path)!r}; run a suite with both."
        )
    return pairings


def _pair(
    place: tuple[str, str],
    runs: Sequence[Run],
    first: str,
    second: str,
    exact: Mapping[str, float],
    store: Store,
) -> Iterator[Pairing]:
    """Yield the comparison on one problem, if both have runs on it."""
    values = values_of("hypervolume", runs, store)
    percent = in_percent(values, runs, dict(exact))
    sides = [_values(runs, label, percent or values) for label in (first, second)]
    both = [place for place in sides[0] if place in sides[1]]
    a, b = ({place: side[place] for place in both} for side in sides)
    comparison = compare_values(a, b, len({instance for instance, _ in both}) > 1)
    if comparison is not None:
        means = sum(a.values()) / len(a), sum(b.values()) / len(b)
        measure = PERCENT if percent else "hypervolume"
        yield Pairing(*place, measure, means, comparison)


def _values(runs: Sequence[Run], label: str, values: Values) -> dict[Any, float]:
    """Values of one method by (instance, seed)."""
    return {
        (run.task.instance, run.task.seed): values[run.key]
        for run in runs
        if run.task.contender.label == label and not math.isnan(values[run.key])
    }


def _order(run: Run) -> tuple[Any, ...]:
    """By problem, limit and place, whichever run was done first."""
    case, task = run.task.case, run.task
    limit = planned(task.budget) or 0, task.seconds or 0.0, task.initial
    family, size = family_of(case.name), size_of(case.name)
    return family, size, case.label, limit, task.instance, task.seed


def _limit(run: Run) -> str:
    """Budget of a run in words."""
    text = limit_text(run.task.budget, run.task.seconds)
    return f"{text}, {run.task.initial} given" if run.task.initial else text


def pairing_grid(pairings: Sequence[Pairing], first: str, second: str) -> Grid:
    """Make a table of comparisons; the better mean is marked."""
    header = ["problem", "limit", first, second, "difference", "p", "W-T-L", "pairs"]
    rows = []
    for pairing in pairings:
        decimals = DECIMALS[pairing.measure]
        sign = " %" if pairing.measure == PERCENT else ""
        difference = pairing.comparison.mean_difference
        rows.append(
            [
                Entry(pairing.problem),
                Entry(pairing.limit),
                Entry(f"{pairing.means[0]:.{decimals}f}{sign}", difference > 0),
                Entry(f"{pairing.means[1]:.{decimals}f}{sign}", difference < 0),
                Entry(difference_text(pairing.comparison, decimals)),
                Entry(p_text(pairing.comparison.p_value)),
                Entry(score_text(pairing.comparison)),
                Entry(str(pairing.comparison.count)),
            ]
        )
    return Grid(header, rows)


def total_score(pairings: Sequence[Pairing]) -> tuple[int, int, int]:
    """Wins, ties and losses of the first over all problems."""
    scores = [
        (p.comparison.wins, p.comparison.ties, p.comparison.losses) for p in pairings
    ]
    wins, ties, losses = (sum(column) for column in zip(*scores, strict=True))
    return wins, ties, losses


def pairing_json(pairing: Pairing) -> dict[str, Any]:
    """Return a comparison as plain data."""
    c = pairing.comparison
    numbers = {
        "mean_first": pairing.means[0],
        "mean_second": pairing.means[1],
        "mean_difference": c.mean_difference,
        "standard_error": c.standard_error,
        "low": c.interval[0],
        "high": c.interval[1],
        "p_value": c.p_value,
    }
    return {
        "problem": pairing.problem,
        "limit": pairing.limit,
        "measure": pairing.measure,
        **{name: None if math.isnan(x) else x for name, x in numbers.items()},
        "wins": c.wins,
        "ties": c.ties,
        "losses": c.losses,
        "pairs": c.count,
    }
