"""Settings that several studies share, and what reports say of them."""

from __future__ import annotations

from collections.abc import Sequence

from divlearn.lab.bench import Case, Contender, Suite
from divlearn.methods.names import other_methods

#: The experts construct a solution every ten iterations, and the search goes on from
#: it: the text of the paper. Studies of experts need experts that do something.
AT_WORK = {"construct_every": 10}
EXPERTS_REMARK = (
    "The experts construct a solution every ten iterations, and the search goes on "
    "from it, as the text of the paper has it. By default `paper-ucb` and `paper-ts` "
    "do so only when a weight begins, with empty tables, and after `patience`: that "
    "finds better fronts, but experts hardly matter then."
)
#: Hypervolumes of the paper's main table, D&L and D&L-TS.
TABLE_ONE = {
    "bitsp-20": (0.585, 0.60),
    "bitsp-50": (0.530, 0.54),
    "bitsp-100": (0.40, 0.47),
    "bikp-50": (0.35, 0.347),
    "bikp-100": (0.338, 0.385),
    "bikp-200": (0.26, 0.30),
    "tritsp-20": (0.43, 0.42),
    "tritsp-50": (0.262, 0.282),
    "tritsp-100": (0.21, 0.234),
    "bicvrp-20": (0.45, 0.46),
    "bicvrp-50": (0.35, 0.37),
    "bicvrp-100": (0.253, 0.30),
}
#: Neighbours that 2-opt may look at.
TWO_OPT_BUDGET = 3_000_000
#: Weight vectors of the weighted sums, as the paper's text says.
SOLVER_WEIGHTS = 40


def specialised(label: str) -> Contender:
    """Weighted sums by LKH, or by 2-opt where LKH is not installed."""
    settings = {"num_weights": SOLVER_WEIGHTS}
    if other_methods()["ws-lkh"].installed:
        return Contender("ws-lkh", settings, label, budget=TWO_OPT_BUDGET)
    return Contender("ws-2opt", settings, label, budget=TWO_OPT_BUDGET)


def specialised_remark(label: str) -> str:
    """Say which solver stands behind a label."""
    if other_methods()["ws-lkh"].installed:
        return f"{label}: weighted sums solved by LKH, {SOLVER_WEIGHTS} weight vectors."
    return (
        f"{label}: LKH is not installed here (`pip install elkai`, for non-commercial "
        "use only), so weighted sums are solved by 2-opt from random tours, "
        f"{SOLVER_WEIGHTS} weight vectors."
    )


def scheduled(
    problem: str,
    methods: Sequence[Contender],
    instances: tuple[int, ...],
    num_seeds: int,
) -> Suite:
    """Runs of the paper's methods on a problem, to the end of their schedule."""
    return Suite(
        problem,
        "",
        (Case(problem),),
        tuple(methods),
        budget="schedule",
        instances=instances,
        seeds=tuple(range(num_seeds)),
        columns=("hypervolume", "front_size"),
    )


def numbers(short: bool, *, small: int, full: int, first: int = 100) -> tuple[int, ...]:
    """Numbers of instances, fewer in the short form.

    Examples
    --------
    >>> numbers(True, small=2, full=50)
    (100, 101)
    """
    return tuple(range(first, first + (small if short else full)))
