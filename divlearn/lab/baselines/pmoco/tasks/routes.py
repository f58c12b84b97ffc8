"""Vehicle routes, short in total and fair in length."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.pmoco.tasks.base import Instances, Task, Walk, unit_places
from divlearn.lab.baselines.pmoco.tasks.symmetry import turn
from divlearn.lab.baselines.route_codes import codes_of
from divlearn.problems.built_in.cvrp import CAPACITIES

DEPOT = 0


class RouteWalk(Walk):
    """Routes under construction; node 0 is the depot, where the next one begins."""

    def __init__(self, instances: Instances, starts: int) -> None:
        self._places = instances["places"]
        self._demands = instances["demands"].unsqueeze(1)  # (N, 1, n + 1)
        self._capacity = instances["capacity"].view(-1, 1)
        count, nodes = self._places.shape[:2]
        self._visited = torch.zeros(count, starts, nodes, dtype=torch.bool)
        self._room = self._capacity.expand(count, starts)
        self._route = torch.zeros(count, starts)
        self._longest = torch.zeros(count, starts)
        self._total = torch.zeros(count, starts)
        self.last = torch.zeros(count, starts, dtype=torch.int64)
        self._look()

    def step(self, nodes: Tensor) -> None:
        """Drive to these nodes, if anyone is left to serve."""
        moves = ~self.done
        here, there = self._at(self.last), self._at(nodes)
        way = torch.where(moves, (here - there).norm(dim=-1), 0.0)
        home = moves & (nodes == DEPOT)
        self._total = self._total + way
        self._route = self._route + way
        self._longest = torch.maximum(self._longest, self._route * home)
        self._route = self._route * ~home
        place = nodes.unsqueeze(-1)
        load = self._demands.expand(self._visited.shape).gather(2, place).squeeze(-1)
        room = torch.where(home, self._capacity, self._room - load)
        self._room = torch.where(moves, room, self._room)
        self._visited = self._visited.scatter(2, place, True)
        self.last = torch.where(moves, nodes, self.last)
        self._look()

    def _at(self, nodes: Tensor) -> Tensor:
        """Places of nodes, shape (N, S, 2)."""
        return self._places.gather(1, nodes.unsqueeze(-1).expand(-1, -1, 2))

    def _look(self) -> None:
        """Find who can still be served, and whether a return makes sense."""
        self.done = self._visited[:, :, 1:].all(dim=-1)
        shut = self._visited | (self._demands > self._room.unsqueeze(-1))
        shut[:, :, DEPOT] = self.last == DEPOT
        shut = shut & ~self.done.unsqueeze(-1)
        self.closed = torch.zeros(shut.shape).masked_fill(shut, -torch.inf)
        room = (self._room / self._capacity).float()
        self.scalars = torch.stack([room, self._route, self._longest], dim=-1)

    def costs(self) -> Tensor:
        """Total length and longest route, with all vehicles back at the depot."""
        depot = self._places[:, :1].expand(-1, self.last.shape[1], -1)
        back = (self._at(self.last) - depot).norm(dim=-1)
        longest = torch.maximum(self._longest, self._route + back)
        return torch.stack([self._total + back, longest], dim=-1)


class Routes(Task):
    """Routes from a depot: :class:`divlearn.problems.CVRP` with places."""

    family = "bicvrp"
    num_objectives = 2
    num_features = 4
    num_scalars = 3
    context = ("last", "mean")
    #: Along a front the total length changes about three times as much as the longest.
    scale = (1.0, 3.0)

    def draw(self, rng: np.random.Generator, count: int, size: int) -> Instances:
        """Draw customers and demands as the named instances do."""
        places = rng.random((count, size + 1, 2), np.float32)
        places[:, DEPOT] = 0.5
        demands = rng.integers(1, 10, (count, size + 1)).astype(np.float64)
        demands[:, DEPOT] = 0.0
        sizes, capacities = zip(*CAPACITIES, strict=True)
        capacity = float(round(float(np.interp(size, sizes, capacities))))
        return {
            "places": torch.from_numpy(places),
            "demands": torch.from_numpy(demands),
            "capacity": torch.full((count,), capacity, dtype=torch.float64),
        }

    def read(self, problem: Any) -> Instances:
        """Return the depot and the customers, in the unit square."""
        places = unit_places(np.vstack([problem.depot, problem.customers]))
        demands = np.append(0.0, problem.demands)
        return {
            "places": torch.from_numpy(places).unsqueeze(0),
            "demands": torch.from_numpy(demands).unsqueeze(0),
            "capacity": torch.tensor([problem.capacity], dtype=torch.float64),
        }

    def variants(self, instance: Instances, count: int) -> Instances:
        """Rotate and mirror the map in 8 ways."""
        places = turn(instance["places"], count)
        return {
            "places": places,
            "demands": instance["demands"].expand(len(places), -1),
            "capacity": instance["capacity"].expand(len(places)),
        }

    def features(self, instances: Instances) -> Tensor:
        """Place, demand as a share of the capacity, and which one is the depot."""
        demands = instances["demands"] / instances["capacity"].view(-1, 1)
        depot = torch.zeros(demands.shape)
        depot[:, DEPOT] = 1.0
        columns = torch.stack([demands.float(), depot], dim=-1)
        return torch.cat([instances["places"], columns], dim=-1)

    def starts(self, instances: Instances) -> Tensor:
        """Every customer may be the first."""
        count, nodes = instances["places"].shape[:2]
        return torch.arange(1, nodes).expand(count, nodes - 1)

    def begin(self, instances: Instances, count: int) -> RouteWalk:
        """All vehicles are at the depot."""
        return RouteWalk(instances, count)

    def codes(self, problem: Any, nodes: Codes) -> Codes:
        """Translate routes into what the problem's decoder understands.

        Routes in another order or direction are the same, except to the greedy decoder,
        which does not see where the network returned.
        """
        routes = [part[part != DEPOT] - 1 for part in _cut(nodes)]
        if problem.decoder != "greedy":
            routes = [r if r[0] <= r[-1] else r[::-1] for r in routes]
            routes.sort(key=_first)
        return codes_of(problem, routes)


def _cut(nodes: Codes) -> list[Codes]:
    """Cut a walk at the depot, to which it never goes twice in a row."""
    return np.split(nodes, np.flatnonzero(nodes == DEPOT))


def _first(route: Codes) -> int:
    """Customer by which routes are put in order."""
    return int(route[0])
