"""Maps rotated and mirrored: the same lengths, other coordinates."""

from __future__ import annotations

import torch
from torch import Tensor

#: Symmetries of the square.
SYMMETRIES = 8


def turn(places: Tensor, count: int) -> Tensor:
    """Rotate and mirror the maps of one instance, each by itself.

    Parameters
    ----------
    places
        Coordinates in the unit square, shape (1, n, 2 * m).
    count
        How many instances to return; there are at most 8 ** m. The first is the given
        one, and the first eight treat all maps alike.

    Returns
    -------
    Array of shape (min(count, 8 ** m), n, 2 * m).
    """
    maps = places[0].view(places.shape[1], -1, 2)
    m = maps.shape[1]
    alike = [(k,) * m for k in range(SYMMETRIES)]
    others = torch.cartesian_prod(*[torch.arange(SYMMETRIES)] * m).view(-1, m)
    mixed = [tuple(row) for row in others.tolist() if len(set(row)) > 1]
    turned = [
        torch.cat([_turn_one(maps[:, k], way) for k, way in enumerate(ways)], dim=-1)
        for ways in (alike + mixed if m > 1 else alike)[:count]
    ]
    return torch.stack(turned)


def _turn_one(places: Tensor, way: int) -> Tensor:
    """Apply one of the eight symmetries of the square, shape (n, 2)."""
    x, y = places[:, 0], places[:, 1]
    if way & 1:
        x = 1.0 - x
    if way & 2:
        y = 1.0 - y
    return torch.stack([y, x] if way & 4 else [x, y], dim=-1)
