"""``Task``: what a network must know about a family of problems."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from divlearn.basics.typing import Codes, Floats

#: The arrays that make up N instances, each of shape (N, ...).
Instances = dict[str, Tensor]


class Walk(ABC):
    """N * S solutions under construction, node by node.

    Attributes
    ----------
    closed
        0 for nodes that may be chosen next, -inf for others, shape (N, S, n). When a
        solution is complete, every node is open, and none is taken any more.
    scalars
        What else the next choice depends on, shape (N, S, k).
    last
        Their current nodes, shape (N, S).
    done
        Which are complete, shape (N, S).
    """

    closed: Tensor
    scalars: Tensor
    last: Tensor
    done: Tensor

    @abstractmethod
    def step(self, nodes: Tensor) -> None:
        """Move to these nodes, shape (N, S)."""

    @abstractmethod
    def costs(self) -> Tensor:
        """Objectives of the complete solutions, minimised, shape (N, S, m)."""


class Task(ABC):
    """What a network must know about a family of problems.

    Attributes
    ----------
    family
        Name of the problems, such as ``"bitsp"``.
    num_objectives, num_features, num_scalars
        Numbers per solution, per node, and per solution under construction.
    context
        Which nodes a choice depends on: ``"first"``, ``"last"``, the ``"mean"``.
    scale
        Factors that make the objectives equally important under equal preferences,
        shape (m,); empty for none.
    """

    family: ClassVar[str]
    num_objectives: ClassVar[int]
    num_features: ClassVar[int]
    num_scalars: ClassVar[int]
    context: ClassVar[tuple[str, ...]]
    scale: ClassVar[tuple[float, ...]] = ()

    @abstractmethod
    def draw(self, rng: np.random.Generator, count: int, size: int) -> Instances:
        """Draw instances from the family's distribution."""

    @abstractmethod
    def read(self, problem: Any) -> Instances:
        """Return the one instance that a problem holds."""

    @abstractmethod
    def variants(self, instance: Instances, count: int) -> Instances:
        """Return an instance and up to count - 1 others with the same solutions."""

    @abstractmethod
    def features(self, instances: Instances) -> Tensor:
        """What the network is told about every node, shape (N, n, f)."""

    @abstractmethod
    def starts(self, instances: Instances) -> Tensor:
        """Nodes that solutions may begin with, shape (N, S)."""

    @abstractmethod
    def begin(self, instances: Instances, count: int) -> Walk:
        """Return so many empty solutions of each instance."""

    def ideal(self, instances: Instances) -> Tensor:
        """Costs that no solution is below, shape (N, m): 0, as of lengths."""
        count = len(next(iter(instances.values())))
        return torch.zeros(count, self.num_objectives)

    @abstractmethod
    def codes(self, problem: Any, nodes: Codes) -> Codes:
        """Turn the nodes of one solution, in order, into codes of the problem."""


def unit_factor(largest: float) -> float:
    """The factor that brings numbers from 0 to ``largest`` close to 1.

    Numbers of about that size stay as they are, bit for bit.

    Examples
    --------
    >>> unit_factor(0.9), unit_factor(4.0), unit_factor(0.0)
    (1.0, 0.25, 1.0)
    """
    return 1.0 if 0.5 <= largest <= 1.0 or largest <= 0.0 else 1.0 / float(largest)


def unit_places(places: Floats) -> NDArray[np.float32]:
    """Move and shrink a map, shape (n, 2), into the unit square, keeping its shape.

    A map that already lies there and fills half of a side stays as it is.
    """
    low, spread = places.min(axis=0), float(np.ptp(places, axis=0).max())
    if low.min() >= 0.0 and places.max() <= 1.0 and spread >= 0.5:
        return places.astype(np.float32)
    inside: NDArray[np.float32] = ((places - low) / (spread or 1.0)).astype(np.float32)
    return inside
