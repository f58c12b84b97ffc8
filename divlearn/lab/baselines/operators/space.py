"""``SpaceOperators``: random solutions, crossover and mutation for any space."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.operators import permutations, values
from divlearn.lab.baselines.scales import Scales
from divlearn.spaces import Space
from divlearn.spaces.base import ORDINAL, PERMUTATION, SUBSET

#: Greatest probability of a change at a position, for few positions.
MAX_RATE = 0.5
#: Shares of inversion, swap and exchange among the mutations of a permutation.
Shares = tuple[float, float, float]
MIXED: Shares = (1 / 3, 1 / 3, 1 / 3)
MUTATIONS: dict[str, Shares] = {
    "inversion": (1.0, 0.0, 0.0),
    "swap": (0.0, 1.0, 0.0),
    "exchange": (0.0, 0.0, 1.0),
    "mixed": MIXED,
}


class SpaceOperators:
    """Operators over codes, shape (q, n), one segment of the space at a time.

    Permutations: order crossover; mutation by inversion of a stretch, swap of two
    items or exchange of two stretches of up to three items. Bits, categories and
    ordered values: uniform crossover, and each position changes with a probability of
    one over their number, an ordered value by one step in half of the cases. Reals,
    large integers and those on a logarithmic scale: simulated binary crossover and
    polynomial mutation of their coordinates. Subsets with limits get as few further
    flips as the limits require. What else a space demands, such as precedence or a
    condition, is settled (:mod:`divlearn.kernels.structure`).

    Parameters
    ----------
    space
        Any space.
    shares
        How often a permutation is mutated by inversion, swap and exchange.

    Examples
    --------
    >>> import numpy as np
    >>> import divlearn as dl
    >>> space = dl.Composite(order=dl.Permutation(4), parts=dl.Subset(5, 2))
    >>> operators, rng = SpaceOperators(space), np.random.default_rng(0)
    >>> a, b = operators.sample(2, rng)
    >>> child, _ = operators.cross(a[None], b[None], rng)
    >>> space.contains(space.decode(operators.mutate(child, rng)[0]))
    True
    """

    def __init__(self, space: Space, shares: Shares = MIXED) -> None:
        self.space = space
        self.ends = np.cumsum(shares[:2])
        self.layout = space.layout
        kinds = self.layout.segments.kind[self.layout.places.segment]
        self.scales = Scales(self.layout)
        places = np.flatnonzero(kinds != PERMUTATION)
        self.rate = min(MAX_RATE, 1.0 / max(1, len(places)))
        self.columns = np.setdiff1d(places, self.scales.columns)
        self.counts = self.layout.places.values[self.columns].astype(np.int64)
        self.ordered = kinds[self.columns] == ORDINAL
        segments = list(self.layout.segments)
        self.orders = [
            slice(int(s.start), int(s.stop))
            for s in segments
            if s.kind == PERMUTATION and s.stop - s.start > 1
        ]
        self.limited = [
            (slice(int(s.start), int(s.stop)), int(s.least), int(s.most))
            for s in segments
            if s.kind == SUBSET and (s.least > 0 or s.most < s.stop - s.start)
        ]

    def sample(self, count: int, rng: np.random.Generator) -> Codes:
        """Draw random solutions, repaired, shape (count, n)."""
        from divlearn.methods.others.sampling import Sampler

        seed = int(rng.integers(2**63))
        return self.repair(Sampler(self.layout, seed).draw(count))

    def cross(
        self, a: Codes, b: Codes, rng: np.random.Generator
    ) -> tuple[Codes, Codes]:
        """Make two children of each pair of rows."""
        children = a.copy(), b.copy()
        for part in self.orders:
            children[0][:, part] = self.cross_orders(a, b, part, rng)
            children[1][:, part] = self.cross_orders(b, a, part, rng)
        if len(self.columns):
            mixed = values.uniform_crossover(
                a[:, self.columns], b[:, self.columns], rng
            )
            for child, columns in zip(children, mixed, strict=True):
                child[:, self.columns] = columns
                self._limit(child, rng, a == b)
        if len(self.scales):
            self._blend(a, b, children, rng)
        for child in children:
            self._settle(child, rng)
        return children

    def _blend(
        self,
        a: Codes,
        b: Codes,
        children: tuple[Codes, Codes],
        rng: np.random.Generator,
    ) -> None:
        """Cross continuous values that both parents have, in place."""
        scales = self.scales
        both = scales.present(a) & scales.present(b)
        blended = values.blend(scales.coordinates(a), scales.coordinates(b), rng)
        for child, shares in zip(children, blended, strict=True):
            child[:, scales.columns] = np.where(
                both, scales.codes(shares), child[:, scales.columns]
            )

    def cross_orders(
        self, receivers: Codes, donors: Codes, part: slice, rng: np.random.Generator
    ) -> Codes:
        """Cross the permutations in the columns ``part``."""
        given, other = receivers[:, part], donors[:, part]
        taken = permutations.random_stretches(len(given), given.shape[1], rng)
        return permutations.order_crossover(given, other, taken)

    def mutate(self, rows: Codes, rng: np.random.Generator) -> Codes:
        """Change a copy of every row; some may stay the same."""
        mutated = rows.copy()
        for part in self.orders:
            mutated[:, part] = self.mutate_orders(rows[:, part], rng)
        if len(self.columns):
            mutated[:, self.columns] = values.change(
                rows[:, self.columns], self.counts, self.ordered, self.rate, rng
            )
            self._limit(mutated, rng, mutated != rows)
        if len(scales := self.scales):
            shares = values.jitter(scales.coordinates(rows), self.rate, rng)
            mutated[:, scales.columns] = np.where(
                scales.present(rows), scales.codes(shares), rows[:, scales.columns]
            )
        self._settle(mutated, rng)
        return mutated

    def mutate_orders(self, rows: Codes, rng: np.random.Generator) -> Codes:
        """Apply one of the three mutations to each permutation."""
        mutated = rows.copy()
        kind = np.searchsorted(self.ends, rng.random(len(rows)), side="right")
        ways = (permutations.invert, permutations.swap, permutations.exchange)
        for number, mutation in enumerate(ways):
            meant = np.flatnonzero(kind == number)
            if len(meant):
                mutated[meant] = mutation(rows[meant], rng)
        return mutated

    def repair(self, rows: Codes) -> Codes:
        """Return members of the space as they are; operators of problems do more."""
        return rows

    def _settle(self, rows: Codes, rng: np.random.Generator) -> None:
        """Let rows keep what the space demands, in place."""
        from divlearn.methods.others.sampling import settle_rows

        if len(self.layout.rules):
            settle_rows(self.layout, rows, int(rng.integers(2**63)))

    def _limit(self, rows: Codes, rng: np.random.Generator, firm: Any) -> None:
        """Keep the sizes of subsets within their limits, in place."""
        for part, least, most in self.limited:
            rows[:, part] = values.limit_ones(
                rows[:, part], least, most, rng, firm[:, part]
            )
