"""Knapsacks with two values and one capacity."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.pmoco.tasks.base import Instances, Task, Walk, unit_factor

#: Largest capacity of the family, in mean weights times two.
MOST = 25.0


class PackingWalk(Walk):
    """Knapsacks that are filled until nothing more fits."""

    def __init__(self, instances: Instances, knapsacks: int) -> None:
        self._weights = instances["weights"].unsqueeze(1)  # (N, 1, n)
        self._values = instances["values"]
        self._capacity = instances["capacity"].view(-1, 1)
        count, n = instances["weights"].shape
        self._left = self._capacity.expand(count, knapsacks)
        self._chosen = torch.zeros(count, knapsacks, n, dtype=torch.bool)
        self.last = torch.zeros(count, knapsacks, dtype=torch.int64)
        self._look()

    def step(self, nodes: Tensor) -> None:
        """Put these items in, if anything fits."""
        place = nodes.unsqueeze(-1)
        weights = self._weights.expand_as(self._chosen).gather(2, place).squeeze(-1)
        self._left = torch.where(self.done, self._left, self._left - weights)
        self._chosen = self._chosen.scatter(
            2, place, self._chosen.gather(2, place) | ~self.done.unsqueeze(-1)
        )
        self.last = nodes
        self._look()

    def _look(self) -> None:
        """Find what still fits."""
        shut = self._chosen | (self._weights > self._left.unsqueeze(-1))
        self.done = shut.all(dim=-1)
        shut = shut & ~self.done.unsqueeze(-1)
        self.closed = torch.zeros(shut.shape).masked_fill(shut, -torch.inf)
        self.scalars = (self._left / self._capacity).unsqueeze(-1).float()

    def costs(self) -> Tensor:
        """Values of the chosen items, negative because they are maximised."""
        return -(self._chosen.float() @ self._values)


class Knapsacks(Task):
    """Items with two values: :class:`divlearn.problems.Knapsack`."""

    family = "bikp"
    num_objectives = 2
    num_features = 3
    num_scalars = 1
    context = ("mean",)

    def draw(self, rng: np.random.Generator, count: int, size: int) -> Instances:
        """Draw weights and values uniformly, as the named instances do."""
        return {
            "weights": torch.from_numpy(rng.random((count, size))),
            "values": torch.from_numpy(rng.random((count, size, 2), np.float32)),
            "capacity": torch.full((count,), _capacity(size), dtype=torch.float64),
        }

    def read(self, problem: Any) -> Instances:
        """Return the items, with weights and values scaled to the family's."""
        factors = [unit_factor(column.max()) for column in problem.values.T]
        values = (problem.values * factors).astype(np.float32)
        return {
            "weights": torch.from_numpy(problem.weights[:, 0].copy()).unsqueeze(0),
            "values": torch.from_numpy(values).unsqueeze(0),
            "capacity": torch.from_numpy(problem.capacity.copy()),
        }

    def variants(self, instance: Instances, count: int) -> Instances:
        """There are none: items have no places that could be rotated."""
        return instance

    def features(self, instances: Instances) -> Tensor:
        """Weight, on the family's scale of capacities, and values."""
        weights = instances["weights"]
        scale = _capacity(weights.shape[1]) / instances["capacity"]
        scaled = (weights * scale.view(-1, 1)).float().unsqueeze(-1)
        return torch.cat([scaled, instances["values"]], dim=-1)

    def starts(self, instances: Instances) -> Tensor:
        """Every item; the lightest in the place of one that does not fit."""
        weights = instances["weights"]
        count, n = weights.shape
        items = torch.arange(n).expand(count, n)
        fits = weights <= instances["capacity"].view(-1, 1)
        lightest = weights.argmin(dim=1, keepdim=True)
        return torch.where(fits, items, lightest)

    def begin(self, instances: Instances, count: int) -> PackingWalk:
        """Nothing is packed yet."""
        return PackingWalk(instances, count)

    def ideal(self, instances: Instances) -> Tensor:
        """Minus the most of each value, if the last item could be divided."""
        values, weights = instances["values"], instances["weights"].unsqueeze(-1)
        order = (values / weights).argsort(dim=1, descending=True)
        loads = weights.expand_as(values).gather(1, order)
        before = loads.cumsum(dim=1) - loads
        room = (instances["capacity"].view(-1, 1, 1) - before).clamp(min=0.0)
        share = (room / loads).clamp(max=1.0)
        return -(share * values.gather(1, order)).sum(dim=1).float()

    def codes(self, problem: Any, nodes: Codes) -> Codes:
        """Mark the chosen items."""
        marks = np.zeros(len(problem.weights), np.int64)
        marks[nodes] = 1
        return marks


def _capacity(size: int) -> float:
    """Capacity of the named instances."""
    return min(size / 4.0, MOST)
