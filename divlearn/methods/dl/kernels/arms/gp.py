"""Small budgets: the Gaussian process proposes as long as evaluations are few.

Where something is permuted, it shares the candidates with the step of the tables: few
go to these at first, among them those before which points behind a tour are fitted, and
most once the tables are known to predict well. Once such points are found, all do.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.answers import adopt
from divlearn.methods.dl.kernels.arms.bandit import GP, TABLES
from divlearn.methods.dl.kernels.arms.tables import fit_is_due
from divlearn.methods.dl.kernels.models.additive import chosen_quality
from divlearn.methods.dl.kernels.models.gp.orders import AT, write_orders
from divlearn.methods.dl.kernels.models.gp.points import take_point
from divlearn.methods.dl.kernels.models.gp.proposal import propose_gp
from divlearn.methods.dl.kernels.models.pairing.model import IN_USE
from divlearn.methods.dl.kernels.models.pairing.probe import asks_for_solution
from divlearn.methods.dl.kernels.state import DifferenceState

#: Tables that leave less than this unexplained make most candidates.
WELL_KNOWN = 0.05
#: Share of the candidates that the tables make until then, and from then on.
SHARE_OF_TABLES, SHARE_OF_GOOD_TABLES = 0.03, 0.9


def is_small(state: DifferenceState) -> bool:
    """Whether the Gaussian process makes the next candidate."""
    control = state.control[0]
    return bool(control.proposed < control.gp_candidates)


def propose_small(state: DifferenceState, x: Codes, ticket: Integers) -> bool:
    """Let the Gaussian process propose; False if the step is to do so.

    That is where nothing unseen is found, or where tables of orders are next.
    """
    control = state.control[0]
    if len(state.gp.blocks) and tables_are_next(state):
        return False
    if not propose_gp(state.gp, state.layout, state.seen, state.rng, x):
        return False
    control.proposed += 1
    control.num_seen += 1
    ticket[0], ticket[1] = GP, control.last_sample
    if len(state.gp.blocks) and control.archive_size > 0:
        ticket[1] = adopt_nearest(state, x)
    return True


@lean_kernel
def adopt_nearest(state: DifferenceState, x: Codes) -> int:
    """Take the member most like ``x`` for its parent, and return that one's number.

    Tables learn more from a difference that few actions make.
    """
    gp, archive, nearest, most = state.gp, state.archive, 0, -1
    write_orders(state.layout, gp.blocks, x, gp.own_stands, gp.own_follows)
    for k in range(state.control[0].archive_size):
        slot = archive.order[k]
        common = _common(state, archive.solutions[slot], x)
        if common > most:
            most, nearest = common, slot
    return int(adopt(state, nearest))


@lean_kernel
def _common(state: DifferenceState, member: Codes, x: Codes) -> int:
    """Positions or neighbours in common, whichever are more."""
    same, beside, gp = 0, 0, state.gp
    for i in range(x.shape[0]):
        same += int(member[i] == x[i])
    for b in range(gp.blocks.shape[0]):
        block = gp.blocks[b]
        if block.kind != AT:
            continue
        start, n = state.layout.segments[block.segment].start, block.length
        first = block.first
        for i in range(n):
            a, c = member[start + i], member[start + (i + 1) % n]
            follows = gp.own_follows[first + a] == c or gp.own_follows[first + c] == a
            beside += int(follows)
    return max(same, beside)


@lean_kernel
def tables_are_next(state: DifferenceState) -> bool:
    """Whether the tables of orders make the next candidate, by how well they predict.

    What they predict is judged one step ahead, which may be luck, or on differences
    that were held out, which is not: then there is no need for the process any more.
    """
    control, m = state.control[0], state.objectives.shape[0]
    if control.proposed < control.num_initial or state.arms[TABLES].on == 0:
        return False
    if _pairing_is_next(state) or fit_is_due(state):
        return True
    if control.fitted < WELL_KNOWN:
        return True
    good = chosen_quality(state.tables, m) < WELL_KNOWN
    share = SHARE_OF_GOOD_TABLES if good else SHARE_OF_TABLES
    return bool(uniform(state.rng) < share)


@lean_kernel
def _pairing_is_next(state: DifferenceState) -> bool:
    """Whether the model of pairs has something to ask for, or is in use."""
    return asks_for_solution(state) or state.pairing.record[0].phase == IN_USE


def take_answer(state: DifferenceState, x: Codes, answer: Floats) -> None:
    """Show an answer to the Gaussian process, objectives minimised, all tamed."""
    y = answer.copy()
    y[: len(state.objectives)] *= state.objectives.sign
    tame(y, y)
    take_point(state.gp, x, y)
