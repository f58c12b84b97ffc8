"""Hidden rows behind a count of what is violated, learned from answers.

Many problems return the number of rows that a choice of bits violates: rows that are
not covered, edges with both ends chosen. A count is no sum over positions. But each bit
has a *good* value, which can only help, and a hidden row is a *clause*: it is kept if
one of its members has its good value. What answers say of clauses is certain:

- Where nothing is violated, every clause has a member among the good bits.
- An *anchor* of a clause is a solution that violates this one only. A solution with
  more good bits violates nothing else either. If it still violates one clause, none of
  its good bits is a member; if not, one of those that were added is.

Solutions are sets of good bits here, 64 to a word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import SUBSET, Layout
from divlearn.kernels.views import viewed

#: Most clauses, and most of their bits in total; puzzles that wait.
MAX_CLAUSES, MAX_BITS, NUM_PUZZLES = 2_048, 400_000, 64
#: Pairs of runs on the stack at the same time, more than a tree of any size has, and
#: questions that find out whether all clauses are pairs.
DEEPEST, NUM_TESTS = 128, 7
#: Contradictions after which a count is taken for something else.
MAX_FAILURES = 10
WORD = 64

CLAUSES = np.dtype(
    [
        ("on", "i8"),  # 0: the constraint is no count, or bits have no good value
        ("known", "i8"),  # clauses
        ("puzzles", "i8"),  # puzzles ever noted
        ("failures", "i8"),  # contradictions
        ("stage", "i8"),  # of the questions about pairs, see ``counted``
        ("most", "i8"),  # such questions that may be asked
        ("step", "i8"),  # number of the next one within a stage
        ("first", "i8"),  # where the next two runs of bits begin, and how long each is
        ("width", "i8"),
        ("cells", "i8"),  # pairs of runs on the stack
        ("asking", "i8"),  # 1 while a question is under way
        ("asked_at", "i8"),  # candidates handed out by then
        ("begun", "i8"),  # how often the questions began
    ]
)


@viewed
class Clauses(NamedTuple):
    """Clauses that are known, at least in part; empty where there can be none."""

    control: Records  # (1,) of CLAUSES
    seen: Integers  # (n,) value of a bit that was seen to violate less; -1 for none
    good: Integers  # (n,) value that is taken for the good one; -1 before it is used
    members: Words  # (R, W) bits that a clause has
    others: Words  # (R, W) bits that it has not
    anchor: Words  # (R, W) a solution that violates this clause only
    group: Words  # (R, W) bits of which it has one at least, the fewest known
    price: Floats  # (R,) of its violation
    puzzles: Words  # (P, W) solutions that violate what no clause explains
    counts: Integers  # (P,) what they violate; 0 for a free place
    tries: Integers  # (P,) questions asked about them
    cells: Integers  # (D, 5) two runs of bits and how many clauses join them
    sums: Integers  # (T,) counts of the first questions about pairs
    question: Words  # (W,) what was asked last about pairs
    here: Words  # (W,) scratch
    there: Words  # (W,) scratch


def new_clauses(
    layout: Layout, num_constraints: int, on: bool, most: int = 0
) -> Clauses:
    """Make room for clauses where a single constraint may be a count over bits.

    ``most`` questions may be asked about clauses that are pairs.
    """
    n = len(layout.places)
    free = all(
        segment.kind == SUBSET
        and segment.least == 0
        and segment.most == segment.stop - segment.start
        for segment in layout.segments
    )
    possible = on and n > 0 and num_constraints == 1 and free and not len(layout.rules)
    room = min(MAX_CLAUSES, MAX_BITS // n) if possible else 0
    words, puzzles = -(-n // WORD), NUM_PUZZLES if room else 0
    control = np.zeros(1, CLAUSES).view(np.recarray)
    control.on[0], control.most[0] = room > 0, most if room else 0
    control.width[0] = 1
    return Clauses(
        control,
        np.full(n if room else 0, -1, np.int64),
        np.full(n if room else 0, -1, np.int64),
        np.zeros((room, words), np.uint64),
        np.zeros((room, words), np.uint64),
        np.zeros((room, words), np.uint64),
        np.zeros((room, words), np.uint64),
        np.zeros(room),
        np.zeros((puzzles, words), np.uint64),
        np.zeros(puzzles, np.int64),
        np.zeros(puzzles, np.int64),
        np.zeros((DEEPEST if room else 0, 5), np.int64),
        np.zeros(NUM_TESTS if room else 0, np.int64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
    )


# --- sets of bits


@lean_kernel
def has_bit(words: Words, i: int) -> bool:
    """Whether a set has bit ``i``."""
    return bool((words[i // WORD] >> np.uint64(i % WORD)) & np.uint64(1))


@lean_kernel
def put_bit(words: Words, i: int) -> None:
    """Put bit ``i`` into a set."""
    words[i // WORD] |= np.uint64(1) << np.uint64(i % WORD)


@lean_kernel
def fill_bits(words: Words, n: int) -> None:
    """Put the first ``n`` bits into an empty or any other set, and no others."""
    for w in range(words.shape[0]):
        words[w] = np.uint64(0)
    for i in range(n):
        put_bit(words, i)


@lean_kernel
def drop_bits(words: Words, first: int, stop: int) -> None:
    """Take bits ``first`` to ``stop`` - 1 out of a set."""
    for i in range(first, stop):
        words[i // WORD] &= ~(np.uint64(1) << np.uint64(i % WORD))


@lean_kernel
def num_bits(words: Words) -> int:
    """How many bits a set has."""
    total = 0
    for w in range(words.shape[0]):
        word = words[w]
        while word != np.uint64(0):
            word &= word - np.uint64(1)
            total += 1
    return total


@lean_kernel
def meets(a: Words, b: Words) -> bool:
    """Whether two sets have a bit in common."""
    common = np.uint64(0)
    for w in range(a.shape[0]):
        common |= a[w] & b[w]
    return bool(common != np.uint64(0))


@lean_kernel
def lies_in(a: Words, b: Words) -> bool:
    """Whether all bits of ``a`` are in ``b``."""
    outside = np.uint64(0)
    for w in range(a.shape[0]):
        outside |= a[w] & ~b[w]
    return bool(outside == np.uint64(0))


@lean_kernel
def same_bits(a: Words, b: Words) -> bool:
    """Whether two sets are equal."""
    return lies_in(a, b) and lies_in(b, a)


@lean_kernel
def copy_bits(source: Words, target: Words) -> None:
    """Copy a set."""
    for w in range(source.shape[0]):
        target[w] = source[w]


@lean_kernel
def add_bits(source: Words, target: Words) -> None:
    """Put all bits of ``source`` into ``target``."""
    for w in range(source.shape[0]):
        target[w] |= source[w]


@lean_kernel
def remove_bits(source: Words, target: Words) -> None:
    """Take all bits of ``source`` out of ``target``."""
    for w in range(source.shape[0]):
        target[w] &= ~source[w]


@lean_kernel
def good_bits(good: Integers, x: Codes, bits: Words) -> None:
    """Write the positions at which ``x`` has its good value."""
    for w in range(bits.shape[0]):
        bits[w] = np.uint64(0)
    for i in range(x.shape[0]):
        if x[i] == good[i]:
            put_bit(bits, i)


# --- what answers say


@lean_kernel
def note_direction(clauses: Clauses, i: int, better: int) -> None:
    """Note that value ``better`` of bit ``i`` violated less; it must always do so."""
    if clauses.seen[i] == 1 - better:
        clauses.control[0].on = 0
    clauses.seen[i] = better


@lean_kernel
def learn_kept(clauses: Clauses, bits: Words) -> None:
    """Learn from a solution that violates nothing."""
    for r in range(clauses.control[0].known):
        learn_kept_by(clauses, r, bits)


@lean_kernel
def learn_kept_by(clauses: Clauses, r: int, bits: Words) -> None:
    """Learn that clause ``r`` has a member among ``bits``."""
    members, group, rest = clauses.members[r], clauses.group[r], clauses.there
    if meets(bits, members):
        return
    copy_bits(bits, rest)  # bits may be one of the scratch sets, but not this one
    remove_bits(clauses.others[r], rest)
    size, before = num_bits(rest), num_bits(group)
    if size == 0:
        _fail(clauses)
    elif size == 1:
        add_bits(rest, members)
        remove_bits(group, group)
    elif before == 0 or size < before:
        copy_bits(rest, group)


@lean_kernel
def learn_violated(clauses: Clauses, bits: Words, count: int) -> None:
    """Learn from a solution that violates ``count`` clauses.

    If it certainly violates some that are not known, it is a puzzle.
    """
    for r in range(clauses.control[0].known):
        known = lies_in(bits, clauses.others[r])
        if count == 1 and not known and lies_in(clauses.anchor[r], bits):
            _learn_others(clauses, r, bits)
    explained, open_ones = num_explained(clauses, bits)
    if explained > count:
        _fail(clauses)
    elif explained < count and open_ones == 0:
        _note_puzzle(clauses, bits, count)


@lean_kernel
def _learn_others(clauses: Clauses, r: int, bits: Words) -> None:
    """Learn that clause ``r`` has none of ``bits``."""
    group = clauses.group[r]
    if meets(bits, clauses.members[r]):
        _fail(clauses)
        return
    add_bits(bits, clauses.others[r])
    remove_bits(bits, group)
    if num_bits(group) == 1:
        add_bits(group, clauses.members[r])
        remove_bits(group, group)


@lean_kernel
def _fail(clauses: Clauses) -> None:
    """Note that answers contradict each other."""
    control = clauses.control[0]
    control.failures += 1
    if control.failures > MAX_FAILURES:
        control.on = 0


@lean_kernel
def _note_puzzle(clauses: Clauses, bits: Words, count: int) -> None:
    """Keep a solution whose violation is not explained, in place of the oldest one."""
    control = clauses.control[0]
    place = control.puzzles % clauses.counts.shape[0]
    control.puzzles += 1
    copy_bits(bits, clauses.puzzles[place])
    clauses.counts[place], clauses.tries[place] = count, 0


@lean_kernel
def num_explained(clauses: Clauses, bits: Words) -> tuple[int, int]:
    """How many clauses are certainly violated, and how many may or may not be."""
    violated, open_ones = 0, 0
    for r in range(clauses.control[0].known):
        if lies_in(bits, clauses.others[r]):
            violated += 1
        elif not meets(bits, clauses.members[r]):
            open_ones += 1
    return violated, open_ones


@lean_kernel
def add_clause(clauses: Clauses, anchor: Words) -> int:
    """Begin a clause with the solution that violates it only; -1 without room."""
    control = clauses.control[0]
    r = control.known
    if r == clauses.price.shape[0]:
        return -1
    control.known += 1
    copy_bits(anchor, clauses.anchor[r])
    copy_bits(anchor, clauses.others[r])
    remove_bits(clauses.members[r], clauses.members[r])
    remove_bits(clauses.group[r], clauses.group[r])
    clauses.price[r] = 0.0
    return int(r)


@lean_kernel
def forget_clauses(clauses: Clauses) -> None:
    """Begin anew: bits have other good values than was thought."""
    clauses.control[0].known = 0
    for place in range(clauses.counts.shape[0]):
        clauses.counts[place] = 0
