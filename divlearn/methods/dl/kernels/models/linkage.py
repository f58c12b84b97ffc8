"""Which positions belong together: groups learned from second differences.

With x an evaluated solution, the *anchor*, and x^S the same with other values at the
positions S, position i is linked to the set S if changing both is not what changing
each adds up to:

    F(x^(S + i)) - F(x^S)  !=  F(x^i) - F(x)        in some output

Sets are halves, quarters and so on of all positions in a random order: the *nodes* of a
tree. A node to which i is linked is asked about by its two halves, down to the single
positions that i is linked to. Together with i these are a *group*. Some 2 d log2(n / d)
questions find the d partners of one of n positions; a position that is in a group
already is not asked about. Where most positions have many partners, nothing is learned
by groups, and asking ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import CATEGORICAL, SUBSET, Layout
from divlearn.kernels.random import below
from divlearn.kernels.views import viewed

#: Fewest positions whose groups are learned.
FEWEST = 8
#: Most partners of a position; one with more is *dense*, and so many dense ones before
#: there are as many groups end the questions.
MOST_PARTNERS, MOST_DENSE = 10, 3
#: Second differences below this share of the outputs are rounding.
ROUNDING = 1e-9
#: Nodes on the way down at the same time, more than a tree of any size has.
DEEPEST = 128

#: What became of the groups: not asked for yet, asked for, known, not to be had.
IDLE, ASKING, KNOWN, GIVEN_UP = 0, 1, 2, 3
LINKAGE_STAGES = ("not asked for", "not known yet", "known", "not to be had")

LINKAGE = np.dtype(
    [
        ("stage", "i8"),  # one of IDLE, ASKING, KNOWN, GIVEN_UP
        ("bit", "i8"),  # rank of the position whose partners are asked for; -1 for none
        ("waiting", "i8"),  # nodes that are to be asked about
        ("partners", "i8"),  # partners found of this position
        ("node", "i8"),  # node of the question under way; 0 for none
        ("toggled", "i8"),  # 1 if that question changes the position as well
        ("asked_at", "i8"),  # candidates handed out by then
        ("questions", "i8"),  # candidates that were questions
        ("dense", "i8"),  # positions with too many partners
        ("groups", "i8"),  # groups found
        ("mixed", "i8"),  # candidates made by groups
    ]
)


@viewed
class Linkage(NamedTuple):
    """Groups, and what was asked to find them; empty where none are looked for."""

    record: Records  # (1,) of LINKAGE
    order: Integers  # (L,) bits and categories in random order; a rank is a place here
    anchor: Codes  # (n,)
    other: Codes  # (n,) another value for each position
    base: Floats  # (p,) outputs of the anchor
    outputs: Floats  # (4 L, p) those of the anchor with a node changed
    known: Integers  # (4 L,) 1 where these are known
    stack: Integers  # (DEEPEST,) nodes that are to be asked about
    found: Integers  # (L,) ranks of partners of the present position
    covered: Integers  # (L,) 1 where a rank needs no questions
    starts: Integers  # (L + 1,) where groups begin
    members: Integers  # (L (MOST_PARTNERS + 1),) positions of all groups
    question: Codes  # (n,) what was asked last


def new_linkage(layout: Layout, num_outputs: int, wanted: bool) -> Linkage:
    """Make groups that nobody asked for.

    Parameters
    ----------
    layout
        The space; only its bits and categories are grouped.
    num_outputs
        Objectives and constraints, p.
    wanted
        Whether groups are to be learned at all.
    """
    places = linked_places(layout) if wanted else np.zeros(0, np.int64)
    size = len(places)
    n = len(layout.places) if size else 0
    record = np.zeros(1, LINKAGE).view(np.recarray)
    record.bit = -1
    return Linkage(
        record,
        places,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(num_outputs if size else 0),
        np.zeros((4 * size, num_outputs)),
        np.zeros(4 * size, np.int64),
        np.zeros(DEEPEST if size else 0, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size * (MOST_PARTNERS + 1), np.int64),
        np.zeros(n, np.int64),
    )


def linked_places(layout: Layout) -> Integers:
    """Positions whose groups can be learned: bits and categories, if there are some."""
    kinds = layout.segments.kind[layout.places.segment]
    free = (kinds == CATEGORICAL) | (kinds == SUBSET)
    found = np.flatnonzero(free & (layout.places.values > 1)).astype(np.int64)
    return found if len(found) >= FEWEST else np.zeros(0, np.int64)


# --- the tree of nodes


@lean_kernel
def node_range(size: int, node: int) -> tuple[int, int]:
    """Ranks of a node, from the first to the one behind the last; the root is 1."""
    digit = 1
    while 2 * digit <= node:
        digit *= 2
    low, high = 0, size
    while digit > 1:
        digit //= 2
        middle = (low + high) // 2
        if node // digit % 2 == 1:
            low = middle
        else:
            high = middle
    return low, high


@lean_kernel
def leaf_of(size: int, rank: int) -> int:
    """The node that has just this rank."""
    node, low, high = 1, 0, size
    while high - low > 1:
        middle = (low + high) // 2
        node *= 2
        if rank >= middle:
            node += 1
            low = middle
        else:
            high = middle
    return node


# --- questions


@lean_kernel
def begin_asking(
    linkage: Linkage, layout: Layout, rng: Words, anchor: Codes, outputs: Floats
) -> None:
    """Take a solution with its outputs, shape (p,), for the anchor of all questions."""
    order, n = linkage.order, anchor.shape[0]
    for i in range(n):
        linkage.anchor[i] = linkage.other[i] = anchor[i]
    for j in range(outputs.shape[0]):
        linkage.base[j] = outputs[j]
    for k in range(order.shape[0] - 1, -1, -1):
        other = below(rng, k + 1)
        order[k], order[other] = order[other], order[k]
        i = order[k]
        step = 1 + below(rng, layout.places[i].values - 1)
        linkage.other[i] = (anchor[i] + step) % layout.places[i].values
    linkage.record[0].stage = ASKING


@lean_kernel
def choose_question(linkage: Linkage) -> bool:
    """Write the next question; False if everything is known that can be."""
    record, size = linkage.record[0], linkage.order.shape[0]
    while record.stage == ASKING:
        if record.bit < 0 and not _next_bit(linkage):
            break
        own = leaf_of(size, record.bit)
        if linkage.known[own] == 0:
            _ask(linkage, own, 0)
            return True
        if record.waiting == 0 or record.partners > MOST_PARTNERS:
            _close_bit(linkage)
            continue
        node = linkage.stack[record.waiting - 1]
        if node == own:
            record.waiting -= 1
            continue
        _ask(linkage, node, linkage.known[node])
        return True
    return False


@lean_kernel
def _next_bit(linkage: Linkage) -> bool:
    """Turn to a position that is in no group; False if there is none left."""
    record, size = linkage.record[0], linkage.order.shape[0]
    for rank in range(size):
        if linkage.covered[rank] == 0:
            record.bit, record.partners = rank, 0
            record.waiting, linkage.stack[0] = 1, 1
            return True
    record.stage = KNOWN if record.groups > 0 else GIVEN_UP
    return False


@lean_kernel
def _close_bit(linkage: Linkage) -> None:
    """Make a group of a position and its partners, unless these are too many."""
    record, order = linkage.record[0], linkage.order
    linkage.covered[record.bit] = 1
    if record.partners > MOST_PARTNERS:
        record.dense += 1
        if record.dense >= MOST_DENSE and record.dense > record.groups:
            record.stage = GIVEN_UP
    elif record.partners > 0:
        stop = linkage.starts[record.groups]
        linkage.members[stop] = order[record.bit]
        for k in range(record.partners):
            linkage.members[stop + 1 + k] = order[linkage.found[k]]
            linkage.covered[linkage.found[k]] = 1
        record.groups += 1
        linkage.starts[record.groups] = stop + 1 + record.partners
    record.bit = -1


@lean_kernel
def _ask(linkage: Linkage, node: int, toggled: int) -> None:
    """Write the anchor with a node changed; ``toggled`` changes the position, too."""
    record, order, question = linkage.record[0], linkage.order, linkage.question
    low, high = node_range(order.shape[0], node)
    for i in range(question.shape[0]):
        question[i] = linkage.anchor[i]
    for rank in range(low, high):
        question[order[rank]] = linkage.other[order[rank]]
    if toggled == 1:
        i = order[record.bit]
        own = low <= record.bit < high
        question[i] = linkage.anchor[i] if own else linkage.other[i]
    record.node, record.toggled = node, toggled


@lean_kernel
def take_outputs(linkage: Linkage, outputs: Floats) -> None:
    """Take in the outputs, shape (p,), of the question under way."""
    record, size = linkage.record[0], linkage.order.shape[0]
    node, record.node = record.node, 0
    if record.toggled == 0:
        linkage.known[node] = 1
        for j in range(outputs.shape[0]):
            linkage.outputs[node, j] = outputs[j]
        return
    record.waiting -= 1
    if not _is_linked(linkage, node, outputs):
        return
    low, high = node_range(size, node)
    if high - low == 1:
        linkage.found[record.partners] = low
        record.partners += 1
        return
    linkage.stack[record.waiting] = 2 * node + 1
    linkage.stack[record.waiting + 1] = 2 * node
    record.waiting += 2


@lean_kernel
def _is_linked(linkage: Linkage, node: int, outputs: Floats) -> bool:
    """Whether changing the position has another effect where the node is changed."""
    record, size = linkage.record[0], linkage.order.shape[0]
    alone = linkage.outputs[leaf_of(size, record.bit)]
    low, high = node_range(size, node)
    sign = -1.0 if low <= record.bit < high else 1.0
    for j in range(outputs.shape[0]):
        changed, base = linkage.outputs[node, j], linkage.base[j]
        excess = sign * (outputs[j] - changed) - (alone[j] - base)
        scale = abs(outputs[j]) + abs(changed) + abs(alone[j]) + abs(base)
        if abs(excess) > ROUNDING * scale:
            return True
    return False
