"""The network: an attention encoder, and a decoder shaped by a preference.

The encoder describes every node of an instance by ``width`` numbers, whatever the
preference. A hypernetwork turns a preference into the matrices of the decoder, which
gives every node a score to be the next one of a solution under construction.

Parameters are a plain dictionary of named tensors. Shapes are written with N
instances of n nodes, G preferences of m objectives, S solutions per instance that
have T choices each, and d for the width.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.pmoco.tasks.base import Task

#: Scores of nodes stay within this distance of 0, so no choice is ever certain.
CLIP = 10.0
#: Smaller variances are rounding errors.
TINY = 1e-5

Parameters = dict[str, Tensor]


def new_parameters(task: Task, shape: Shape, seed: int) -> Parameters:
    """Draw the parameters that training begins with."""
    generator = torch.Generator().manual_seed(seed)

    def draw(rows: int, *sizes: int) -> Tensor:
        bound = 1.0 / math.sqrt(rows)
        uniform = torch.rand(*sizes, generator=generator)
        return (uniform * 2.0 - 1.0) * bound

    d, inner = shape.width, shape.inner
    found: Parameters = {
        "embed.weight": draw(task.num_features, task.num_features, d),
        "embed.bias": torch.zeros(d),
    }
    for k in range(shape.layers):
        found |= {
            f"layer{k}.attention": draw(d, d, 3 * d),
            f"layer{k}.join": draw(d, d, d),
            f"layer{k}.norm1": torch.stack([torch.ones(d), torch.zeros(d)]),
            f"layer{k}.rise": draw(d, d, inner),
            f"layer{k}.rise.bias": torch.zeros(inner),
            f"layer{k}.fall": draw(inner, inner, d),
            f"layer{k}.norm2": torch.stack([torch.ones(d), torch.zeros(d)]),
        }
    parts = decoder_parts(task, d)
    found |= {
        "hyper.1": draw(task.num_objectives, task.num_objectives, inner),
        "hyper.1.bias": torch.zeros(inner),
        "hyper.2": draw(inner, inner, inner),
        "hyper.2.bias": torch.zeros(inner),
        "hyper.3": draw(inner, inner, len(parts) * shape.codes),
    }
    for name, rows in parts.items():
        found[f"decoder.{name}"] = draw(d, rows, d)
        found[f"decoder.{name}.basis"] = draw(d, shape.codes, rows, d)
    return found


def decoder_parts(task: Task, width: int) -> dict[str, int]:
    """Return the matrices of the decoder by name, with their numbers of rows."""
    parts = dict.fromkeys((*task.context, "key", "value", "pointer"), width)
    if task.num_scalars:
        parts["scalars"] = task.num_scalars
    return parts


def encode(parameters: Parameters, shape: Shape, features: Tensor) -> Tensor:
    """Describe every node: features (N, n, f) become (N, n, d)."""
    p = parameters
    nodes = features @ p["embed.weight"] + p["embed.bias"]
    for k in range(shape.layers):
        query, key, value = (nodes @ p[f"layer{k}.attention"]).chunk(3, dim=-1)
        heads = [split_heads(part, shape.heads) for part in (query, key, value)]
        seen = attend(*heads)
        nodes = nodes + join_heads(seen) @ p[f"layer{k}.join"]
        nodes = normalize(nodes, p[f"layer{k}.norm1"])
        inner = nodes @ p[f"layer{k}.rise"] + p[f"layer{k}.rise.bias"]
        nodes = nodes + inner.relu() @ p[f"layer{k}.fall"]
        nodes = normalize(nodes, p[f"layer{k}.norm2"])
    return nodes


def attend(
    query: Tensor, key: Tensor, value: Tensor, closed: Tensor | None = None
) -> Tensor:
    """Mix values by how well their keys fit the queries, shape (N, heads, Q, width).

    At these sizes plain products are a third faster than torch's fused attention.
    """
    fit = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    if closed is not None:
        fit = fit + closed
    return fit.softmax(dim=-1) @ value


def normalize(nodes: Tensor, scale: Tensor) -> Tensor:
    """Give every number of a node mean 0 and variance 1 over the nodes (N, n, d)."""
    variance, mean = torch.var_mean(nodes, dim=1, keepdim=True, correction=0)
    factor = scale[0] * (variance + TINY).rsqrt()
    return (nodes - mean) * factor + scale[1]


def split_heads(values: Tensor, heads: int) -> Tensor:
    """Turn (N, n, d) into (N, heads, n, d / heads)."""
    count, n, width = values.shape
    return values.view(count, n, heads, width // heads).transpose(1, 2)


def join_heads(values: Tensor) -> Tensor:
    """Turn (N, heads, n, d / heads) into (N, n, d)."""
    count, heads, n, width = values.shape
    return values.transpose(1, 2).reshape(count, n, heads * width)


@dataclass(frozen=True)
class Decoder:
    """What the decoder must know about N instances under their preferences.

    Everything that depends only on nodes is multiplied out once, so a choice costs no
    product with a matrix of the network.
    """

    heads: int
    key: Tensor  # (N, heads, n, d / heads)
    value: Tensor  # (N, heads, n, d / heads)
    pointer: Tensor  # (N, d, n)
    nodes: dict[str, Tensor]  # "first", "last": (N, n, d)
    mean: Tensor | None  # (N, 1, d)
    scalars: Tensor | None  # (N, k, d)

    def changed(self, change: Callable[[Tensor], Tensor]) -> Decoder:
        """Return the same with every tensor changed."""
        return Decoder(
            self.heads,
            change(self.key),
            change(self.value),
            change(self.pointer),
            {name: change(part) for name, part in self.nodes.items()},
            None if self.mean is None else change(self.mean),
            None if self.scalars is None else change(self.scalars),
        )

    def detached(self) -> Decoder:
        """Return the same without derivatives."""
        return self.changed(Tensor.detach)

    def rows(self, instances: slice) -> Decoder:
        """Return that of some instances, without derivatives."""
        return self.changed(lambda part: part[instances].detach())

    def tensors(self) -> list[Tensor]:
        """All tensors, always in the same order."""
        rest = [part for part in (self.mean, self.scalars) if part is not None]
        return [self.key, self.value, self.pointer, *self.nodes.values(), *rest]

    def query(self, first: Tensor, last: Tensor, scalars: Tensor) -> Tensor:
        """Describe solutions under construction, shape (N, Q, d).

        ``first`` and ``last`` are their first and current nodes, (N, Q); ``scalars`` is
        what else matters, (N, Q, k).
        """
        width = self.pointer.shape[1]
        query = 0.0 if self.mean is None else self.mean
        for name, places in (("first", first), ("last", last)):
            if name in self.nodes:
                rows = places.unsqueeze(-1).expand(-1, -1, width)
                query = query + self.nodes[name].gather(1, rows)
        if self.scalars is not None:
            query = query + scalars @ self.scalars
        return query

    def log_probabilities(self, query: Tensor, closed: Tensor) -> Tensor:
        """Logarithms of the probabilities of the next node, shape (N, Q, n).

        ``closed`` (N, Q, n) is 0 for nodes that may be chosen and -inf for others.
        """
        heads = split_heads(query, self.heads)
        seen = attend(heads, self.key, self.value, closed.unsqueeze(1))
        scores = join_heads(seen) @ self.pointer
        scores = CLIP * (scores / math.sqrt(self.pointer.shape[1])).tanh()
        # If a network from elsewhere computes nonsense, all nodes are alike; no closed
        # one may be chosen.
        scores = scores.nan_to_num(0.0)
        return (scores + closed).log_softmax(dim=-1)


def make_decoder(
    parameters: Parameters,
    task: Task,
    shape: Shape,
    nodes: Tensor,
    preferences: Tensor,
) -> Decoder:
    """Shape the decoder by preferences.

    ``nodes`` (N, n, d) holds the instances of the first preference, then those of the
    second and so on, N / G of them for each of the preferences (G, m).
    """
    matrices = shape_matrices(parameters, task, shape, preferences)
    count, n, width = nodes.shape
    groups = len(preferences)
    grouped = nodes.view(groups, -1, width)

    def project(name: str) -> Tensor:
        return (grouped @ matrices[name]).view(count, n, width)

    mean = None
    if "mean" in task.context:
        means = nodes.mean(dim=1).view(groups, -1, width)
        mean = (means @ matrices["mean"]).view(count, 1, width)
    scalars = None
    if task.num_scalars:
        scalars = matrices["scalars"].repeat_interleave(count // groups, dim=0)
    return Decoder(
        shape.heads,
        split_heads(project("key"), shape.heads),
        split_heads(project("value"), shape.heads),
        project("pointer").transpose(1, 2),
        {name: project(name) for name in task.context if name != "mean"},
        mean,
        scalars,
    )


def shape_matrices(
    parameters: Parameters, task: Task, shape: Shape, preferences: Tensor
) -> dict[str, Tensor]:
    """Turn preferences (G, m) into the matrices of the decoder, each (G, rows, d)."""
    p = parameters
    inner = (preferences @ p["hyper.1"] + p["hyper.1.bias"]).relu()
    inner = (inner @ p["hyper.2"] + p["hyper.2.bias"]).relu()
    codes = (inner @ p["hyper.3"]).split(shape.codes, dim=-1)
    parts = decoder_parts(task, shape.width)
    return {
        name: p[f"decoder.{name}"]
        + torch.einsum("gc,crd->grd", code, p[f"decoder.{name}.basis"])
        for name, code in zip(parts, codes, strict=True)
    }
