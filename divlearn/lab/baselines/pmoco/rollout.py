"""Solutions built by a network, and how probable they were."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor

from divlearn.lab.baselines.pmoco.model import Decoder
from divlearn.lab.baselines.pmoco.tasks.base import Instances, Task

LEAST = torch.finfo(torch.float32).tiny


@dataclass(frozen=True)
class Rollouts:
    """Solutions of N instances, S each, with at most T choices after the first node.

    Attributes
    ----------
    nodes
        Nodes in order, including the first one, shape (N, S, T + 1).
    counted
        Whether a node belongs to the solution, which may be complete before others
        are, shape (N, S, T + 1).
    last, scalars, closed
        What each choice was made from: (N, S, T), (N, S, T, k), (N, S, T, n).
    costs
        Objectives, minimised, shape (N, S, m).
    """

    nodes: Tensor
    counted: Tensor
    last: Tensor
    scalars: Tensor
    closed: Tensor
    costs: Tensor

    def part(self, instances: slice, starts: slice) -> Rollouts:
        """Return those of some instances, and of each of them some."""
        return Rollouts(
            *(getattr(self, one.name)[instances, starts] for one in fields(self))
        )


@torch.no_grad()
def roll_out(
    task: Task,
    decoder: Decoder,
    instances: Instances,
    generator: torch.Generator | None = None,
    *,
    starts: Tensor | None = None,
    temperature: float = 1.0,
    remember: bool = True,
) -> Rollouts:
    """Build solutions node by node.

    Parameters
    ----------
    task
        The family of problems.
    decoder
        The network for these instances, without derivatives.
    instances
        N instances.
    generator
        Draws nodes by their probabilities; if None, the most probable is taken.
    starts
        Nodes to begin with, shape (N, S); all that are possible if None.
    temperature
        Above 1, less probable nodes are drawn more often than their probability says.
    remember
        Whether to keep what the choices were made from, which training needs.
    """
    first = task.starts(instances) if starts is None else starts
    walk = task.begin(instances, first.shape[1])
    nodes, counted, seen = [first], [~walk.done], []
    walk.step(first)
    while not bool(walk.done.all()):
        if remember:
            seen.append((walk.last, walk.scalars, walk.closed))
        query = decoder.query(first, walk.last, walk.scalars)
        chances = decoder.log_probabilities(query, walk.closed)
        if generator is not None:
            chances = chances / temperature + gumbel(chances.shape, generator)
        chosen = chances.argmax(dim=-1)
        nodes.append(chosen)
        counted.append(~walk.done)
        walk.step(chosen)
    return _collect(nodes, counted, seen, walk.costs())


def gumbel(shape: torch.Size, generator: torch.Generator) -> Tensor:
    """Draw what makes the greatest sum a draw by the probabilities.

    Two logarithms of uniform numbers, which take a sixth of the time of torch's own
    exponential ones; the smallest positive number stands for 0, which has none.
    """
    uniform = torch.empty(shape).uniform_(generator=generator)
    return uniform.clamp_(min=LEAST).log_().neg_().log_().neg_()


def _collect(
    nodes: list[Tensor],
    counted: list[Tensor],
    seen: list[tuple[Tensor, Tensor, Tensor]],
    costs: Tensor,
) -> Rollouts:
    """Concatenate the steps."""
    last, scalars, closed = (
        [torch.stack(part, dim=2) for part in zip(*seen, strict=True)]
        if seen
        else [torch.zeros(*nodes[0].shape, 0)] * 3
    )
    return Rollouts(
        torch.stack(nodes, dim=2),
        torch.stack(counted, dim=2),
        last,
        scalars,
        closed,
        costs,
    )


def log_likelihood(decoder: Decoder, rollouts: Rollouts) -> Tensor:
    """Logarithm of the probability of each solution given its start, shape (N, S).

    All choices of all solutions are scored at once, which is much faster than step by
    step.
    """
    count, starts, steps = rollouts.last.shape
    first = rollouts.nodes[:, :, :1].expand(-1, -1, steps)
    query = decoder.query(
        first.reshape(count, -1),
        rollouts.last.reshape(count, -1),
        rollouts.scalars.reshape(count, starts * steps, -1),
    )
    closed = rollouts.closed.reshape(count, starts * steps, -1)
    scores = decoder.log_probabilities(query, closed)
    chosen = rollouts.nodes[:, :, 1:].reshape(count, -1, 1)
    scores = scores.gather(2, chosen).view(count, starts, steps)
    return scores.masked_fill(~rollouts.counted[:, :, 1:], 0.0).sum(dim=-1)
