"""Operation counts of all methods, and how well they predict shares of time."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from divlearn import problems
from divlearn.basics.errors import InputError, MissingExtra
from divlearn.lab.bench.built_in import PAPER_SIZES
from divlearn.lab.bench.operations import (
    Validation,
    operations,
    total,
    training,
    validate,
)
from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN, Claim, all_of, judge, said
from divlearn.lab.paper.panels import COLOURS, legend_below, new_panels, tidy
from divlearn.lab.paper.study import Evidence, Figure, Findings, Row, Study, Table
from divlearn.methods.paper.method import PAPER_BUDGET

PROBLEM = "bitsp-20"
SEEDS, SHORT_SEEDS = (0, 1, 2), (0,)
#: The paper's limits on the mean absolute error: of all methods, and of most.
ALL_BELOW, MOST_BELOW = 0.07, 0.02


class Timed(NamedTuple):
    """A method of the paper's figure."""

    method: str
    evaluations: int
    short: int
    paper: float  # the paper's mean absolute error, in percent
    components: int  # and its number of components


METHODS = {
    "D&L (UCB)": Timed("paper-ucb", 50_000, 10_000, 0.03, 8),
    "weighted sums": Timed("ws-2opt", 1_000_000, 1_000_000, 0.08, 5),
    "NSGA-II": Timed("nsga2", 20_000, 4_000, 0.69, 8),
    "PPLS/D-C": Timed("ppls-dc", 300_000, 100_000, 1.22, 5),
    "BOPR": Timed("bopr", 100, 14, 4.02, 5),
    "qNEHVI": Timed("qnehvi", 100, 14, 4.77, 4),
    "qParEGO": Timed("qparego", 100, 14, 6.89, 6),
}
#: Methods whose operations are counted on every problem, and their evaluations.
COUNTED = {
    "paper-ucb": PAPER_BUDGET,
    "paper-ts": PAPER_BUDGET,
    "nsga2": 100_000,
    "ppls-dc": 3_000_000,
    "ws-lkh": 40,
    "ws-dp": 101,
    "qnehvi": 200,
    "qparego": 200,
    "bopr": 200,
    "pmoco": 0,
}
BAYESIAN = ("qnehvi", "qparego", "bopr")
OURS = "paper-ucb"
#: By how much the paper says that it computes less than Bayesian optimization.
LEAST_SAVED = 0.90
REMARKS = (
    "The model counts arithmetic, not time: it knows nothing of an interpreter, of "
    "caches, or of products of matrices that run ten times as fast as other "
    "arithmetic. Where most of the time goes into one of these, shares of operations "
    "do not predict shares of time.",
    "The paper does not say what its components are. Here they are those of the "
    "models, joined where one compiled function does the work of several. The "
    "weighted sums are 2-opt, as in the paper's text.",
    "Errors of this study are measured by a clock: another machine, or another hour, "
    "gives other numbers. They are kept, so that a report can be made again.",
    "The paper does not state how many evaluations Bayesian optimization had. Counts "
    "are for the evaluations in the table, those of `divlearn bench table1-all`, and "
    "fronts of 100 solutions.",
)


def findings(evidence: Evidence) -> Findings:
    """Counts of all methods; shares that were predicted and measured."""
    names = [f"{f}-{n}" for f, sizes in PAPER_SIZES.items() for n in sizes]
    if evidence.short:
        names = [f"{family}-{sizes[0]}" for family, sizes in PAPER_SIZES.items()]
    counts = {name: counted(name) for name in names}
    found = {
        label: evidence.once(
            f"shares-{one.method}", functools.partial(timed, one, evidence.short)
        )
        for label, one in METHODS.items()
    }
    known = {label: rows for label, rows in found.items() if rows}
    missing = [label for label, rows in found.items() if not rows]
    *by_clock, by_count = claims(known, counts)
    said_missing = [f"Not installed, and left out: {', '.join(missing)}."]
    return Findings(
        tables=[count_table(counts)],
        claims=[by_count],
        remarks=[*REMARKS, *(said_missing if missing else [])],
        timed_tables=[error_table(known), share_table(known)],
        timed_figures=[
            Figure(
                "mae",
                f"Mean absolute error between shares of operations and of time on "
                f"{PROBLEM}: measured, and as the paper reports it.",
                lambda: draw_errors(known),
            ),
            Figure(
                "shares",
                f"Shares of operations by the model and of time by the clock, for the "
                f"components of each method on {PROBLEM}.",
                lambda: draw_shares(known),
            ),
        ],
        timed_claims=by_clock,
    )


# --- what is measured


def timed(one: Timed, short: bool) -> list[dict[str, Any]]:
    """Validate a method with some seeds; nothing if a package of it is missing."""
    problem = problems.get(PROBLEM)
    evaluations = one.short if short else one.evaluations
    seeds = SHORT_SEEDS if short else SEEDS
    try:
        runs = [validate(problem, one.method, evaluations, seed) for seed in seeds]
    except MissingExtra:
        return []
    return [asdict(run) for run in runs]


def counted(name: str) -> dict[str, float]:
    """Operations of all methods that can treat a problem."""
    problem = problems.get(name)
    found: dict[str, float] = {}
    for method, evaluations in COUNTED.items():
        if evaluations == 0:
            found |= network_counts(name)
            continue
        if method in ("ws-lkh", "ws-dp") and not _fits(method, name):
            continue
        try:
            found[method] = total(operations(problem, method, evaluations))
        except (InputError, MissingExtra):
            continue
    return found


def _fits(method: str, name: str) -> bool:
    """Whether a solver of tours or of knapsacks can treat a problem."""
    return name.startswith("bikp") if method == "ws-dp" else "tsp" in name


def network_counts(name: str) -> dict[str, float]:
    """Operations of PMOCO with its usual options, and of the network's training."""
    from divlearn.lab.baselines.pmoco.library import find_model, require_family

    problem = problems.get(name)
    try:
        from divlearn.lab.baselines.pmoco.files import read_network

        plan = read_network(find_model(*require_family("pmoco", problem))).plan
        used = total(operations(problem, "pmoco", 1_000))
    except (InputError, MissingExtra, ImportError):
        return {}
    found = {"pmoco": used}
    if plan.problem == name:
        found["training of pmoco"] = total(training(problem, plan))
    return found


# --- tables


def count_table(counts: dict[str, dict[str, float]]) -> Table:
    """A row per problem: giga-operations of every method."""
    methods = [*COUNTED, "training of pmoco"]
    rows = []
    for problem, found in counts.items():
        row: dict[str, Any] = {"problem": problem}
        for method in methods:
            given = COUNTED.get(method)
            title = f"{method}@{given}" if given else method
            row[title] = found[method] / 1e9 if method in found else None
        rows.append(row)
    note = (
        "Of LKH, what a trial costs is inferred from its time. Training is that of the "
        "network for the very problem, where there is one."
    )
    return Table("operations", "Giga-operations of one run, by the model", rows, note)


def error_table(found: dict[str, list[dict[str, Any]]]) -> Table:
    """A row per method, as in the paper's table."""
    rows = []
    for label, runs in found.items():
        first = Validation(**runs[0])
        rows.append(
            {
                "method": label,
                "MAE %": 100.0 * float(np.mean(errors(runs))),
                "the paper's MAE %": METHODS[label].paper,
                "components": len(first.predicted),
                "the paper's components": METHODS[label].components,
                "largest by the model": largest(runs, "predicted"),
                "largest by the clock": largest(runs, "measured"),
                "elsewhere %": elsewhere(runs),
                "operations": first.operations,
                "CPU s": first.seconds,
                "operations per s": first.operations / first.seconds,
            }
        )
    note = (
        "Elsewhere is the share of all CPU time that belongs to no component; it is "
        "in none of the shares."
    )
    return Table("mae", f"The model beside the clock on {PROBLEM}", rows, note)


def share_table(found: dict[str, list[dict[str, Any]]]) -> Table:
    """A row per component of each method."""
    rows: list[Row] = [
        {
            "method": label,
            "component": name,
            "predicted %": 100.0 * mean_share(runs, "predicted", name),
            "measured %": 100.0 * mean_share(runs, "measured", name),
        }
        for label, runs in found.items()
        for name in runs[0]["predicted"]
    ]
    return Table("shares", f"Shares of the components on {PROBLEM}", rows)


def errors(runs: Sequence[dict[str, Any]]) -> list[float]:
    """Mean absolute error of each run."""
    return [Validation(**run).mean_absolute_error for run in runs]


def elsewhere(runs: Sequence[dict[str, Any]]) -> float | None:
    """Percent of all time that belongs to no component, where whole runs were timed."""
    shares = [run["elsewhere"] for run in runs]
    return None if None in shares else 100.0 * float(np.mean(shares))


def mean_share(runs: Sequence[dict[str, Any]], side: str, name: str) -> float:
    """Share of a component, ``"predicted"`` or ``"measured"``, over all runs."""
    return float(np.mean([run[side][name] for run in runs]))


def largest(runs: Sequence[dict[str, Any]], side: str) -> str:
    """The component of the largest share."""
    names: dict[str, float] = runs[0][side]
    return max(names, key=lambda name: mean_share(runs, side, name))


# --- figures


def draw_errors(found: dict[str, list[dict[str, Any]]]) -> Any:
    """Draw the paper's bars beside ours, on a logarithmic axis."""
    figure, (axes,) = new_panels(1, 1, size=(5.4, 3.2))
    ours = [100.0 * float(np.mean(errors(runs))) for runs in found.values()]
    theirs = [METHODS[label].paper for label in found]
    _pairs(axes, list(found), ours, theirs, ("measured here", "the paper"))
    axes.set_yscale("log")
    axes.axhline(100 * ALL_BELOW, color="0.25", lw=1.0, ls=(0, (5, 3)))
    axes.set_ylabel("MAE, percentage points")
    tidy(axes, "")
    legend_below(figure, [axes])
    return figure


def draw_shares(found: dict[str, list[dict[str, Any]]]) -> Any:
    """Draw a panel per method: shares by the model and by the clock."""
    figure, panels = new_panels(-(-len(found) // 2), 2, size=(3.7, 2.5))
    for axes, (label, runs) in zip(panels, found.items(), strict=False):
        names = list(runs[0]["predicted"])
        model, clock = (
            [100.0 * mean_share(runs, side, name) for name in names]
            for side in ("predicted", "measured")
        )
        labels = "operations, by the model", "time, by the clock"
        _pairs(axes, names, model, clock, labels)
        tidy(axes, label)
        axes.set_ylabel("share, %")
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    legend_below(figure, panels[: len(found)])
    return figure


def _pairs(
    axes: Any,
    names: Sequence[str],
    first: Sequence[float],
    second: Sequence[float],
    labels: tuple[str, str],
) -> None:
    """Draw two bars side by side for every name."""
    places = np.arange(len(names))
    looks = (
        {"color": COLOURS[0]},
        {"color": "white", "edgecolor": COLOURS[1], "hatch": "////"},
    )
    for offset, heights, label, look in zip(
        (-0.2, 0.2), (first, second), labels, looks, strict=True
    ):
        axes.bar(places + offset, heights, 0.38, label=label, **look)
    axes.set_xticks(places, names, rotation=40, ha="right", fontsize="small")


# --- claims


def claims(
    found: dict[str, list[dict[str, Any]]], counts: dict[str, dict[str, float]]
) -> list[Claim]:
    """The paper's statements on its model and on what it saves."""
    by_method = {label: errors(runs) for label, runs in found.items()}
    return [*_error_claims(by_method), _largest_claim(found), _saved_claim(counts)]


def _error_claims(by_method: dict[str, list[float]]) -> list[Claim]:
    """All errors below 7 %, most of them below 2 %."""
    means = {label: float(np.mean(values)) for label, values in by_method.items()}
    worst = max(means, key=means.__getitem__, default="")
    small = [label for label, mean in means.items() if mean < MOST_BELOW]
    most = 2 * len(small) > len(means)
    rule = "of the mean absolute error over runs with different seeds."
    return [
        Claim(
            1085,
            "Shares of operations predict shares of time within 7 % for every method.",
            "0.03 to 6.89 %",
            f"up to {100 * means[worst]:.1f} % ({worst})" if worst else "-",
            all_of([judge(v, below=ALL_BELOW) for v in by_method.values()]),
            f"Decided by the interval {rule}",
        ),
        Claim(
            1085,
            "For most methods the error is below 2 %.",
            "4 of 7 methods",
            f"{len(small)} of {len(means)} methods",
            (HOLDS if most else FAILS) if means else OPEN,
            f"Holds if more than half of the methods are below, by means {rule}",
        ),
    ]


def _largest_claim(found: dict[str, list[dict[str, Any]]]) -> Claim:
    """Dominant components are identified."""
    right = [
        largest(runs, "predicted") == largest(runs, "measured")
        for runs in found.values()
    ]
    verdict = HOLDS if all(right) else FAILS
    return Claim(
        1102,
        "The dominant component of every method is correctly identified.",
        "7 of 7 methods",
        f"{sum(right)} of {len(right)} methods",
        verdict if right else OPEN,
        "Holds if the largest share is of the same component in model and clock.",
    )


def _saved_claim(counts: dict[str, dict[str, float]]) -> Claim:
    """Less computation than Bayesian optimization."""
    saved = [
        1.0 - found[OURS] / found[method]
        for found in counts.values()
        for method in BAYESIAN
        if method in found
    ]
    return Claim(
        556,
        "D&L computes 90 to 99 % less than Bayesian optimization.",
        "90-99 %",
        f"{said([100.0 * s for s in saved], '.1f')} %, {100 * min(saved):.0f} to "
        f"{100 * max(saved):.0f} %"
        if saved
        else "-",
        judge(saved, above=LEAST_SAVED),
        f"Decided by the saving of {OURS} with {PAPER_BUDGET:,} evaluations over each "
        "Bayesian method with 200, over all problems.",
    )


STUDY = Study("flops", "Operation counts and shares of time", 868, findings)
