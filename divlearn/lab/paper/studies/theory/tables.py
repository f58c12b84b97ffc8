"""Tables of the study of the theory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from divlearn.lab.paper.studies.theory.measured import CLIPPED, Measured, curve, growth
from divlearn.lab.paper.study import Table
from divlearn.lab.theory.bounds import (
    Constants,
    bound_terms,
    clip_bias_bound,
    exp3_bound,
    first_useful,
    ftrl_bound,
    overlap_bound,
    ucb_bound,
)
from divlearn.lab.theory.dynamics import FIRST_OVERLAP
from divlearn.lab.theory.growth import Exponent, exponent
from divlearn.lab.theory.instances import ACTIONS, CHOICES, ORDERS
from divlearn.lab.theory.regrets import EXPERTS, METHODS, MOVES
from divlearn.lab.theory.sweeps import OVERLAP
from divlearn.methods.paper.experts import Learning

CONSTANTS = ("instance", "n", "d", "K", "Q", "rho", "|O|", "D", "B", "L")
PLANE = ("L of the plane", "C of the plane", "R_max", "R_max of shuffled rewards")


def all_tables(measured: Measured) -> list[Table]:
    """All tables in the order of the report."""
    return [
        constants_table(measured),
        additivity_table(measured),
        regret_table(measured),
        weights_table(measured),
        experts_table(measured),
        local_table(measured),
        coordination_table(measured),
        growth_table(measured),
        rates_table(measured),
        counts_table(measured),
        Table(
            "lemmas",
            "Lemma on overlaps (line 3196) at the sizes of the paper's own table",
            measured.lemmas,
        ),
        Table(
            "diameters",
            "Diameter of positions in Kendall's tau on bitsp-20 (lemma of line 3123)",
            measured.diameters,
            "A neighbourhood is a set of scattered positions.",
        ),
    ]


def constants_table(measured: Measured) -> Table:
    """L, C, B, R_max and the facts of the windows."""
    rows = [
        {name: row[name] for name in (*CONSTANTS, *PLANE)}
        for row in measured.assumptions
    ]
    return Table(
        "constants",
        "Constants of instances, with windows by the paper's table",
        rows,
        "B: range of random solutions in the units of the objective. All other "
        "constants are shares of B. L: greatest change per unit of distance. Plane: "
        "the lowest one, L delta + C |S & O|, above all sampled changes. R_max: "
        "greatest difference of mean rewards of two actions at a position, also where "
        "the rewards were shuffled, which is what chance alone gives.",
    )


def additivity_table(measured: Measured) -> Table:
    """A.5' per family."""
    rows = [
        {
            "instance": row["instance"],
            "by position and action": row["additive"],
            "control": row["control"],
            "by neighbours": row["adjacency"],
        }
        for row in measured.assumptions
    ]
    return Table(
        "additivity",
        "Share of the variance of the reward that sums of effects predict (A.5')",
        rows,
        "Fitted on random solutions, tested on new ones; below 0 the fit is worse than "
        "the mean. Control: rewards shuffled before fitting.",
    )


def constants_of(measured: Measured, name: str) -> Constants:
    """Constants of the bound on an instance."""
    row = measured.constants(name)
    return Constants(
        n=row["n"],
        K=row["K"],
        d=row["d"],
        Q=row["Q"],
        L=row["L"],
        R=row["R_max"],
        D=row["D"],
    )


def regret_table(measured: Measured) -> Table:
    """Exponents and the bound, per instance and method."""
    rows = []
    for name, part in measured.methods.items():
        constants = constants_of(measured, name)
        last = np.array([measured.sizes.iterations])
        terms = bound_terms(constants, last)
        for method in METHODS:
            runs = part["curves"][method]
            regret = float(curve(runs)[1][:, -1].mean())
            rows.append(
                {
                    "instance": name,
                    "method": method,
                    "exponent": str(growth(runs)),
                    "R_total": regret,
                    "R_avg": regret / part["K"],
                    "bound": float(terms["sum"][0]),
                    "of learning": float(terms["learning"][0]),
                    "of overlaps": float(terms["overlap"][0]),
                    "of refinement": float(terms["local"][0]),
                    "worst case": float(last[0]) / part["K"],
                    "T where the bound begins to say something": first_useful(
                        constants
                    ),
                }
            )
    return Table(
        "regret",
        f"Exact cumulative regret after T = {measured.sizes.iterations:,} iterations",
        rows,
        f"Regret of a round: share of the range of costs; {measured.sizes.seeds} "
        "seeds. Exponent of T on the last nine tenths, with its 95 % interval. R_avg = "
        "R_total / K. Open factors of the bound are 1. Worst case: T / K.",
    )


def weights_table(measured: Measured) -> Table:
    """Exponents under several weight vectors."""
    rows = [
        {
            "instance": name,
            "weight of objective 1": part["weight"],
            "exponent": str(growth(part)),
            "R_total": float(curve(part)[1][:, -1].mean()),
        }
        for name, parts in measured.weights.items()
        for part in parts
    ]
    return Table(
        "weights",
        "Exact cumulative regret of paper-ucb by weight vector, "
        f"T = {measured.sizes.iterations:,}",
        rows,
    )


def experts_table(measured: Measured) -> Table:
    """Single experts on the toys."""
    rows = []
    rounds = np.array([measured.sizes.rounds])
    for name, actions in ((CHOICES, ACTIONS), (ORDERS, 20)):
        bounds: Mapping[str, Any] = {
            "UCB": ucb_bound(20, actions, rounds),
            "EXP3": exp3_bound(20, actions, Learning().least_probability, rounds),
            "FTRL": ftrl_bound(20, actions, rounds),
            "entropic FTRL": ftrl_bound(20, actions, rounds),
        }
        for label in EXPERTS:
            runs = measured.experts[name][label]
            total = float(curve(runs)[1][:, -1].mean())
            rows.append(
                {
                    "instance": name,
                    "expert": label,
                    "exponent": str(growth(runs)),
                    "regret": total,
                    "per round": total / rounds[0],
                    "bound": float(bounds[label][0]) if label in bounds else None,
                }
            )
    return Table(
        "experts",
        f"One expert alone builds every solution, T = {rounds[0]:,}",
        rows,
        "No local search, no prices, one window. A bound above T says nothing.",
    )


def local_table(measured: Measured) -> Table:
    """Local search alone."""
    rows = []
    rounds = measured.sizes.rounds
    for name, part in measured.local.items():
        row = measured.constants(name)
        n = row["n"]
        reach = n if name == CHOICES else n * (n - 1) // 2
        for label in MOVES:
            runs = part[label]
            rows.append(
                {
                    "instance": name,
                    "moves": label,
                    "exponent": str(growth(runs)),
                    "regret": float(curve(runs)[1][:, -1].mean()),
                    "bound L D sqrt(d T)": row["L"] * reach * (n * rounds) ** 0.5,
                }
            )
    return Table(
        "local",
        f"Local search alone, one subproblem, T = {rounds:,} (lemma of line 2207)",
        rows,
    )


def coordination_table(measured: Measured) -> Table:
    """Violations, prices and disagreement."""
    rows = []
    for name, part in measured.coordination.items():
        values = {key: np.array(runs) for key, runs in part["values"].items()}
        half = len(part["rounds"]) // 2
        rows.append(
            {
                "instance": name,
                "exponent of violations": str(growth(part, "violation")),
                "exponent of the path of prices": str(growth(part, "path")),
                "highest price": float(values["price_max"][:, -1].mean()),
                "disagreement, first half": float(
                    values["disagreement"][:, :half].mean()
                ),
                "disagreement, at last": float(values["disagreement"][:, half:].mean()),
                "variance at last": float(values["overlap_variance"][:, -1].mean()),
                "c_0 needed": float(np.mean(part["needed"])),
                "c_0 times mean variance": float(np.mean(part["allowed"])),
                "rank correlation": float(np.mean(part["relation"])),
            }
        )
    return Table(
        "coordination",
        "Coordination over "
        f"{measured.sizes.iterations:,} iterations of paper-ucb, windows constant",
        rows,
        "c_0 needed: the least factor with disagreement <= c_0 variance in every "
        "iteration; times the mean variance above 1, the bound says nothing. Rank "
        "correlation: of disagreement and variance over iterations.",
    )


def growth_table(measured: Measured) -> Table:
    """Sums that the theory bounds, on the toy."""
    rounds, sums = np.array(measured.overlaps["rounds"]), measured.overlaps["sums"]
    rows = [
        _grown(
            f"overlaps o_t, o_0 = {FIRST_OVERLAP}, decay {decay}",
            exponent(rounds, np.array([values], np.float64)),
            values[-1],
            overlap_bound(FIRST_OVERLAP, float(decay), rounds)[-1],
        )
        for decay, values in sums.items()
    ]
    for rate, part in zip(CLIPPED, measured.clips, strict=True):
        bias = float(curve(part, "bias")[1][:, -1].mean())
        allowed = clip_bias_bound(20, ACTIONS, rate)
        what = f"bias of clipping, eta = {rate:g}"
        rows.append(_grown(what, growth(part, "bias"), bias, allowed))
    rows.append(_grown("dual gap", *_dual(measured)))
    return Table(
        "growth",
        "Sums over time on the toy of choices, beside their bounds with factors 1",
        rows,
        f"Overlaps and bias: T = {measured.sizes.rounds:,}; dual gap: T = "
        f"{measured.sizes.dual:,}, against n lambda_max sqrt(T). Bias: EXP3 alone, "
        "against 2 n B log(A) / eta; the paper's 0.5, divided by n, is 0.025.",
    )


def _dual(measured: Measured) -> tuple[Exponent, float, float]:
    """Exponent, sum and bound of the dual gap; no violation exceeds 1."""
    last = float(curve(measured.dual)[1][:, -1].mean())
    return growth(measured.dual), last, 20 * 10.0 * measured.sizes.dual**0.5


def _grown(what: str, grown: Exponent, value: float, bound: float) -> dict[str, Any]:
    """A row of sums that grow."""
    return {
        "sum of": what,
        "exponent": str(grown),
        "at T": float(value),
        "bound": float(bound),
    }


def rates_table(measured: Measured) -> Table:
    """Learning rates of EXP3."""
    rates = measured.rates
    rows = [
        {
            "eta": f"{rate:.3g}" + (" (theory)" if rate == rates["theory"] else ""),
            "mean regret": float(np.mean(runs)),
            "deviation": float(np.std(runs, ddof=1)),
        }
        for rate, runs in zip(rates["rates"], rates["regret"], strict=True)
    ]
    return Table(
        "rates",
        f"Learning rate of EXP3 alone on the toy of choices, "
        f"T = {measured.sizes.rounds:,}",
        rows,
        "Theory: eta = sqrt(2 C^2 log A / (T B^2)), line 2827. The paper's 0.5, "
        "divided by n, is 0.025.",
    )


def counts_table(measured: Measured) -> Table:
    """Numbers of windows."""
    rows = []
    for name, part in measured.counts.items():
        for count, runs in zip(part["counts"], part["regret"], strict=True):
            rows.append(
                {
                    "instance": name,
                    "K": count,
                    "mean regret": float(np.mean(runs)),
                    "deviation": float(np.std(runs, ddof=1)),
                    "K*": part["K*"],
                    "K* with R_max = 1": part["K* with R_max = 1"],
                }
            )
    return Table(
        "counts",
        f"Number of windows, {measured.sizes.evaluations:,} evaluations of paper-ucb",
        rows,
        f"Overlap {OVERLAP} throughout, no neighbourhoods. K* = sqrt(n / (Q R_max)) "
        "with the measured R_max.",
    )
