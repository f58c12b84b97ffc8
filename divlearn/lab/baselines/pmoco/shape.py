"""``Shape``: how large a network is."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError


@dataclass(frozen=True)
class Shape:
    """How large a network is.

    Parameters
    ----------
    width
        Numbers that describe a node, a multiple of ``heads``.
    layers
        Attention layers of the encoder.
    heads
        Attention heads, in encoder and decoder.
    inner
        Width of the hidden layers, in encoder and hypernetwork.
    codes
        Numbers by which a preference shapes each matrix of the decoder.

    Examples
    --------
    >>> Shape(width=32)
    Shape(width=32, layers=3, heads=4, inner=256, codes=4)
    """

    width: int = 64
    layers: int = 3
    heads: int = 4
    inner: int = 256
    codes: int = 4

    def __post_init__(self) -> None:
        for name in ("width", "layers", "heads", "inner", "codes"):
            require_whole(name, getattr(self, name), least=1, most=4_096)
        if self.width % self.heads:
            raise InputError(
                f"width must be a multiple of heads, got {self.width} and {self.heads}."
            )
