"""Arms: the ways to make a candidate, and which of them makes the next one.

Every arm is declared here once. A bandit shares the candidates among them by what each
gained of late: ``share_of`` is its rule, ``credit`` tells it what came of a candidate,
and an arm that finds nothing rests for longer and longer (``rest``). An arm itself is a
file of this folder, which writes a candidate and says what it was made from.
"""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Integers, Records
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import adopt, adopt_least_violating
from divlearn.methods.dl.kernels.arms.archive import refine_member, search_archive
from divlearn.methods.dl.kernels.arms.explore import explore_change, pays_to_explore
from divlearn.methods.dl.kernels.arms.tables import (
    follow_plan,
    mend,
    refresh_tables,
    search_tables,
    search_values,
)
from divlearn.methods.dl.kernels.arms.walk import step_from, step_or_cross, walk
from divlearn.methods.dl.kernels.asking import explore_border, is_repaired
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.models.additive import chosen_quality
from divlearn.methods.dl.kernels.models.hidden import is_trusted
from divlearn.methods.dl.kernels.models.positions import wants_position_sample
from divlearn.methods.dl.kernels.parts import (
    NO_PART,
    PROPOSE_LINKED,
    PROPOSE_MODELLED,
    PROPOSE_PLANNED,
    call_part,
)
from divlearn.methods.dl.kernels.search.hidden import propose_good
from divlearn.methods.dl.kernels.search.planned_orders import write_position_sample
from divlearn.methods.dl.kernels.search.planning import is_planning
from divlearn.methods.dl.kernels.search.rows import are_many
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.weights import draw_weights


class Arm(NamedTuple):
    """A way to make a candidate."""

    name: str  # in results
    switch: str  # setting that turns it off; "" for none


ARMS = (
    Arm("sample", ""),  # a random solution
    Arm("walk", ""),  # a small step that does not look at what was learned
    Arm("explore", ""),  # a step to where least is known
    Arm("tables", "tables"),  # search inside the tables
    Arm("archive", "archive"),  # neighbours of members of the archive
    Arm("gp", ""),  # the Gaussian process, while evaluations are few
    Arm("added", ""),  # a solution from elsewhere
    Arm("pairing", "pairing"),  # search inside the model of pairs
    Arm("repeat", "repeats"),  # a solution that is measured again
    Arm("linkage", "linkage"),  # groups of positions are found, and changed as a whole
    Arm("routes", ""),  # search inside the model of routes
)
SAMPLE, WALK, EXPLORE, TABLES, ARCHIVE, GP, ADDED, PAIRING, REPEAT, LINKAGE, ROUTES = (
    range(len(ARMS))
)

#: Candidates of an arm before its gain is compared with that of others.
NUM_TRIALS = 20
#: Weight of the latest gain in the running mean of an arm, and of all that entered.
RECENT, USUAL = 0.03, 0.05
#: Least share of an arm, by that of the best: nobody is given up for good, since gains
#: change as the front fills.
LEAST_SHARE = 0.1
#: The same of blind steps: with permutations tables are good at once, without them
#: tables go on learning from such steps.
LEAST_BLIND, LEAST_BLIND_CHOICE = 0.02, 0.3
#: Tables that leave less than this unexplained need no more exploration.
UNDERSTOOD = 0.3
#: Share of exploring steps at first, and then until so many times as many evaluations.
EXPLORED_FIRST, EXPLORED_LATER, EXPLORED_UNTIL = 0.8, 0.2, 4
#: A member that is new in the archive is looked at soon.
SOON = 8
#: First pause of an arm that found nothing, and the longest one.
FIRST_WAIT, LONGEST_WAIT = 8, 64
#: The same without permutations, where models change faster.
FIRST_WAIT_CHOICE, LONGEST_WAIT_CHOICE = 1, 256
#: Candidates in a row that did not enter for each candidate of pause of an arm that
#: gives way, and the longest pause then.
PATIENCE, LONGEST_AWAY = 8, 256


# --- the bandit


@lean_kernel
def is_resting(arms: Records, arm: int) -> bool:
    """Whether an arm is switched off or found nothing just now."""
    return bool(arms[arm].on == 0 or arms[arm].pause > 0)


@lean_kernel
def share_of(arms: Records, arm: int, best: float, least: float) -> float:
    """Share of an arm: its recent gain, but at least ``least`` of the ``best`` one."""
    if is_resting(arms, arm):
        return 0.0
    return float(max(arms[arm].recent, least * best)) if best > 0.0 else 1.0


@lean_kernel
def draw_by_gain(
    arms: Records, u: float, trials: int, least_blind: float, resting_count: bool
) -> int:
    """Share candidates among tables, archive and blind steps by recent gain.

    Parameters
    ----------
    arms
        What each arm brought.
    u
        Random number from [0, 1).
    trials
        Candidates of tables and archive before gains are compared.
    least_blind
        Least share of blind steps, by that of the best.
    resting_count
        Whether the best one may be an arm that rests.
    """
    best = float(arms[WALK].recent)
    for arm in (TABLES, ARCHIVE):
        rests = is_resting(arms, arm)
        if not rests and arms[arm].tries < trials:
            return arm
        if resting_count or not rests:
            best = max(best, arms[arm].recent)
    tables = share_of(arms, TABLES, best, LEAST_SHARE)
    archive = share_of(arms, ARCHIVE, best, LEAST_SHARE)
    u *= tables + archive + share_of(arms, WALK, best, least_blind)
    if u < tables:
        return TABLES
    return ARCHIVE if u < tables + archive else WALK


@lean_kernel
def model_is_next(state: DifferenceState, model: int) -> bool:
    """Whether the next candidate comes from the arm of a model of whole solutions.

    That is one of pairs or of routes; it shares candidates by its recent gain.
    """
    arms, others = state.arms, 0.0
    if is_resting(arms, model) or uniform(state.rng) < state.control[0].blind_share:
        return False
    for arm in range(arms.shape[0]):
        if arm not in (model, SAMPLE, ADDED):
            others += arms[arm].recent
    if arms[model].tries < NUM_TRIALS or max(arms[model].recent, others) <= 0.0:
        return True
    mine = share_of(arms, model, others, LEAST_SHARE)
    return bool(uniform(state.rng) * (mine + others) < mine)


@lean_kernel
def credit(state: DifferenceState, arm: int, gained: float) -> None:
    """Remember what a candidate brought; ``gained`` is negative if it did not enter."""
    arms, worth = state.arms, 0.0
    record = arms[arm]
    record.tries += 1
    record.idle += 1
    if gained >= 0.0:
        record.idle = 0
        worth = in_usual_gains(state, gained)
        record.entered += 1
        record.gain += worth
        state.control[0].last_entered = state.control[0].observed
        arms[ARCHIVE].pause = min(arms[ARCHIVE].pause, SOON)
    rate = max(RECENT, 1.0 / record.tries)
    record.recent += rate * (worth - record.recent)


@lean_kernel
def in_usual_gains(state: DifferenceState, gained: float) -> float:
    """A gain in units of what entering the archive gains of late, this time included.

    Gains shrink by orders of magnitude as the front fills. In such units an early one
    does not count for more than a late one, and none for more than ``1 / USUAL``.
    """
    control, entered = state.control[0], 0
    for arm in range(state.arms.shape[0]):
        entered += state.arms[arm].entered
    rate = max(USUAL, 1.0 / (1 + entered))
    control.usual_gain += rate * (gained - control.usual_gain)
    return float(gained / control.usual_gain) if control.usual_gain > 0.0 else 0.0


@lean_kernel
def rest(arms: Records, arm: int, found: bool, first: int, longest: int) -> None:
    """Let an arm that ``found`` nothing rest, twice as long plus ``first``."""
    wait = 0 if found else min(longest, 2 * arms[arm].wait + first)
    arms[arm].pause = arms[arm].wait = wait


@lean_kernel
def give_way(arms: Records, arm: int) -> None:
    """Let an arm rest the longer, the more candidates in a row did not enter.

    That is no matter of scale: nothing is compared but numbers of candidates. An arm
    goes on being tried now and then, and no longer rests once one of its own enters.
    """
    wait = min(LONGEST_AWAY, arms[arm].idle // PATIENCE)
    arms[arm].pause = max(arms[arm].pause, wait)


@lean_kernel
def _pass_time(arms: Records) -> None:
    """Shorten all pauses by one candidate, except those of models of orders."""
    arms[TABLES].pause -= 1
    arms[ARCHIVE].pause -= 1
    arms[LINKAGE].pause -= 1


# --- the next candidate on a space with permutations


@lean_kernel
def propose_sequence(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    if state.parts[PROPOSE_MODELLED] != NO_PART:
        call_part(state.parts[PROPOSE_MODELLED], state, x, ticket)
        if ticket[0] >= 0:
            return
    arms, slot, blind_share = state.arms, -1, state.control[0].blind_share
    _pass_time(arms)
    refresh_tables(state)
    if state.parts[PROPOSE_PLANNED] != NO_PART:
        call_part(state.parts[PROPOSE_PLANNED], state, x, ticket)
        if ticket[0] >= 0:
            return
    q = min(state.control[0].fitted, chosen_quality(state.tables, state.low.shape[0]))
    arm = choose_arm(state, q)
    if arm == TABLES:
        slot = search_tables(state, x)
        rest(arms, TABLES, slot >= 0, FIRST_WAIT, LONGEST_WAIT)
        if slot < 0:
            arm = ARCHIVE
    if arm == ARCHIVE and slot < 0 and arms[ARCHIVE].pause <= 0:
        slot = search_archive(state, x)
        rest(arms, ARCHIVE, slot >= 0, FIRST_WAIT, LONGEST_WAIT)
    if slot >= 0:
        ticket[0], ticket[1] = arm, adopt(state, slot)
    elif wants_position_sample(state) and uniform(state.rng) >= blind_share:
        write_position_sample(state, x)
        ticket[0], ticket[1] = SAMPLE, state.control[0].last_sample
    else:  # steps without tables never fail
        ticket[0] = EXPLORE if arm == EXPLORE else WALK
        ticket[1] = walk(state, x, arm == EXPLORE)


@lean_kernel
def choose_arm(state: DifferenceState, q: float) -> int:
    """Draw the next arm.

    Exploring and blind steps first, then whatever gained most of late.

    Parameters
    ----------
    state
        State of the search.
    q
        Worst share of an objective's differences that the tables leave unexplained.
    """
    control, rng = state.control[0], state.rng
    if uniform(rng) < control.blind_share or state.arms[TABLES].on == 0:
        return WALK
    if q > UNDERSTOOD:
        first = control.observed < control.exploration
        share = EXPLORED_FIRST if first else EXPLORED_LATER
        early = control.observed < EXPLORED_UNTIL * control.exploration
        if early and uniform(rng) < share:
            return EXPLORE
    return draw_by_gain(state.arms, uniform(rng), NUM_TRIALS, LEAST_BLIND, False)


# --- the next candidate on a space without permutations


@lean_kernel
def propose_choice(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket.

    Unknown actions are tried first; exact tables plan the whole front; otherwise arms
    share the candidates by what they gained.
    """
    arms, found = state.arms, -1
    _pass_time(arms)
    explore_border(state)
    if state.control[0].archive_size == 0:
        _seek_feasible(state, x, ticket)
        return
    if state.parts[PROPOSE_LINKED] != NO_PART and not _is_planning(state):
        call_part(state.parts[PROPOSE_LINKED], state, x, ticket)
        if ticket[0] >= 0:
            return
    arm, slot = _choose_choice(state)
    source = state.archive.solutions[slot]
    exploring = arms[TABLES].on == 1 and pays_to_explore(state)
    if exploring and explore_change(state, source, x):
        arm, found = EXPLORE, slot
    elif _knows_limits(state) and follow_plan(state, x):
        arm, found = TABLES, slot
    elif arm == TABLES:
        found = search_values(state, slot, x)
        rest(arms, TABLES, found >= 0, FIRST_WAIT_CHOICE, LONGEST_WAIT_CHOICE)
    elif arm == ARCHIVE:
        found = refine_member(state, slot, x)
        rest(arms, ARCHIVE, found >= 0, FIRST_WAIT_CHOICE, LONGEST_WAIT_CHOICE)
    if found < 0:
        arm, found = WALK, slot
        step_or_cross(state, slot, x)
    ticket[0], ticket[1] = arm, adopt(state, found)


@lean_kernel
def _choose_choice(state: DifferenceState) -> tuple[int, int]:
    """Draw the next arm, and the member of the archive that it begins with."""
    control, arms, rng = state.control[0], state.arms, state.rng
    size = control.archive_size
    if _is_planning(state):
        # The plan knows better than any search; what is left are blind steps.
        if state.low.shape[0] != 2:
            draw_weights(state, OF_TABLES)
        return WALK, int(state.archive.order[below(rng, size)])
    draw_weights(state, OF_TABLES)
    slot = best_member(state.archive, size, state.weights[OF_TABLES])
    if arms[TABLES].on == 0 or uniform(rng) < control.blind_share:
        return WALK, int(slot)
    return draw_by_gain(arms, uniform(rng), 0, LEAST_BLIND_CHOICE, True), int(slot)


@lean_kernel
def _is_planning(state: DifferenceState) -> bool:
    """Whether the front is planned, inside limits that are known."""
    planned = state.control[0].use_plans == 1
    planned = planned and is_planning(state.plan, state.values)
    return bool(planned) and _knows_limits(state)


@lean_kernel
def _knows_limits(state: DifferenceState) -> bool:
    """Whether nothing is repaired, or it is known what would be."""
    return not is_repaired(state) or is_trusted(state.hidden)


@lean_kernel
def _seek_feasible(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Start from the solution of least violation, by what is known or unknown."""
    source = state.least_violating
    ticket[1] = adopt_least_violating(state)
    if state.arms[TABLES].on == 1:
        ticket[0] = TABLES
        if propose_good(state, x):
            return
        soon = are_many(state.inside.rows) and state.control[0].proposed % 2 == 0
        if soon and mend(state, source, x):
            return
        ticket[0] = EXPLORE
        if explore_change(state, source, x):
            return
        ticket[0] = TABLES
        if mend(state, source, x):
            return
    ticket[0] = WALK
    step_from(state, source, x)
