"""Arms: the ways to make a candidate, and which one to use next."""

from __future__ import annotations

from divlearn.basics.typing import Records, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform

#: Random solutions; steps that do not look at the tables, small ones and exploring
#: ones; search inside the tables; neighbours of members of the archive; the kernel
#: expert; solutions from elsewhere; search inside the pair model; solutions measured
#: again.
SAMPLE, WALK, EXPLORE, TABLES, ARCHIVE, KERNEL, ADDED, PAIRS = 0, 1, 2, 3, 4, 5, 6, 7
REPEAT = 8
ARM_NAMES = (
    "sample",
    "walk",
    "explore",
    "tables",
    "archive",
    "kernel",
    "added",
    "pairing",
    "repeat",
)

#: Candidates of each arm before gains are compared.
NUM_TRIALS = 20
#: Weight of the latest gain in its running mean.
RECENT = 0.03
#: Tables that leave less than this unexplained need no more exploration.
UNDERSTOOD = 0.3


@lean_kernel
def choose_arm(control: Records, arms: Records, q: float, words: Words) -> int:
    """Draw the next arm.

    Parameters
    ----------
    control
        Record of settings and cursor.
    arms
        What each arm brought.
    q
        Worst share of an objective's differences that the tables leave unexplained.
    words
        Random generator.
    """
    u = uniform(words)
    if u < control.walk_share:
        return WALK
    if control.use_tables == 0:
        return WALK
    if q > UNDERSTOOD:
        first = control.observed < control.exploration
        share = 0.8 if first else 0.2
        if control.observed < 4 * control.exploration and uniform(words) < share:
            return EXPLORE
    return _draw_by_gain(control, arms, uniform(words))


@lean_kernel
def _draw_by_gain(control: Records, arms: Records, u: float) -> int:
    """Share candidates by recent gain; arms that pause have nothing to offer."""
    tables_rest = control.table_pause > 0
    archive_rest = control.archive_pause > 0 or control.use_refinement == 0
    if not tables_rest and arms[TABLES].tries < NUM_TRIALS:
        return TABLES
    if not archive_rest and arms[ARCHIVE].tries < NUM_TRIALS:
        return ARCHIVE
    a = 0.0 if tables_rest else arms[TABLES].recent
    b = 0.0 if archive_rest else arms[ARCHIVE].recent
    c = arms[WALK].recent
    largest = max(a, b, c)
    if largest <= 0.0:
        a = b = c = largest = 1.0
    # Nobody is given up for good: gains change as the front fills.
    a = 0.0 if tables_rest else max(a, 0.1 * largest)
    b = 0.0 if archive_rest else max(b, 0.1 * largest)
    c = max(c, 0.02 * largest)
    u *= a + b + c
    if u < a:
        return TABLES
    return ARCHIVE if u < a + b else WALK


@lean_kernel
def credit_arm(arms: Records, kind: int, gained: float) -> None:
    """Remember what a candidate brought; ``gained`` is negative if it did not enter."""
    arm = arms[kind]
    arm.tries += 1
    if gained >= 0.0:
        arm.entered += 1
        arm.gain += gained
    rate = max(RECENT, 1.0 / arm.tries)
    arm.recent += rate * (max(0.0, gained) - arm.recent)
