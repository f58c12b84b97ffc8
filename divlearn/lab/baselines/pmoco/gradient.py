"""The derivatives of a policy's loss, computed in parts that fit into the caches."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from divlearn.lab.baselines.pmoco.model import Decoder
from divlearn.lab.baselines.pmoco.rollout import Rollouts, log_likelihood

#: Attention weights of one part; larger ones would go to memory and back many times.
ROOM = 1_000_000


def policy_gradient(
    decoder: Decoder, rollouts: Rollouts, advantages: Tensor
) -> tuple[Tensor, list[Tensor]]:
    """Differentiate the mean of advantage times log likelihood by the decoder.

    What a part needs is forgotten before the next one, so memory does not grow with the
    number of instances.

    Parameters
    ----------
    decoder
        The network for N instances.
    rollouts
        S solutions of each.
    advantages
        How much worse each is than the others of its instance, shape (N, S).

    Returns
    -------
    Logarithms of the solutions' probabilities, shape (N, S), and a derivative for each
    of the decoder's tensors.
    """
    likelihood = torch.empty_like(advantages)
    slopes = [torch.zeros_like(part) for part in decoder.tensors()]
    for rows, starts in parts(decoder, rollouts):
        leaves = decoder.rows(rows).changed(Tensor.requires_grad_)
        found = log_likelihood(leaves, rollouts.part(rows, starts))
        loss = (advantages[rows, starts] * found).sum() / advantages.numel()
        likelihood[rows, starts] = found.detach()
        gradients = torch.autograd.grad(loss, leaves.tensors())
        for slope, gradient in zip(slopes, gradients, strict=True):
            slope[rows] += gradient
    return likelihood, slopes


def parts(decoder: Decoder, rollouts: Rollouts) -> Iterator[tuple[slice, slice]]:
    """Cut instances and their solutions into parts of about :data:`ROOM`."""
    count, starts, steps = rollouts.last.shape
    each = max(1, decoder.heads * steps * rollouts.closed.shape[-1])
    many = min(starts, max(1, ROOM // each))
    instances = max(1, ROOM // (each * starts))
    for i in range(0, count, instances):
        for j in range(0, starts, many):
            yield slice(i, i + instances), slice(j, j + many)
