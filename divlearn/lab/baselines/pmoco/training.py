"""Training by policy gradient, with a baseline shared by an instance's solutions."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from divlearn.basics.typing import Floats
from divlearn.lab.baselines.pmoco.gradient import policy_gradient
from divlearn.lab.baselines.pmoco.model import (
    Decoder,
    Parameters,
    encode,
    make_decoder,
    new_parameters,
)
from divlearn.lab.baselines.pmoco.plan import Plan
from divlearn.lab.baselines.pmoco.rollout import roll_out
from divlearn.lab.baselines.pmoco.tasks import Instances, task_of

#: Keeps the random numbers of training apart from those of numbered instances.
TRAINING = 0x504D4F43
#: Steps in which the learning rate rises, as a share of all and at most.
WARM_SHARE, WARM_STEPS = 0.05, 200
#: Last learning rate, as a share of the highest.
LAST_RATE = 0.02
#: Largest norm of a gradient.
MAX_NORM = 1.0
#: Adam's decay rates, and the number that keeps it from dividing by zero.
BETAS, EPSILON = (0.9, 0.999), 1e-8


class Trainer:
    """A network in training.

    The random numbers of a step follow from the seed and the number of the step.
    Everything else that a step depends on is in the parameters and Adam's two moments.
    So a training that was saved and read continues as if it had never stopped.

    Parameters
    ----------
    plan
        All choices of the training.
    parameters
        Initial parameters; random if None.

    Attributes
    ----------
    step_count
        Steps made.
    log
        One row per epoch: mean cost of the solutions drawn, mean logarithm of their
        probability, seconds by the clock and of the processor.
    rows
        The same for every step of the current epoch.

    Examples
    --------
    >>> from divlearn.lab.baselines.pmoco.shape import Shape
    >>> tiny = Plan("bitsp-5", epochs=1, steps=2, shape=Shape(8, 1, 2, 8, 1))
    >>> trainer = Trainer(tiny)
    >>> trainer.advance()
    >>> trainer.advance()
    >>> trainer.finished, trainer.log[0]["epoch"]
    (True, 1)
    """

    def __init__(self, plan: Plan, parameters: Parameters | None = None) -> None:
        self.plan = plan
        self.task = task_of(plan.family)
        self.parameters = parameters or new_parameters(self.task, plan.shape, plan.seed)
        self.moments = {
            name: (torch.zeros_like(value), torch.zeros_like(value))
            for name, value in self.parameters.items()
        }
        for value in self.parameters.values():
            value.requires_grad_(True)
        self.step_count = 0
        self.log: list[dict[str, Any]] = []
        self.rows: list[tuple[float, ...]] = []

    @property
    def epoch(self) -> int:
        """Epochs made."""
        return self.step_count // self.plan.steps

    @property
    def finished(self) -> bool:
        """Whether all epochs are done."""
        return self.step_count >= self.plan.total_steps

    def advance(self) -> None:
        """Make one step; the last one of an epoch writes a row of the log."""
        wall, processor = time.perf_counter(), time.process_time()
        cost, chance = self.step()
        seconds = time.perf_counter() - wall, time.process_time() - processor
        self.rows.append((cost, chance, *seconds))
        if self.step_count % self.plan.steps == 0:
            self._end_epoch()

    def _end_epoch(self) -> None:
        """Summarise an epoch."""
        rows = np.array(self.rows)
        cost, chance = rows[:, :2].mean(axis=0)
        wall, processor = rows[:, 2:].sum(axis=0)
        self.log.append(
            {
                "epoch": self.epoch,
                "cost": round(float(cost), 6),
                "log_probability": round(float(chance), 6),
                "seconds": round(float(wall), 2),
                "cpu_seconds": round(float(processor), 2),
            }
        )
        self.rows = []

    def step(self) -> tuple[float, float]:
        """Make one step; return mean cost and mean log probability of its solutions."""
        plan = self.plan
        source = np.random.SeedSequence(
            plan.seed, spawn_key=(TRAINING, self.step_count)
        )
        rng = np.random.default_rng(source)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        preferences = torch.from_numpy(
            draw_preferences(rng, plan.preferences, self.task.num_objectives)
        ).float()
        drawn = self.task.draw(rng, plan.preferences * plan.instances, plan.size)
        nodes = encode(self.parameters, plan.shape, self.task.features(drawn))
        decoder = make_decoder(
            self.parameters, self.task, plan.shape, nodes, preferences
        )
        rollouts = roll_out(
            self.task,
            decoder.detached(),
            drawn,
            generator,
            starts=some_starts(self.task.starts(drawn), plan.starts, rng),
        )
        costs = scalarize(
            self._scaled(self._distances(rollouts.costs, drawn)),
            preferences.repeat_interleave(plan.instances, dim=0),
            plan.scalarization,
        )
        likelihood, gradients = policy_gradient(decoder, rollouts, advantages(costs))
        self._descend(decoder, gradients)
        self.step_count += 1
        return float(costs.mean()), float(likelihood.mean())

    def _distances(self, costs: Tensor, instances: Instances) -> Tensor:
        """Costs beyond the ideal point, where the scalarization needs one."""
        if self.plan.scalarization == "weighted-sum":
            return costs
        return costs - self.task.ideal(instances).unsqueeze(1)

    def _scaled(self, costs: Tensor) -> Tensor:
        """Make objectives equally important."""
        if not self.task.scale:
            return costs
        return costs * torch.tensor(self.task.scale)

    def _descend(self, decoder: Decoder, slopes: Sequence[Tensor]) -> None:
        """Move the parameters as Adam does, by the loss's slopes at the decoder."""
        names, values = zip(*self.parameters.items(), strict=True)
        gradients = torch.autograd.grad(decoder.tensors(), values, slopes)
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        factor = float((MAX_NORM / (norm + EPSILON)).clamp(max=1.0))
        made = self.step_count + 1
        rate = learning_rate(self.plan, self.step_count)
        correct = [1.0 - beta**made for beta in BETAS]
        with torch.no_grad():
            for name, value, gradient in zip(names, values, gradients, strict=True):
                mean, square = self.moments[name]
                scaled = gradient * factor
                mean.lerp_(scaled, 1.0 - BETAS[0])
                square.mul_(BETAS[1]).addcmul_(scaled, scaled, value=1.0 - BETAS[1])
                spread = (square / correct[1]).sqrt_().add_(EPSILON)
                value.addcdiv_(mean, spread, value=-rate / correct[0])


def learning_rate(plan: Plan, step: int) -> float:
    """Rise for a while, then fall along a cosine."""
    warm = max(1.0, min(WARM_STEPS, WARM_SHARE * plan.total_steps))
    rise = min(1.0, (step + 1) / warm)
    fall = (1.0 + math.cos(math.pi * min(1.0, step / plan.total_steps))) / 2.0
    return plan.rate * rise * (LAST_RATE + (1.0 - LAST_RATE) * fall)


def draw_preferences(
    rng: np.random.Generator, count: int, num_objectives: int
) -> Floats:
    """Draw preferences uniformly from the simplex, shape (count, m)."""
    return rng.dirichlet(np.ones(num_objectives), count)


def scalarize(costs: Tensor, preferences: Tensor, how: str) -> Tensor:
    """Combine the objectives (N, S, m) into one number by preferences (N, m)."""
    weighted = costs * preferences.unsqueeze(1)
    return weighted.sum(dim=-1) if how == "weighted-sum" else weighted.amax(dim=-1)


def some_starts(starts: Tensor, count: int, rng: np.random.Generator) -> Tensor:
    """Draw so many columns of the starts (N, S), the same ones for all; 0 means all."""
    if not 0 < count < starts.shape[1]:
        return starts
    return starts[:, torch.from_numpy(rng.permutation(starts.shape[1])[:count])]


def advantages(costs: Tensor) -> Tensor:
    """Compare every solution with the others of its instance, shape (N, S).

    Differences from their mean, in standard deviations, so that all preferences and
    instances count alike, whatever the size of their costs.
    """
    spread, mean = torch.std_mean(costs, dim=1, keepdim=True)
    return (costs - mean) / (spread + EPSILON)
