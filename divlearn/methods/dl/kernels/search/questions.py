"""Questions about hidden rows: solutions whose count says most about clauses.

See :mod:`divlearn.methods.dl.kernels.models.clauses`. First come *puzzles*, solutions
that violate clauses that are not known: they are led to where they violate only one.
Then come bits of which it is not known whether a clause has them, those first that
would be used if it had, as many at once as make both answers likely.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.models.clauses import (
    Clauses,
    add_bits,
    add_clause,
    copy_bits,
    good_bits,
    has_bit,
    learn_kept_by,
    meets,
    num_bits,
    num_explained,
    put_bit,
    remove_bits,
)
from divlearn.methods.dl.kernels.models.counted import choose_pairs
from divlearn.methods.dl.kernels.state import DifferenceState

#: Attempts to lead a puzzle to where it violates less, and at a question of a clause.
MOST_TRIES, MOST_ATTEMPTS = 64, 8
#: Share of members among bits before any is known.
FIRST_SHARE = 0.1
#: Bits are asked for as long as they lose less than so many times a clause's price.
SLACK = 1.5
#: Candidates after which an answer about pairs is no longer waited for.
PATIENCE = 256


@lean_kernel
def write_bits(clauses: Clauses, bits: Words, y: Codes) -> None:
    """Write the solution with these good bits."""
    for i in range(y.shape[0]):
        good = clauses.good[i]
        y[i] = good if has_bit(bits, i) else 1 - good


@lean_kernel
def _hand_out(state: DifferenceState, bits: Words, y: Codes) -> bool:
    """Write a solution; whether it was never proposed."""
    write_bits(state.clauses, bits, y)
    return is_new(state, y, False)


# --- pairs


@lean_kernel
def ask_about_pairs(state: DifferenceState, y: Codes) -> bool:
    """Write a solution whose count says how many pairs there are where.

    One answer after the other, so False while one is under way, or if all is known.
    What was evaluated before is evaluated again: its count is not kept.
    """
    clauses, control = state.clauses, state.clauses.control[0]
    proposed = state.control[0].proposed
    if control.asking == 1 and proposed - control.asked_at < PATIENCE:
        return False
    if control.asking == 0 and not choose_pairs(clauses, state.rng):
        return False
    control.asking, control.asked_at = 1, proposed
    write_bits(clauses, clauses.question, y)
    return True


# --- puzzles


@lean_kernel
def ask_about_puzzles(state: DifferenceState, y: Codes) -> bool:
    """Write a solution that says which clause a puzzle violates; False for none.

    The puzzle that violates least comes first.
    """
    clauses = state.clauses
    counts, tries = clauses.counts, clauses.tries
    for _ in range(2 * counts.shape[0]):
        place = -1
        for other in range(counts.shape[0]):
            if counts[other] > 0 and (place < 0 or counts[other] < counts[place]):
                place = other
        if place < 0:
            return False
        bits = clauses.puzzles[place]
        explained, open_ones = num_explained(clauses, bits)
        left = counts[place] - explained
        if left <= 0 or open_ones > 0 or tries[place] > MOST_TRIES:
            counts[place] = 0
        elif counts[place] == 1:
            begin_clause(state, bits)
            counts[place] = 0
        else:
            tries[place] += 1
            if _ask_with_less_violation(state, bits, y):
                return True
    return False


@lean_kernel
def _ask_with_less_violation(state: DifferenceState, bits: Words, y: Codes) -> bool:
    """Add members of clauses that are violated, or half of a feasible solution."""
    clauses, here = state.clauses, state.clauses.here
    copy_bits(bits, here)
    for r in range(clauses.control[0].known):
        if not meets(here, clauses.members[r]):
            _put_first(clauses.members[r], here)
    if _hand_out(state, here, y):
        return True
    slot = state.archive.order[below(state.rng, state.control[0].archive_size)]
    good_bits(clauses.good, state.archive.solutions[slot], clauses.there)
    for i in range(y.shape[0]):
        if has_bit(clauses.there, i) and below(state.rng, 2) == 0:
            put_bit(here, i)
    return _hand_out(state, here, y)


@lean_kernel
def _put_first(source: Words, target: Words) -> None:
    """Put one bit of a set into another one."""
    for i in range(64 * source.shape[0]):
        if has_bit(source, i):
            put_bit(target, i)
            return


@lean_kernel
def begin_clause(state: DifferenceState, anchor: Words) -> None:
    """Begin a clause, with what members of the archive say about it."""
    clauses, archive = state.clauses, state.archive
    r = add_clause(clauses, anchor)
    state.plan.control[0].ready = 0
    if r < 0:
        return
    for s in range(state.control[0].archive_size):
        solution = archive.solutions[archive.order[s]]
        good_bits(clauses.good, solution, clauses.here)
        learn_kept_by(clauses, r, clauses.here)


# --- clauses


@lean_kernel
def ask_about_clauses(state: DifferenceState, y: Codes) -> bool:
    """Write a solution that says which members a clause has; False for none.

    A clause of which no member is known comes first.
    """
    clauses = state.clauses
    known = clauses.control[0].known
    if known == 0:
        return False
    first, together = below(state.rng, known), _num_together(clauses)
    for k in range(known):
        r = (first + k) % known
        if num_bits(clauses.members[r]) == 0 and _ask_about(state, r, together, y):
            return True
    for _ in range(MOST_ATTEMPTS):
        if _ask_about(state, below(state.rng, known), together, y):
            return True
    return False


@lean_kernel
def _num_together(clauses: Clauses) -> int:
    """So many bits that both answers are about as likely."""
    found, tested = 1.0, 1.0 / FIRST_SHARE
    for r in range(clauses.control[0].known):
        members = num_bits(clauses.members[r])
        found += members
        tested += members + num_bits(clauses.others[r]) - num_bits(clauses.anchor[r])
    return max(1, int(math.log(2.0) * tested / found))


@lean_kernel
def _ask_about(state: DifferenceState, r: int, together: int, y: Codes) -> bool:
    """Ask whether clause ``r`` has one of some bits."""
    clauses, here = state.clauses, state.clauses.here
    copy_bits(clauses.anchor[r], here)
    if num_bits(clauses.group[r]) > 1:
        _add_half(state, clauses.group[r], here)
    elif not _add_useful(state, r, together, here):
        return False
    return _hand_out(state, here, y)


@lean_kernel
def _add_half(state: DifferenceState, group: Words, here: Words) -> None:
    """Add half of a group, at random."""
    size = num_bits(group)
    wanted, left = size // 2, size
    for i in range(64 * group.shape[0]):
        if has_bit(group, i):
            if below(state.rng, left) < wanted:
                put_bit(here, i)
                wanted -= 1
            left -= 1


@lean_kernel
def _add_useful(state: DifferenceState, r: int, together: int, here: Words) -> bool:
    """Add bits that would be used most if clause ``r`` had them; False for none."""
    clauses, relax, layout = state.clauses, state.plan.relax, state.layout
    unknown, added = clauses.there, False
    copy_bits(clauses.others[r], unknown)
    add_bits(clauses.members[r], unknown)
    for _ in range(together):
        best, least = -1, SLACK * clauses.price[r]
        for i in range(clauses.good.shape[0]):
            if has_bit(unknown, i):
                continue
            first, good = layout.places[i].offset, clauses.good[i]
            loss = relax.cost[first + good] - relax.cost[first + 1 - good]
            if loss <= least:
                best, least = i, loss
        if best < 0:
            break
        put_bit(unknown, best)
        put_bit(here, best)
        added = True
    remove_bits(unknown, unknown)
    return added
