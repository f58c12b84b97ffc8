"""Solutions for every preference, by a network and without search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as numbers_from
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.baselines.pmoco.model import Parameters, encode, make_decoder
from divlearn.baselines.pmoco.rollout import roll_out
from divlearn.baselines.pmoco.shape import Shape
from divlearn.baselines.pmoco.tasks import Instances, Task
from divlearn.typing import Codes, Floats

#: Numbers that all solutions of one call may need for their choices.
ROOM = 4_000_000
#: Keeps random numbers of sampling apart from those of training.
SAMPLING = 0x53414D50
#: Rounds of samples without anything new after which there is nothing more to find.
PATIENCE = 20


class Builder:
    """Builds solutions of one instance, the same one never twice.

    Parameters
    ----------
    task, shape, parameters
        The network.
    problem
        What to solve.
    preferences
        Preferences in the order of their turn, shape (W, m).
    variants
        Equivalent instances to try at most, see :meth:`Task.variants`.
    samples
        Rounds of drawn solutions after the most probable ones; None for any number.
    seed
        Seed of the draws.

    Attributes
    ----------
    built
        Solutions built so far, those included that were known.
    """

    def __init__(
        self,
        task: Task,
        shape: Shape,
        parameters: Parameters,
        problem: Any,
        preferences: Floats,
        variants: int,
        samples: int | None,
        seed: int,
    ) -> None:
        self._task, self._shape, self._parameters = task, shape, parameters
        self._problem = problem
        self._preferences = torch.from_numpy(preferences).float()
        self._variants = task.variants(task.read(problem), variants)
        self._samples = samples
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(SAMPLING,)))
        self._generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        self._known: set[bytes] = set()
        self.built = 0

    def __iter__(self) -> Iterator[Codes]:
        """Yield new solutions as codes: the most probable ones, then drawn ones."""
        with torch.no_grad():
            nodes = encode(
                self._parameters, self._shape, self._task.features(self._variants)
            )
        for variant in range(len(nodes)):
            yield from self._round(nodes, variant, None)
        idle = 0
        for number in islice(numbers_from(), self._samples):
            before = len(self._known)
            yield from self._round(nodes, number % len(nodes), self._generator)
            idle = 0 if len(self._known) > before else idle + 1
            if idle == PATIENCE:
                return

    def _round(
        self, nodes: Tensor, variant: int, generator: torch.Generator | None
    ) -> Iterator[Codes]:
        """Build solutions of one variant for all preferences."""
        chunk = max(1, ROOM // (nodes.shape[1] ** 2 * (self._shape.heads + 2)))
        for part in self._preferences.split(chunk):
            for solution in self._solutions(nodes, variant, part, generator):
                self.built += 1
                codes = self._task.codes(self._problem, solution)
                key = codes.tobytes()
                if key not in self._known:
                    self._known.add(key)
                    yield codes

    def _solutions(
        self,
        nodes: Tensor,
        variant: int,
        preferences: Tensor,
        generator: torch.Generator | None,
    ) -> list[Codes]:
        """Nodes of the solutions for some preferences, from every start."""
        copies = len(preferences)
        instances: Instances = {
            name: part[variant : variant + 1].expand(copies, *part.shape[1:])
            for name, part in self._variants.items()
        }
        with torch.no_grad():
            same = nodes[variant : variant + 1].expand(copies, -1, -1).contiguous()
            decoder = make_decoder(
                self._parameters, self._task, self._shape, same, preferences
            )
        rollouts = roll_out(self._task, decoder, instances, generator, remember=False)
        chosen = rollouts.nodes.flatten(0, 1).numpy()
        counted = rollouts.counted.flatten(0, 1).numpy()
        return [row[keep] for row, keep in zip(chosen, counted, strict=True)]
