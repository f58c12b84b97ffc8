"""A population whose solutions are mixed by sets of positions, one question at a time.

Every solution is a conversation: it yields codes to evaluate and is sent their outputs.
Conversations of one generation depend only on what the population was before, so that
answers may come in any order.
"""

from __future__ import annotations

from collections.abc import Generator
from math import log10
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.linkage.tree import linkage_tree, mutual_information


class Answer(NamedTuple):
    """What was evaluated in place of a question, and its outputs."""

    codes: Codes  # (n,)
    outputs: Floats  # (m + c,)


#: A solution on its way: codes to evaluate, then what came of them.
Conversation = Generator[Codes, Answer, None]


class Elite:
    """Solutions that no other known one dominates.

    Parameters
    ----------
    num_objectives
        Number of objectives, m; constraints follow them in outputs.
    """

    def __init__(self, num_objectives: int) -> None:
        self._m = num_objectives
        self.codes: list[Codes] = []
        self.outputs: list[Floats] = []
        self._keys = np.empty((0, num_objectives + 1))

    def key(self, outputs: Floats) -> Floats:
        """Objectives of a feasible solution, and what it violates, shape (m + 1,)."""
        excess = np.maximum(outputs[self._m :], 0.0).sum()
        values = outputs[: self._m] if excess == 0.0 else np.zeros(self._m)
        return np.append(values, excess)

    def take(self, codes: Codes, outputs: Floats) -> bool:
        """Keep a solution, if nothing is as good or better; whether it was kept."""
        key = self.key(outputs)
        if (self._keys <= key).all(axis=1).any():
            return False
        # Something feasible is better than anything that is not.
        kept = ~(key <= self._keys).all(axis=1)
        if key[-1] == 0.0:
            kept &= self._keys[:, -1] == 0.0
        elif len(self._keys) and self._keys[:, -1].min() < key[-1]:
            return False
        rows = np.flatnonzero(kept).tolist()
        self.codes = [*(self.codes[r] for r in rows), codes.copy()]
        self.outputs = [*(self.outputs[r] for r in rows), outputs.copy()]
        self._keys = np.vstack([self._keys[kept], key])
        return True


class Population:
    """Solutions, the directions that they are good in, and a linkage tree for each.

    Parameters
    ----------
    codes
        Solutions, shape (N, n).
    levels
        Number of values at each position, shape (n,).
    num_clusters
        Directions of the objectives, spread evenly.
    elite
        What is kept whatever happens to the population.
    rng
        Source of all random choices.
    """

    def __init__(
        self,
        codes: Codes,
        levels: Integers,
        num_clusters: int,
        elite: Elite,
        rng: np.random.Generator,
    ) -> None:
        self.codes, self.elite = codes.copy(), elite
        self.outputs: list[Floats | None] = [None] * len(codes)
        self._levels, self._rng = levels, rng
        self._clusters = num_clusters
        self._stuck = np.zeros(len(codes), np.int64)  # generations without improvement

    # --- generations

    def first(self) -> list[Conversation]:
        """Conversations that evaluate what was drawn."""
        return [self._evaluate(i) for i in range(len(self.codes))]

    def _evaluate(self, i: int) -> Conversation:
        """Learn the outputs of a solution that was drawn."""
        answer = yield self.codes[i]
        self.codes[i], self.outputs[i] = answer
        self.elite.take(*answer)

    def generation(self) -> list[Conversation]:
        """Conversations that mix every solution with others of its direction."""
        known = [i for i, y in enumerate(self.outputs) if y is not None]
        if len(known) < 2:
            return []
        keys = np.array([self.elite.key(self.outputs[i]) for i in known])  # type: ignore[arg-type]
        ranks = _ranks(keys, directions(self._clusters, keys.shape[1] - 1), self._rng)
        most = min(len(known), max(2, 2 * len(known) // self._clusters))
        donors = [self.codes[known][rank < most] for rank in ranks]
        trees = [
            linkage_tree(mutual_information(one, self._levels), self._rng)
            for one in donors
        ]
        best = ranks.argmin(axis=0)
        return [
            self._mix(i, donors[c], trees[c])
            for i, c in zip(known, best.tolist(), strict=True)
        ]

    @property
    def has_converged(self) -> bool:
        """Whether all solutions are the same, or all have been stuck for long."""
        patience = 1 + int(log10(len(self.codes)))
        same = bool((self.codes == self.codes[0]).all())
        return same or bool((self._stuck > patience).all())

    # --- one solution

    def _mix(self, i: int, donors: Codes, tree: list[Integers]) -> Conversation:
        """Gene-pool optimal mixing, and forced improvement where it leads nowhere."""
        patience = 1 + int(log10(len(self.codes)))
        improved = yield from self._pass(i, donors, tree, strict=False)
        if not improved or self._stuck[i] > patience:
            elite = np.array(self.elite.codes)
            improved = yield from self._pass(i, elite, tree, strict=True)
            if not improved:
                chosen = int(self._rng.integers(len(self.elite.codes)))
                self.codes[i] = self.elite.codes[chosen]
                self.outputs[i] = self.elite.outputs[chosen]
        self._stuck[i] = 0 if improved else self._stuck[i] + 1

    def _pass(
        self, i: int, donors: Codes, tree: list[Integers], strict: bool
    ) -> Generator[Codes, Answer, bool]:
        """Take over one set of positions after the other from a random donor.

        What is no worse stays. With ``strict`` only what is better does, and ends it.
        """
        improved = False
        for place in self._rng.permutation(len(tree)):
            members = tree[int(place)]
            donor = donors[int(self._rng.integers(len(donors)))]
            if (self.codes[i, members] == donor[members]).all():
                continue
            trial = self.codes[i].copy()
            trial[members] = donor[members]
            answer = yield trial
            before = self.outputs[i]
            assert before is not None
            new, old = self.elite.key(answer.outputs), self.elite.key(before)
            added = self.elite.take(*answer)
            better = added or (_no_worse(new, old) and not np.array_equal(new, old))
            if better or (not strict and _no_worse(new, old)):
                self.codes[i], self.outputs[i] = answer
                improved |= better
                if strict:
                    return True
        return improved


def directions(count: int, num_objectives: int) -> Floats:
    """Weights of the objectives, spread evenly, the single objectives first.

    Examples
    --------
    >>> directions(3, 2)
    array([[1. , 0. ],
           [0. , 1. ],
           [0.5, 0.5]])
    """
    from divlearn.methods.paper.scalarization import simplex_lattice

    ends = np.eye(num_objectives)
    inner = simplex_lattice(num_objectives, count)
    inner = inner[(inner < 1.0).all(axis=1)][: max(0, count - num_objectives)]
    return np.vstack([ends, inner])[: max(count, num_objectives)]


def _ranks(keys: Floats, weights: Floats, rng: np.random.Generator) -> Integers:
    """Ranks of solutions in every direction, shape (directions, N), 0 for the best."""
    values, excess = keys[:, :-1], keys[:, -1]
    low, width = values.min(axis=0), np.ptp(values, axis=0)
    scaled = (values - low) / np.where(width > 0.0, width, 1.0)
    ranks = np.empty((len(weights), len(keys)), np.int64)
    for row, w in zip(ranks, weights, strict=True):
        order = np.lexsort((rng.random(len(keys)), scaled @ w, excess))
        row[order] = np.arange(len(keys))
    return ranks


def _no_worse(new: Floats, old: Floats) -> bool:
    """Whether one key is as good as another: by violation, then in all objectives."""
    if new[-1] != old[-1]:
        return bool(new[-1] < old[-1])
    return bool((new <= old).all())
