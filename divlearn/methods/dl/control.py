"""The record of options that a search by differences begins with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from divlearn.basics.typing import Records
from divlearn.kernels.records import new_records
from divlearn.methods.dl.checking import DECLARED, DUE
from divlearn.methods.dl.kernels.state import CONTROL, SHORTEST
from divlearn.methods.dl.method import DL
from divlearn.methods.dl.rules import longest_permutation
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION

#: More evaluations than any search makes.
NEVER = 2**62
#: More differences than any search sees, and a count that a state file may hold.
NO_FIT = 2**40
#: Items of a permutation above which tables are sparse, since whatever goes through all
#: pairs takes too long, and differences per item that are enough for a fit then.
LONG, MOST_PER_ITEM = 900, 12


def new_control(given: DL, problem: Problem, searched: int) -> Records:
    """The record of options, with the cursor at zero."""
    first, layout = longest_permutation(problem)[0], problem.space.layout
    fields: dict[str, Any] = {
        "num_initial": given.initial,
        "replays": given.replays,
        "kicks": given.kicks,
        "use_geometry": given.geometry and searched > 3,
        "use_uncertainty": given.uncertainty,
        # Plans know limits of subsets, but no other rules.
        "use_plans": given.plans and given.tables and not len(layout.rules),
        "use_gaps": given.gaps,
        # Without permutations models know what a change is worth, or that nothing is.
        "use_plateaus": given.plateaus and searched >= SHORTEST,
        "use_blocks": _moves_blocks(given, problem),
        "blind_share": given.blind_share,
        "window": given.window,
        "first": first,
        "exploration": given.exploration,
        "exploring_moves": given.exploring_moves,
        "gp_candidates": given.gp_candidates,
        "position_samples": given.position_samples,
        "next_sums": given.position_samples or NO_FIT,
        "least_violation": np.inf,
        "fitted": 1.0,
        "stride": 1.0,
        "next_fit": _first_fit(given, searched),
        "next_log": given.initial,
        "num_questions": given.questions,
        "broad": bool(given.broad),
        "final_from": NEVER if given.final_from is None else given.final_from,
        "check_from": NEVER if given.check_from is None else given.check_from,
        "checked": DECLARED if given.check_from is None else DUE,
    }
    control = new_records(1, CONTROL)
    for name, value in fields.items():
        control[name][0] = value
    return control


def _moves_blocks(given: DL, problem: Problem) -> bool:
    """Whether insertions move blocks of items, whatever is learned.

    Where rules say what stands before what, as between the steps of a job, a block that
    is moved is settled into one that is torn apart.
    """
    if given.moves is not None or not given.tables:
        return True
    orders = [s for s in problem.space.segments() if s.kind == PERMUTATION]
    longest = max(orders, key=lambda order: len(order.levels), default=None)
    return longest is None or not longest.rules


def _first_fit(given: DL, size: int) -> int:
    """Evaluations before points are fitted: beyond 100 items more of them per item.

    With five per item fits of 400 items fail, and failing takes longest. Beside the
    Gaussian process they are tried as soon as there are enough differences.
    """
    assert given.exploration is not None
    if given.gp_candidates:
        return 0
    wait = given.exploration * max(1.0, 1.0 + 0.5 * math.log2(max(1, size) / 100))
    return min(int(wait), MOST_PER_ITEM * size) if size > LONG else int(wait)
