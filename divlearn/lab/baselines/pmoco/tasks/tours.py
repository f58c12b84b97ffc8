"""Tours on several maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.pmoco.tasks.base import Instances, Task, Walk, unit_places
from divlearn.lab.baselines.pmoco.tasks.symmetry import turn
from divlearn.problems.built_in.tsp import canonical_tour


class TourWalk(Walk):
    """Tours under construction; the last city leads back to the first."""

    def __init__(self, places: Tensor, tours: int) -> None:
        count, n = places.shape[:2]
        self._places = places
        self.closed = torch.zeros(count, tours, n)
        self.scalars = torch.zeros(count, tours, 0)
        self.last = torch.zeros(count, tours, dtype=torch.int64)
        self.done = torch.zeros(count, tours, dtype=torch.bool)
        self._visited: list[Tensor] = []

    def step(self, nodes: Tensor) -> None:
        """Move to these cities."""
        self._visited.append(nodes)
        self.last = nodes
        if len(self._visited) == self._places.shape[1]:
            self.done = torch.ones_like(self.done)
            self.closed = torch.zeros_like(self.closed)
        else:
            self.closed = self.closed.scatter(2, nodes.unsqueeze(-1), -torch.inf)

    def costs(self) -> Tensor:
        """Length of the tours on each map."""
        tours = torch.stack(self._visited, dim=-1)
        count, starts, n = tours.shape
        rows = torch.arange(count)[:, None, None]
        steps = self._places[rows, tours] - self._places[rows, tours.roll(-1, -1)]
        return steps.view(count, starts, n, -1, 2).norm(dim=-1).sum(dim=2)


class Tours(Task):
    """Tours on ``m`` maps: :class:`divlearn.problems.TSP` with coordinates."""

    num_scalars = 0
    context = ("first", "last")

    def draw(self, rng: np.random.Generator, count: int, size: int) -> Instances:
        """Draw cities uniformly on every map."""
        places = rng.random((count, size, 2 * self.num_objectives), np.float32)
        return {"places": torch.from_numpy(places)}

    def read(self, problem: Any) -> Instances:
        """Return the cities, each map in the unit square."""
        maps = problem.coordinates.transpose(1, 0, 2)
        places = np.hstack([unit_places(places) for places in maps])
        return {"places": torch.from_numpy(places).unsqueeze(0)}

    def variants(self, instance: Instances, count: int) -> Instances:
        """Rotate and mirror every map by itself, in 8 ** m ways."""
        return {"places": turn(instance["places"], count)}

    def features(self, instances: Instances) -> Tensor:
        """Coordinates of all maps."""
        return instances["places"]

    def starts(self, instances: Instances) -> Tensor:
        """A tour may begin at every city."""
        count, n = instances["places"].shape[:2]
        return torch.arange(n).expand(count, n)

    def begin(self, instances: Instances, count: int) -> TourWalk:
        """Nothing is visited yet."""
        return TourWalk(instances["places"], count)

    def codes(self, problem: Any, nodes: Codes) -> Codes:
        """A tour is its cities in order; rotated, it is the same tour."""
        return canonical_tour(nodes, problem.symmetric)


class TwoMaps(Tours):
    """Tours on two maps."""

    family = "bitsp"
    num_objectives = 2
    num_features = 4


class ThreeMaps(Tours):
    """Tours on three maps."""

    family = "tritsp"
    num_objectives = 3
    num_features = 6
