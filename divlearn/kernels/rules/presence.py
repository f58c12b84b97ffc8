"""Which parts of a solution exist: conditions on positions that come before.

The numbers of a rule ``WHEN`` are its conditions, each ``offset, count`` and ``count``
pairs ``low, high``: the code at ``offset`` from the segment's first position lies in
one of these ranges. Where one fails, all positions of the segment are *absent*: they
have their last code.

Orders, choices and groups have no code to spare. Their rule ``KEPT`` is the ``offset``
of a position that is absent together with them, and the codes that they have then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.basics.typing import Codes, Integers, Records, Words
from divlearn.kernels.cells import draw_code
from divlearn.kernels.drawing import draw_segment
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.rules.kinds import KEPT

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout


# --- what a solution has


@lean_kernel
def has_absent(layout: Layout, i: int) -> bool:
    """Whether the last code of position ``i`` says that it is absent."""
    return bool(layout.places[i].values < layout.places[i].levels)


@lean_kernel
def is_code_of_absent(layout: Layout, i: int, code: int) -> bool:
    """Whether a code of position ``i`` says that it is absent."""
    return has_absent(layout, i) and bool(code == layout.places[i].levels - 1)


@lean_kernel
def lacks(layout: Layout, x: Codes, i: int) -> bool:
    """Whether ``x`` has the code at position ``i`` that says that it is absent."""
    return is_code_of_absent(layout, i, x[i])


@lean_kernel
def is_absent(layout: Layout, x: Codes, i: int) -> bool:
    """Whether position ``i`` of the solution ``x`` has no value."""
    if layout.rules.shape[0] == 0:
        return False
    if has_absent(layout, i):
        return lacks(layout, x, i)
    s, absent = layout.places[i].segment, False
    for rule in layout.rules:
        if rule.segment == s and rule.kind == KEPT:
            absent = lacks(layout, x, _flag(layout, rule))
    return absent


@lean_kernel
def stands_alone(layout: Layout, x: Codes, i: int) -> bool:
    """Whether position ``i`` of ``x`` exists and nothing else does because of it."""
    return bool(layout.places[i].decides == 0) and not is_absent(layout, x, i)


@lean_kernel
def _flag(layout: Layout, rule: Records) -> int:
    """Position that is absent together with the segment of a rule ``KEPT``."""
    return int(layout.segments[rule.segment].start + layout.links[rule.first])


# --- the rules


@lean_kernel
def hold(layout: Layout, rule: Records, x: Codes) -> bool:
    """Whether the conditions of a rule ``WHEN`` all hold."""
    links, start, at = layout.links, layout.segments[rule.segment].start, rule.first
    while at < rule.last:
        code, end = x[start + links[at]], at + 2 + 2 * links[at + 1]
        inside = False
        for k in range(at + 2, end, 2):
            inside = inside or links[k] <= code <= links[k + 1]
        if not inside:
            return False
        at = end
    return True


@lean_kernel
def settle_presence(layout: Layout, rule: Records, x: Codes, words: Words) -> None:
    """Let the segment of a rule ``WHEN`` exist if it must; what is new is drawn."""
    segment, wanted = layout.segments[rule.segment], hold(layout, rule, x)
    for i in range(segment.start, segment.stop):
        if not wanted:
            x[i] = layout.places[i].levels - 1
        elif lacks(layout, x, i):
            x[i] = draw_code(layout, i, words)
            _draw_kept(layout, i, x, words)


@lean_kernel
def _draw_kept(layout: Layout, flag: int, x: Codes, words: Words) -> None:
    """Draw what came to be with position ``flag``; its own rules follow."""
    for rule in layout.rules:
        if rule.kind == KEPT and _flag(layout, rule) == flag:
            draw_segment(layout, rule.segment, words, x)


@lean_kernel
def settle_kept(layout: Layout, rule: Records, x: Codes) -> None:
    """Write the codes of a segment that does not exist."""
    if lacks(layout, x, _flag(layout, rule)):
        start = layout.segments[rule.segment].start
        for k in range(rule.first + 1, rule.last):
            x[start + k - rule.first - 1] = layout.links[k]


@lean_kernel
def keeps_presence(layout: Layout, rule: Records, x: Codes) -> bool:
    """Whether the segment of a rule ``WHEN`` exists exactly if it must."""
    segment, wanted = layout.segments[rule.segment], hold(layout, rule, x)
    for i in range(segment.start, segment.stop):
        if lacks(layout, x, i) == wanted:
            return False
    return True


@lean_kernel
def keeps_kept(layout: Layout, rule: Records, x: Codes) -> bool:
    """Whether a segment that does not exist has the codes that say so."""
    if lacks(layout, x, _flag(layout, rule)):
        start = layout.segments[rule.segment].start
        for k in range(rule.first + 1, rule.last):
            if x[start + k - rule.first - 1] != layout.links[k]:
                return False
    return True


@lean_kernel
def list_present(
    layout: Layout, rule: Records, x: Codes, i: int, actions: Integers
) -> int:
    """List the actions of position ``i`` under a rule ``WHEN``; return their number."""
    arity = layout.places[i].arity
    if not hold(layout, rule, x):
        actions[0] = arity - 1
        return 1
    for a in range(arity - 1):
        actions[a] = a
    return int(arity - 1)


@lean_kernel
def list_kept(
    layout: Layout, rule: Records, x: Codes, i: int, actions: Integers
) -> int:
    """List the one action of position ``i`` if it does not exist; -1 if it does."""
    if not lacks(layout, x, _flag(layout, rule)):
        return -1
    start = layout.segments[rule.segment].start
    actions[0] = layout.links[rule.first + 1 + i - start]
    return 1
