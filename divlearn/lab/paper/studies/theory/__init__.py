"""The theory beside measurement: constants, exact regret, bounds, assumptions."""

from __future__ import annotations

from divlearn.lab.paper.studies.theory.claims import all_claims
from divlearn.lab.paper.studies.theory.figures import all_figures
from divlearn.lab.paper.studies.theory.measured import measure
from divlearn.lab.paper.studies.theory.tables import all_tables
from divlearn.lab.paper.study import Evidence, Findings, Study

REMARKS = (
    "Regret is exact: the optimum of each instance is known, by its formula for the "
    "toys, by dynamic programming for the knapsack, and by an integer program for the "
    "tour. All objectives have the same weight unless a table says otherwise. "
    "`additive-choices-20` is made so that all assumptions hold; of "
    "`additive-orders-20` the reward is a sum too, but positions are not free.",
    "x_t is the solution at which iteration t ends: the incumbent of the weight. "
    "`paper-ucb, building` builds a new one in every iteration; by default the experts "
    "build only at the beginning and after `patience`.",
    "L, C and R_max are the largest values of random samples, so the true ones are at "
    "least as large, and so are the bounds.",
)


def findings(evidence: Evidence) -> Findings:
    """Measure, and say what it shows."""
    measured = measure(evidence)
    return Findings(
        tables=all_tables(measured),
        figures=all_figures(measured),
        claims=all_claims(measured),
        remarks=REMARKS,
    )


STUDY = Study("theory", "The theory beside measurement", 1865, findings)
