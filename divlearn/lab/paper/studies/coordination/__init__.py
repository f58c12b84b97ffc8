"""Lagrangian coordination on instances whose objectives conflict at borders."""

from __future__ import annotations

from divlearn.lab.paper.claims import said
from divlearn.lab.paper.settings import EXPERTS_REMARK
from divlearn.lab.paper.studies.coordination.claims import claims
from divlearn.lab.paper.studies.coordination.figures import (
    draw_dynamics,
    draw_overlaps,
    draw_rewards,
)
from divlearn.lab.paper.studies.coordination.runs import (
    LARGE,
    OVERLAP,
    PROBLEMS,
    WITH,
    WITHOUT,
    Runs,
    overlaps_of,
    suites,
)
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

REMARKS = (
    EXPERTS_REMARK,
    "As in the paper: tours through five regions with conflicts of strength 4 at their "
    "borders (`conflicttsp-N`), subproblems of 10 positions that overlap by 4, 400 "
    "iterations under one weight vector, the same beginnings with and without prices. "
    "The paper has 10 seeds; here they are 10 seeds on each of 5 instances.",
    "The reward is minus the mean of both lengths, which needs no normalisation. "
    "Lengths of these instances are of another unit than the paper's, which does not "
    "say how its distances are made; signs and ratios can be compared. Deviations are "
    "those over the seeds of an instance, averaged over instances.",
    "Large prices are those of `coordination.acceleration=averaged`, which is no "
    "formula of the paper; they show what coordination does when prices are not tiny. "
    "With the paper's formula prices stay as small as the paper reports them, "
    "about 1e-5: the reward changes in its sixth digit, and with it hardly ever a "
    "choice.",
    "Disagreement: two subproblems that choose independently from the tables that they "
    "share choose different actions, the mean over shared positions.",
)


def findings(evidence: Evidence) -> Findings:
    """Rewards with and without prices, and what happens on the way."""
    runs = {problem: Runs(evidence, problem) for problem in PROBLEMS}
    return Findings(
        tables=[reward_table(runs), overlap_table(runs, evidence.short)],
        figures=[
            Figure(
                "rewards",
                "Best reward: mean and deviation, every seed of the first instance, "
                "variance of values on overlaps, and dual prices; 20 cities above, 50 "
                "below.",
                lambda: draw_rewards(runs),
            ),
            Figure(
                "overlaps",
                "Best reward by the size of the overlap, and what prices gain; 20 "
                "cities left, 50 right.",
                lambda: draw_overlaps(runs, overlaps_of(evidence.short)),
            ),
            Figure(
                "dynamics",
                "Variance of values on overlaps, disagreement, and the best reward of "
                "every ten iterations, from one construction to the next; bands are "
                "deviations over seeds.",
                lambda: draw_dynamics(runs),
            ),
        ],
        claims=claims(runs, overlaps_of(evidence.short)),
        remarks=REMARKS,
    )


def reward_table(runs: dict[str, Runs]) -> Table:
    """Rewards at the paper's overlap."""
    rows = []
    for problem, of in runs.items():
        for name in (WITHOUT, WITH, LARGE):
            rows.append(
                {
                    "problem": problem,
                    "prices": name,
                    "best reward": float(of.rewards(name, OVERLAP, "mean").mean()),
                    "deviation": float(of.rewards(name, OVERLAP, "deviation").mean()),
                    "worst seed": float(of.rewards(name, OVERLAP, "least").mean()),
                    "gain (95 % interval)": said(of.gains(OVERLAP, name)),
                    "wins, %": 100 * float(of.wins(name).mean()),
                    "mean price at the end": of.last_price(name),
                }
            )
    return Table("rewards", f"Best rewards, overlap {OVERLAP}", rows)


def overlap_table(runs: dict[str, Runs], short: bool) -> Table:
    """What prices gain at each overlap."""
    rows = [
        {
            "problem": problem,
            "overlap": overlap,
            "without prices": float(of.rewards(WITHOUT, overlap, "mean").mean()),
            "with prices": float(of.rewards(WITH, overlap, "mean").mean()),
            "gain (95 % interval)": said(of.gains(overlap)),
        }
        for problem, of in runs.items()
        for overlap in overlaps_of(short)
    ]
    return Table("overlaps", "Gain of prices by overlap", rows)


STUDY = Study("coordination", "Lagrangian coordination", 1709, findings, suites)
