"""A row of a trace, computed from listed subproblems and plain tables."""

from tests.reference.coordination import soft_violation


def overlaps(listed, tables, prices, x):
    """Columns about shared positions.

    ``listed`` are the subproblems, ``tables`` has V and N by position and action,
    ``prices`` and ``x`` are one per position.
    """
    n = len(x)
    k = [sum(i in window for window in listed) for i in range(n)]
    shared = [i for i in range(n) if k[i] > 1]

    def variance(values):
        mean = sum(values) / len(values)
        return sum((v - mean) ** 2 for v in values) / len(values)

    xi = [soft_violation(k[i], tables.V[i], tables.N[i], x[i]) for i in shared]
    count = max(1, len(shared))
    return {
        "shared": len(shared),
        "multiplicity": sum(k) / n,
        "violation": sum(xi),
        "price_mean": sum(prices[i] for i in shared) / count,
        "price_max": max((prices[i] for i in shared), default=0.0),
        "overlap_variance": sum(variance(tables.V[i]) for i in shared) / count,
    }


def rewards(rows, weights, low, high):
    """1 - 2 (weighted sum of normalised objectives), and -1 where infeasible."""
    found = []
    for w, outputs in rows:
        m = len(low)
        cost = sum(
            weights[w][j] * (outputs[j] - low[j]) / (high[j] - low[j]) for j in range(m)
        )
        found.append(-1.0 if any(g > 0 for g in outputs[m:]) else 1 - 2 * cost)
    return found


def regrets(weights_of_rows, earned):
    """What each row lacks to the best reward of its weight."""
    best = {}
    for w, reward in zip(weights_of_rows, earned, strict=True):
        best[w] = max(best.get(w, reward), reward)
    return [best[w] - r for w, r in zip(weights_of_rows, earned, strict=True)]
