"""Noise that nobody declared: one solution is measured twice.

Where a problem does not say whether it has noise, one of the first candidates is a
member of the front once more. If its values are the same, nothing follows, and the
search goes on as if it had not been asked. If they differ, the problem counts as one
that is declared noisy from then on.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import NUM_SLOTS
from divlearn.kernels.records import new_records
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.arms.bandit import LINKAGE, REPEAT
from divlearn.methods.dl.kernels.models.linkage import GIVEN_UP
from divlearn.methods.dl.kernels.state import CONTENDER, DifferenceState, Repeats
from divlearn.methods.dl.method import DL
from divlearn.problems import Problem

#: What is known of the noise: what the problem says, or that a solution is yet to be
#: measured again, is under way, gave the same values, gave others.
DECLARED, DUE, UNDER_WAY, AGREED, DIFFERED = range(5)
#: Candidates after which one is measured again: a tenth of the budget, at most so many.
AFTER = 20
#: Candidates of a noisy problem that are measured again at the same time.
NUM_CONTENDERS = 128
#: Values that differ by less than this share are the same; rounding is no noise.
ROUNDING = 1e-9
#: What users are told.
NOTICE = (
    "noise: a solution that was evaluated twice has different values. From now on "
    "solutions are measured again and compared by their means; declare noise=True to "
    "have that from the start, noise=False if the values are to be taken as they are."
)


def may_be_noisy(given: DL, problem: Problem) -> bool:
    """Whether solutions are measured again, or may be if noise is found."""
    return given.repeats and bool(problem.noise or given.check_from is not None)


def new_repeats(noisy: bool, n: int, m: int, p: int) -> Repeats:
    """No measurements yet; nothing at all where a problem is declared exact."""
    slots, contenders = (NUM_SLOTS, NUM_CONTENDERS) if noisy else (0, 0)
    return Repeats(
        counts=np.zeros(slots, np.int64),
        asked=np.zeros(slots, np.int64),
        contenders=new_records(contenders, CONTENDER),
        solutions=np.zeros((contenders, n), np.int64),
        outputs=np.zeros((contenders, p)),
        tickets=np.zeros((contenders, 2), np.int64),
        squares=np.zeros(p),
        again=np.zeros(n if noisy else 0, np.int64),
        first=np.zeros(p if noisy else 0),
        margin=np.zeros(m),
    )


def is_open(state: DifferenceState) -> bool:
    """Whether it is yet to be found out if there is noise."""
    return int(state.control[0].checked) in (DUE, UNDER_WAY)


def is_noisy(state: DifferenceState) -> bool:
    """Whether solutions are measured again: noise was declared or found."""
    checked = int(state.control[0].checked)
    return bool(len(state.repeats.contenders)) and checked in (DECLARED, DIFFERED)


def ask_again(state: DifferenceState, x: Codes, ticket: Integers) -> bool:
    """Write the solution that is to be measured again; False if it is not time."""
    control, repeats = state.control[0], state.repeats
    if control.checked != DUE or control.proposed < control.check_from:
        return False
    if not np.isfinite(control.least_violation):  # nothing has an answer yet
        return False
    if control.archive_size > 0:
        slot = int(state.archive.order[0])
        repeats.again[:] = state.archive.solutions[slot]
        tame(state.archive.outputs[slot], repeats.first)
    else:
        slot = -1
        repeats.again[:] = state.least_violating
        repeats.first[:] = state.least_outputs
    x[:] = repeats.again
    ticket[0], ticket[1] = REPEAT, -1 - slot
    control.checked = UNDER_WAY
    return True


def compare(state: DifferenceState, codes: Codes, outputs: Floats) -> None:
    """Compare the second measurement, in the user's senses, with the first one."""
    second = outputs.copy()
    second[: len(state.objectives)] *= state.objectives.sign
    tame(second, second)
    first, control = state.repeats.first, state.control[0]
    # A repair may have made another solution of it, which tells nothing.
    same = not np.array_equal(codes, state.repeats.again)
    same = same or np.allclose(first, second, ROUNDING, 0.0)
    control.checked = AGREED if same else DIFFERED
    if same:
        state.arms[REPEAT].tries += 1
        return
    # All that was measured was measured once; what takes values at their word ends.
    state.repeats.counts[:] = state.repeats.asked[:] = 1
    state.clauses.control[0].on = 0
    state.linkage.record[0].stage = GIVEN_UP
    state.arms[LINKAGE].on = 0
