"""Random codes of one segment, without regard to rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.cells import draw_code
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, shuffle, uniform

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout

PERMUTATION, SUBSET = 0, 1


@lean_kernel
def draw_segment(layout: Layout, s: int, words: Words, x: Codes) -> None:
    """Draw the codes of segment ``s`` into ``x``."""
    segment = layout.segments[s]
    start, stop, kind = segment.start, segment.stop, segment.kind
    if kind == PERMUTATION:
        for i in range(start, stop):
            x[i] = i - start
        shuffle(words, x, start, stop)
    elif kind == SUBSET:
        _draw_subset(words, x, start, stop, segment.least, segment.most)
    else:
        for i in range(start, stop):
            x[i] = draw_code(layout, i, words)


@lean_kernel
def _draw_subset(
    words: Words, x: Codes, start: int, stop: int, least: int, most: int
) -> None:
    """Draw the bits ``x[start:stop]`` with ``least`` to ``most`` ones."""
    if least == 0 and most == stop - start:
        for i in range(start, stop):
            x[i] = below(words, 2)
        return
    missing = least + below(words, most - least + 1)
    for i in range(start, stop):
        if uniform(words) * (stop - i) < missing:
            x[i] = 1
            missing -= 1
        else:
            x[i] = 0
