"""Costs of items at positions, made exact: samples that tell, and least squares.

Where swaps of two items are worth the same wherever the others stand
(:mod:`divlearn.methods.dl.kernels.models.pairing.probe`), every output is a sum over
positions. As many differences as such sums have degrees of freedom, and some more,
determine the table. It is then fitted to all differences by least
squares (:mod:`divlearn.methods.dl.kernels.models.sums`). Differences in a row that
the table knew to the last digit say that it is exact.
"""

from __future__ import annotations

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.additive import chosen_quality
from divlearn.methods.dl.kernels.models.encodings import VALUE
from divlearn.methods.dl.kernels.models.pairing.model import IN_USE, SAMPLING
from divlearn.methods.dl.kernels.models.sums import fit_sums
from divlearn.methods.dl.kernels.state import DifferenceState

#: Probes that say that positions explain everything, before samples are spent on it.
NUM_PLACED = 2
#: By how many times more differences the next fit has.
NEXT_FIT = 1.1
#: Samples are spent up to so many times the differences of the first fit.
MOST_SAMPLED = 1.5
#: Tables that leave more than this unexplained are not worth a fit without probes.
WORTH_A_FIT = 0.05
#: Differences in a row that were known, and what that is, squared.
STREAK, KNOWN = 20, 1e-14


@lean_kernel
def positions_decide(state: DifferenceState) -> bool:
    """Whether items at positions explain every output best."""
    tables = state.tables
    for j in range(tables.chosen.shape[0]):
        if tables.encodings[tables.chosen[j]] != VALUE:
            return False
    return True


@lean_kernel
def note_surprise(state: DifferenceState, surprise: float) -> None:
    """Count the differences in a row that the chosen tables knew."""
    control = state.control[0]
    known = surprise < KNOWN and state.tables.judged[0] > 0
    control.streak = control.streak + 1 if known else 0


@lean_kernel
def positions_are_exact(state: DifferenceState) -> bool:
    """Whether the front can be planned: what stands where is known exactly."""
    known = state.control[0].streak >= STREAK and state.sums.slope.shape[0] > 0
    return known and positions_decide(state)


# --- samples


@lean_kernel
def wants_position_sample(state: DifferenceState) -> bool:
    """Whether a random solution is needed to know what stands where."""
    control = state.control[0]
    if control.position_samples == 0 or control.streak >= STREAK:
        return False
    if state.pairing.record[0].placed < NUM_PLACED:
        return False
    return bool(control.differences < MOST_SAMPLED * control.position_samples)


# --- least squares


@lean_kernel
def refresh_positions(state: DifferenceState) -> None:
    """Fit the table of positions when there are enough differences for it."""
    control, ring = state.control[0], state.ring
    if state.sums.slope.shape[0] == 0 or control.differences < control.next_sums:
        return
    if control.streak >= STREAK or not positions_decide(state):
        return
    record = state.pairing.record[0]
    if record.phase in (SAMPLING, IN_USE):  # pairs explain what positions cannot
        return
    placed = record.placed >= NUM_PLACED
    if not placed and chosen_quality(state.tables, state.low.shape[0]) > WORTH_A_FIT:
        return
    rows = min(control.differences, ring.deltas.shape[0])
    for j in range(state.low.shape[0]):
        e = state.tables.chosen[j]
        fit_sums(state.sums, ring, rows, state.tables.mean[e], j)
    control.next_sums = int(NEXT_FIT * control.next_sums) + 1
