"""What goes together in a solution, beyond the kinds of its segments.

A layout may hold *rules*. ``settle`` turns any codes that their positions have into
those of a solution that keeps all rules. Whoever makes candidates calls it; spaces
without rules cost a comparison.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
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
