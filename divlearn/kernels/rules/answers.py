"""What rules say to the questions of :mod:`divlearn.kernels.structure`.

What a rule means is in the file of its kind; here the rules of a layout are asked one
after the other. Most spaces have none: all of this is one kernel of its own, which
others call by its address, and which is compiled for spaces that have rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import int64, typeof, uint64
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Integers, Words
from divlearn.kernels.addresses import (
    address_of,
    emit_call,
    listed_address,
    listed_function,
)
from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
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

#: What may be asked.
SETTLE, KEEPS, LIST, MAY_CHANGE, MAY_BECOME, SAMPLE = 0, 1, 2, 3, 4, 5
#: No code in particular.
ANY = -1


@lean_kernel
def settle_all(layout: Layout, x: Codes, words: Words) -> None:
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
def keeps_all(layout: Layout, x: Codes) -> bool:
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
def list_allowed(layout: Layout, x: Codes, i: int, actions: Integers) -> int:
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
def may_change(layout: Layout, x: Codes, i: int) -> bool:
    """Whether rules let position ``i`` of a solution change alone, in some way."""
    return _may_take(layout, x, i, ANY)


@lean_kernel
def _may_take(layout: Layout, x: Codes, i: int, code: int) -> bool:
    """Whether members and sizes let position ``i`` have ``code``, or ANY other one."""
    links = layout.links
    for rule in layout.rules:
        segment, first = layout.segments[rule.segment], rule.first
        start, stop = segment.start, segment.stop
        if i < start or i >= stop:
            continue
        if rule.kind == CHOICE:
            return may_flip(links, first, stop - start, x, start, i - start)
        if rule.kind == SIZES and code == ANY:
            return may_leave(links, first, x, start, stop, i)
        if rule.kind == SIZES:
            return may_move(links, first, x, start, stop, i, code)
    return True


@lean_kernel
def may_become(layout: Layout, x: Codes, i: int, code: int) -> bool:
    """Whether position ``i`` may have ``code`` next, on a way of single changes.

    Such a way may leave the solutions by one change, if the next one leads back. It
    leads to solutions that have the same parts.
    """
    old = x[i]
    if is_absent(layout, x, i) or is_code_of_absent(layout, i, code):
        return False
    if layout.places[i].decides == 1:
        x[i] = code
        allowed = keeps_all(layout, x)
        x[i] = old
        return allowed
    return _may_take(layout, x, i, code)


@lean_kernel
def sample_again(layout: Layout, words: Words, x: Codes) -> None:
    """Make a random solution of codes that were drawn without regard to rules."""
    for rule in layout.rules:
        if rule.kind == CHOICE:
            segment = layout.segments[rule.segment]
            start, n = segment.start, segment.stop - segment.start
            least, most = segment.least, segment.most
            sample_choice(layout.links, rule.first, n, x, start, least, most, words)
    settle_all(layout, x, words)


# --- all of it as one kernel, called by its address


@lean_kernel
def answer(
    layout: Layout,
    question: int,
    x: Codes,
    i: int,
    code: int,
    actions: Integers,
    words: Words,
) -> int:
    """Answer one of the questions above; a number, or 1 for yes.

    Parameters
    ----------
    layout
        Layout with rules.
    question
        SETTLE, ..., SAMPLE.
    x, i, code, actions, words
        As of the function that answers; it does not look at the others.
    """
    if question == SETTLE:
        settle_all(layout, x, words)
    elif question == KEEPS:
        return int(keeps_all(layout, x))
    elif question == LIST:
        return int(list_allowed(layout, x, i, actions))
    elif question == MAY_CHANGE:
        return int(may_change(layout, x, i))
    elif question == MAY_BECOME:
        return int(may_become(layout, x, i, code))
    else:
        sample_again(layout, words, x)
    return 1


def answer_address(layout: Any) -> int:
    """Where ``answer`` is in this process; compiles it if need be."""
    if JIT_DISABLED:
        return listed_address(answer)
    return address_of(answer, int64(*_kinds(typeof(layout))))


def _kinds(layout: Any) -> tuple[Any, ...]:
    """Types of the arguments of ``answer``, given that of a layout."""
    codes = int64[::1]
    return layout, int64, codes, int64, int64, codes, uint64[::1]


if JIT_DISABLED:

    def call_answer(
        address: np.uint64,
        layout: Layout,
        question: int,
        x: Codes,
        i: int,
        code: int,
        actions: Integers,
        words: Words,
    ) -> int:
        """Call ``answer``."""
        found = listed_function(address)
        return int(found(layout, question, x, i, code, actions, words))

else:

    @intrinsic
    def call_answer(  # type: ignore[no-untyped-def]
        typing_context, address, layout, question, x, i, code, actions, words
    ):
        """Call ``answer``."""
        return int64(uint64, *_kinds(layout)), emit_call
