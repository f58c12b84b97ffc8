"""Solutions for every preference, by a network, without search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as numbers_from
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.basics.typing import Codes, Floats
from divlearn.lab.baselines.pmoco.model import Decoder, Parameters, encode, make_decoder
from divlearn.lab.baselines.pmoco.rollout import Rollouts, roll_out
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.pmoco.tasks import Instances, Task

#: Numbers that all solutions of one call may need for their choices; more would not fit
#: into the caches.
ROOM = 300_000
#: Keeps the random numbers of sampling apart from those of training.
SAMPLING = 0x53414D50
#: Rounds of samples without anything new after which sampling ends.
PATIENCE = 20
#: By how much the temperature rises in every round of samples.
WARMING = 0.25


class Builder:
    """Builds solutions of one instance, never the same one twice.

    Parameters
    ----------
    task, shape, parameters
        The network.
    problem
        What to solve.
    preferences
        Preferences in the order of their turn, shape (W, m).
    variants
        Most equivalent instances to try, see :meth:`Task.variants`.
    samples
        Rounds of drawn solutions after the most probable ones; None for any number.
        They are drawn more and more freely, since the first rounds find what is
        probable.
    seed
        Seed of the draws.

    Attributes
    ----------
    built
        Solutions built so far, including known ones.
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
            yield from self._round(nodes, variant, None, 1.0)
        idle = 0
        for number in islice(numbers_from(), self._samples):
            before = len(self._known)
            temperature = 1.0 + WARMING * number
            variant = number % len(nodes)
            yield from self._round(nodes, variant, self._generator, temperature)
            idle = 0 if len(self._known) > before else idle + 1
            if idle == PATIENCE:
                return

    def _round(
        self,
        nodes: Tensor,
        variant: int,
        generator: torch.Generator | None,
        temperature: float,
    ) -> Iterator[Codes]:
        """Build solutions of one variant for all preferences."""
        chunk = max(1, ROOM // (nodes.shape[1] ** 2 * (self._shape.heads + 2)))
        for part in self._preferences.split(chunk):
            decoder = self._decoder(nodes[variant], part)
            rollouts = roll_out(
                self._task,
                decoder,
                self._copies(variant, len(part)),
                generator,
                temperature=temperature,
                remember=False,
            )
            for solution in _solutions(rollouts):
                self.built += 1
                codes = self._task.codes(self._problem, solution)
                key = codes.tobytes()
                if key not in self._known:
                    self._known.add(key)
                    yield codes

    def _decoder(self, nodes: Tensor, preferences: Tensor) -> Decoder:
        """Shape the decoder by preferences, for one instance, shape (n, d)."""
        same = nodes.expand(len(preferences), -1, -1).contiguous()
        with torch.no_grad():
            return make_decoder(
                self._parameters, self._task, self._shape, same, preferences
            )

    def _copies(self, variant: int, count: int) -> Instances:
        """Return one variant several times."""
        return {
            name: part[variant : variant + 1].expand(count, *part.shape[1:])
            for name, part in self._variants.items()
        }


def _solutions(rollouts: Rollouts) -> Iterator[Codes]:
    """Nodes of each solution, in order."""
    nodes = rollouts.nodes.flatten(0, 1).numpy()
    counted = rollouts.counted.flatten(0, 1).numpy()
    for row, keep in zip(nodes, counted, strict=True):
        yield row[keep]
