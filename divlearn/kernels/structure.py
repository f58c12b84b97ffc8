"""What goes together in a solution, beyond the kinds of its segments.

A layout may hold *rules*, each about one segment. ``settle`` turns any codes that their
positions have into those of a solution that keeps all rules. Whoever makes candidates
calls it; spaces without rules cost a comparison. ``keeps_rules`` and ``ruled_actions``
say the same of solutions and of constructions. What a rule means is in the file of its
kind (:mod:`divlearn.kernels.rules`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.basics.typing import Codes, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.rules.choices import (
    keeps_choice,
    list_bits,
    may_flip,
    sample_choice,
    settle_choice,
)
from divlearn.kernels.rules.kinds import CHOICE, KEPT, ORDER, SIZES, WHEN
from divlearn.kernels.rules.orders import keeps_order, list_items, settle_order
from divlearn.kernels.rules.presence import (
    is_absent,
    is_code_of_absent,
    keeps_kept,
    keeps_presence,
    list_kept,
    list_present,
    settle_kept,
    settle_presence,
)
from divlearn.kernels.rules.sizes import (
    keeps_sizes,
    list_groups,
    may_leave,
    may_move,
    settle_sizes,
)

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout


@lean_kernel
def settle(layout: Layout, x: Codes, words: Words) -> None:
    """Change ``x`` as little as the rules of its space demand; a solution stays.

    Parameters
    ----------
    layout
        Layout of the space.
    x
        Codes that fit the kinds of their segments, shape (n,).
    words
        Random words, for what the rules leave open.
    """
    if layout.rules.shape[0] == 0:
        return
    links = layout.links
    for rule in layout.rules:
        segment, first = layout.segments[rule.segment], rule.first
        start, stop = segment.start, segment.stop
        if rule.kind == ORDER:
            settle_order(links, first, stop - start, x, start)
        elif rule.kind == CHOICE:
            least, most = segment.least, segment.most
            settle_choice(links, first, stop - start, x, start, least, most, words)
        elif rule.kind == SIZES:
            settle_sizes(links, first, x, start, stop, words)
        elif rule.kind == WHEN:
            settle_presence(layout, rule, x, words)
        elif rule.kind == KEPT:
            settle_kept(layout, rule, x)


@lean_kernel
def keeps_rules(layout: Layout, x: Codes) -> bool:
    """Whether ``x``, whose segments are right by themselves, keeps all rules."""
    links = layout.links
    for rule in layout.rules:
        segment, first = layout.segments[rule.segment], rule.first
        start, stop, kept = segment.start, segment.stop, True
        if rule.kind == ORDER:
            kept = keeps_order(links, first, stop - start, x, start)
        elif rule.kind == CHOICE:
            kept = keeps_choice(links, first, stop - start, x, start)
        elif rule.kind == SIZES:
            kept = keeps_sizes(links, first, x, start, stop)
        elif rule.kind == WHEN:
            kept = keeps_presence(layout, rule, x)
        elif rule.kind == KEPT:
            kept = keeps_kept(layout, rule, x)
        if not kept:
            return False
    return True


@lean_kernel
def ruled_actions(layout: Layout, x: Codes, i: int, actions: Integers) -> int:
    """List the actions that a rule allows at position ``i`` given ``x[:i]``.

    Writes them into ``actions`` and returns how many there are; -1 if no rule is about
    the position.
    """
    links = layout.links
    for rule in layout.rules:
        if rule.segment != layout.places[i].segment:
            continue
        segment, first = layout.segments[rule.segment], rule.first
        start, stop = segment.start, segment.stop
        if rule.kind == ORDER:
            return list_items(links, first, stop - start, x, start, i, actions)
        if rule.kind == CHOICE:
            least, most, n = segment.least, segment.most, stop - start
            return list_bits(links, first, n, x, start, i, least, most, actions)
        if rule.kind == SIZES:
            return list_groups(links, first, x, start, stop, i, actions)
        if rule.kind == WHEN:
            return list_present(layout, rule, x, i, actions)
        if rule.kind == KEPT and list_kept(layout, rule, x, i, actions) == 1:
            return 1
    return -1


@lean_kernel
def has_rule(layout: Layout, s: int, kind: int) -> bool:
    """Whether a rule of this kind is about segment ``s``."""
    found = False
    for rule in layout.rules:
        found = found or (rule.segment == s and rule.kind == kind)
    return found


@lean_kernel
def may_change(layout: Layout, x: Codes, i: int) -> bool:
    """Whether rules let position ``i`` of a solution change alone, in some way."""
    links = layout.links
    for rule in layout.rules:
        segment, first = layout.segments[rule.segment], rule.first
        start, stop = segment.start, segment.stop
        if i < start or i >= stop:
            continue
        if rule.kind == CHOICE:
            return may_flip(links, first, stop - start, x, start, i - start)
        if rule.kind == SIZES:
            return may_leave(links, first, x, start, stop, i)
    return True


@lean_kernel
def may_become(layout: Layout, x: Codes, i: int, code: int) -> bool:
    """Whether position ``i`` may have ``code`` next, on a way of single changes.

    Such a way may leave the solutions by one change, if the next one leads back. It
    leads to solutions that have the same parts.
    """
    links, old = layout.links, x[i]
    if is_absent(layout, x, i) or is_code_of_absent(layout, i, code):
        return False
    if layout.places[i].decides == 1:
        x[i] = code
        allowed = keeps_rules(layout, x)
        x[i] = old
        return allowed
    for rule in layout.rules:
        segment, first = layout.segments[rule.segment], rule.first
        start, stop = segment.start, segment.stop
        if i < start or i >= stop:
            continue
        if rule.kind == CHOICE:
            return may_flip(links, first, stop - start, x, start, i - start)
        if rule.kind == SIZES:
            return may_move(links, first, x, start, stop, i, code)
    return True


@lean_kernel
def sample_ruled(layout: Layout, words: Words, x: Codes) -> None:
    """Make a random solution of codes that were drawn without regard to rules."""
    for rule in layout.rules:
        if rule.kind == CHOICE:
            segment = layout.segments[rule.segment]
            start, n = segment.start, segment.stop - segment.start
            least, most = segment.least, segment.most
            sample_choice(layout.links, rule.first, n, x, start, least, most, words)
    settle(layout, x, words)
