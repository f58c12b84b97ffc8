"""The text as written beside the presets: what moves, decoder and archive are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import Claim, judge, said
from divlearn.lab.paper.panels import COLOURS, MARKERS, legend_below, new_panels, tidy
from divlearn.lab.paper.settings import TABLE_ONE, numbers
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

LITERAL, BEST, FREE, ALL_MOVES = "literal", "one per weight", "free moves", "all moves"
KEEP, UCB, TS = "no restarts", "paper-ucb", "paper-ts"
FREE_MOVES = ("swap", "flip", "set", "step")
#: Each row with what it changes of the text as written.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    LITERAL: ("paper-literal", {}),
    BEST: ("paper-literal", {"archive": "best"}),
    FREE: ("paper-literal", {"refinement.moves": FREE_MOVES}),
    ALL_MOVES: ("paper-literal", {"refinement.moves": None}),
    KEEP: (
        "paper-literal",
        {"refinement.moves": None, "keep_better": True},
    ),
    UCB: ("paper-ucb", {}),
    TS: ("paper-ts", {}),
}
SHORT_PROBLEMS = ("bitsp-20", "bikp-50", "bicvrp-20")
#: How far below the paper a mean may be to count as reached.
NEAR = 0.02
GREEDY = "greedy routes"
REMARKS = (
    f"`{LITERAL}`: `paper-literal`, the text as written. `{BEST}`: its archive keeps "
    f"the best solution of each weight alone, as Algorithm 1 says. `{FREE}`: any two "
    f"cities are swapped, not only neighbours. `{ALL_MOVES}`: the moves of the "
    f"presets. `{KEEP}`: the same, a construction counts only if it is better. Runs "
    "end with their schedule.",
    f"Routes: `{GREEDY}` go on until the vehicle is full, as the paper's text implies; "
    "else the presets' decoder cuts a tour of all customers into routes.",
    "The paper has 200 other instances. With knapsacks instances differ by a standard "
    "deviation of about 0.08, so that a mean of ten is known to 0.03.",
)


def suites(short: bool) -> tuple[Suite, ...]:
    """All variants on the twelve problems, routes with both decoders."""
    problems = SHORT_PROBLEMS if short else tuple(TABLE_ONE)
    routes = [name for name in problems if name.startswith("bicvrp")]
    return (
        Suite(
            "literal",
            "",
            (
                *map(Case, problems),
                *(Case(n, {"decoder": "greedy"}, f"{n}, {GREEDY}") for n in routes),
            ),
            tuple(
                Contender(method, changes, label)
                for label, (method, changes) in VARIANTS.items()
            ),
            budget="schedule",
            instances=numbers(short, small=3, full=10),
            columns=("hypervolume", "front_size"),
            exact=False,
        ),
    )


def findings(evidence: Evidence) -> Findings:
    """Hypervolumes and sizes of fronts beside the paper's."""
    return Findings(
        tables=[
            table(evidence, "hypervolume", "HV"),
            table(evidence, "front_size", "Size of the front"),
        ],
        figures=[
            Figure(
                "literal",
                "Hypervolume minus that of D&L in the paper's main table, by problem.",
                lambda: draw(evidence),
            )
        ],
        claims=claims(evidence),
        remarks=REMARKS,
    )


def paper_of(problem: str) -> tuple[float, float]:
    """Hypervolumes of D&L and D&L-TS that the paper reports."""
    return TABLE_ONE[problem.partition(",")[0]]


def table(evidence: Evidence, measure: str, title: str) -> Table:
    """A row per problem, a column per variant."""
    rows = []
    for problem in evidence.report().problems:
        row: dict[str, Any] = {"problem": problem}
        if measure == "hypervolume":
            row["the paper's D&L"], row["the paper's D&L-TS"] = paper_of(problem)
        for label in VARIANTS:
            row[label] = spread_of(evidence.units(problem, label, measure)).mean
        rows.append(row)
    return Table(measure.replace("_", "-"), f"{title} of the variants", rows)


def draw(evidence: Evidence) -> Any:
    """A mark per variant and problem."""
    figure, (axes,) = new_panels(1, 1, size=(9.0, 4.0))
    problems = evidence.report().problems
    shown = [label for label in VARIANTS if label != BEST]
    for kind, label in enumerate(shown):
        heights = [
            spread_of(evidence.units(problem, label, "hypervolume")).mean
            - paper_of(problem)[0]
            for problem in problems
        ]
        places = np.arange(len(problems)) + 0.11 * (kind - (len(shown) - 1) / 2)
        axes.plot(
            places,
            heights,
            MARKERS[kind],
            color=COLOURS[kind],
            ms=5,
            label=label,
        )
    axes.axhline(0.0, color="0.3", lw=0.9)
    axes.set_xticks(range(len(problems)), problems, rotation=30, ha="right")
    axes.set_ylabel("HV minus the paper's")
    tidy(axes, "the paper's D&L is the line at 0")
    legend_below(figure, [axes])
    return figure


def from_paper(evidence: Evidence, label: str, column: int) -> Floats:
    """Mean hypervolume minus the paper's, by problem; routes as the text has them."""
    greedy = label not in (UCB, TS)
    found = []
    for problem in evidence.report().problems:
        if problem.startswith("bicvrp") and problem.endswith(GREEDY) != greedy:
            continue
        mean = spread_of(evidence.units(problem, label, "hypervolume")).mean
        found.append(mean - paper_of(problem)[column])
    return np.array(found)


def claims(evidence: Evidence) -> list[Claim]:
    """Whether the text, and the presets, reach the paper's table."""
    rule = (
        f"Differences of means, a problem one value: their mean is above {-NEAR}, that "
        "is, not clearly below the paper."
    )
    facts = (
        (LITERAL, 0, "The text as written reaches the hypervolumes of Table 1."),
        (FREE, 0, "With free moves the text reaches the hypervolumes of Table 1."),
        (UCB, 0, "`paper-ucb` reaches the hypervolumes of D&L in Table 1."),
        (TS, 1, "`paper-ts` reaches the hypervolumes of D&L-TS in Table 1."),
    )
    made = []
    for label, column, text in facts:
        apart = from_paper(evidence, label, column)
        verdict = judge(apart, above=-NEAR)
        made.append(Claim(494, text, "the table", said(apart, ".3f"), verdict, rule))
    return [*made, claim_on_archive(evidence)]


def claim_on_archive(evidence: Evidence) -> Claim:
    """One solution per weight cannot make the fronts of the paper."""
    sizes = np.concatenate(
        [
            evidence.units(problem, BEST, "front_size")
            for problem in evidence.report().problems
        ]
    )
    return Claim(
        315,
        "An archive of the best solution of each weight gives the fronts of Table 1.",
        "45 to 494 solutions",
        f"{said(sizes, '.1f')}, at most {sizes.max():.0f}" if len(sizes) else "-",
        judge(sizes, above=45.0),
        "Mean size of the front with one solution per weight is above 45.",
    )


STUDY = Study("literal", "The text as written, and the presets", 494, findings, suites)
