"""Crossover: a solution of which every position comes from one of two others."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, SUBSET, Layout
from divlearn.kernels.random import below


@lean_kernel
def mix(layout: Layout, words: Words, a: Codes, b: Codes, y: Codes) -> None:
    """Draw every position of ``y`` from ``a`` or ``b``.

    Permutations, and subsets whose size is limited, come from one of them as a whole.
    """
    for segment in layout.segments:
        start, stop, kind = segment.start, segment.stop, segment.kind
        free = segment.least == 0 and segment.most == stop - start
        whole = kind == PERMUTATION or (kind == SUBSET and not free)
        first = below(words, 2) == 0
        for i in range(start, stop):
            if not whole:
                first = below(words, 2) == 0
            y[i] = a[i] if first else b[i]
