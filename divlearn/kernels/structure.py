"""What goes together in a solution, beyond the kinds of its segments.

A layout may hold *rules*, each about one segment. ``settle`` turns any codes that their
positions have into those of a solution that keeps all rules. Whoever makes candidates
calls it. ``keeps_rules`` and ``ruled_actions`` say the same of solutions and of
constructions. Spaces without rules cost a comparison; what rules answer is compiled for
spaces that have some (:mod:`divlearn.kernels.rules.answers`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.basics.typing import Codes, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.rules.answers import (
    KEEPS,
    LIST,
    MAY_BECOME,
    MAY_CHANGE,
    SAMPLE,
    SETTLE,
    call_answer,
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
    if layout.rules.shape[0] > 0:
        call_answer(layout.answer[0], layout, SETTLE, x, 0, 0, x, words)


@lean_kernel
def keeps_rules(layout: Layout, x: Codes) -> bool:
    """Whether ``x``, whose segments are right by themselves, keeps all rules."""
    if layout.rules.shape[0] == 0:
        return True
    return _ask(layout, KEEPS, x, 0, 0, x) == 1


@lean_kernel
def ruled_actions(layout: Layout, x: Codes, i: int, actions: Integers) -> int:
    """List the actions that a rule allows at position ``i`` given ``x[:i]``.

    Writes them into ``actions`` and returns how many there are; -1 if no rule is about
    the position.
    """
    if layout.rules.shape[0] == 0:
        return -1
    return _ask(layout, LIST, x, i, 0, actions)


@lean_kernel
def may_change(layout: Layout, x: Codes, i: int) -> bool:
    """Whether rules let position ``i`` of a solution change alone, in some way."""
    if layout.rules.shape[0] == 0:
        return True
    return _ask(layout, MAY_CHANGE, x, i, 0, x) == 1


@lean_kernel
def may_become(layout: Layout, x: Codes, i: int, code: int) -> bool:
    """Whether position ``i`` may have ``code`` next, on a way of single changes.

    Such a way may leave the solutions by one change, if the next one leads back. It
    leads to solutions that have the same parts.
    """
    if layout.rules.shape[0] == 0:
        return True
    return _ask(layout, MAY_BECOME, x, i, code, x) == 1


@lean_kernel
def sample_ruled(layout: Layout, words: Words, x: Codes) -> None:
    """Make a random solution of codes that were drawn without regard to rules."""
    if layout.rules.shape[0] > 0:
        call_answer(layout.answer[0], layout, SAMPLE, x, 0, 0, x, words)


@lean_kernel
def has_rule(layout: Layout, s: int, kind: int) -> bool:
    """Whether a rule of this kind is about segment ``s``."""
    found = False
    for rule in layout.rules:
        found = found or (rule.segment == s and rule.kind == kind)
    return found


@lean_kernel
def _ask(
    layout: Layout, question: int, x: Codes, i: int, code: int, actions: Integers
) -> int:
    """Ask what needs no random words; the address stands in for them, unread."""
    where = layout.answer
    return call_answer(where[0], layout, question, x, i, code, actions, where)
