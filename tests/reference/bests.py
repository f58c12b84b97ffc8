"""The best solution of each weight, and which of several dominate the others."""


def best_of_each(told, weights):
    """Of answers (weight, objectives), the first of the least weighted sum of each."""
    best = {}
    for w, y in told:
        cost = sum(part * value for part, value in zip(weights[w], y, strict=True))
        if w not in best or cost < best[w][0]:
            best[w] = cost, y
    return {w: y for w, (_, y) in best.items()}


def non_dominated(points):
    """Points that no other one is better than."""
    points = set(points)
    return {
        p
        for p in points
        if not any(
            q != p and all(b <= a for a, b in zip(p, q, strict=True)) for q in points
        )
    }
