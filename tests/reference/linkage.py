"""Which positions belong together, the obvious way."""

from collections import Counter
from math import log


def partners(f, anchor, other, i):
    """Positions j for which changing i and j is not what both add up to."""

    def changed(*positions):
        x = list(anchor)
        for k in positions:
            x[k] = other[k]
        return f(x)

    found = set()
    for j in range(len(anchor)):
        rows = zip(changed(i, j), changed(i), changed(j), changed(), strict=True)
        if j != i and any(abs(a - b - c + d) > 1e-9 for a, b, c, d in rows):
            found.add(j)
    return found


def mutual_information(rows, i, j):
    """What position j tells of position i, from counts of pairs, in nats."""
    n = len(rows)
    first, second = Counter(r[i] for r in rows), Counter(r[j] for r in rows)
    both = Counter((r[i], r[j]) for r in rows)
    return sum(c / n * log(c * n / first[a] / second[b]) for (a, b), c in both.items())


def average_linkage(likeness):
    """Sets that arise if the two most alike on average are joined again and again."""
    sets = [frozenset([i]) for i in range(len(likeness))]
    tree = list(sets)

    def mean(a, b):
        return sum(likeness[i][j] for i in a for j in b) / (len(a) * len(b))

    while len(sets) > 2:
        pairs = [(a, b) for k, a in enumerate(sets) for b in sets[:k]]
        a, b = max(pairs, key=lambda pair: mean(*pair))
        sets = [s for s in sets if s not in (a, b)] + [a | b]
        tree.append(a | b)
    return tree
