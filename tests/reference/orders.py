"""Orders whose cost is a sum over places, successors and precedences, term by term."""

from itertools import combinations, permutations


def cost(order, at, follow, ahead):
    """Item at place, item after item (as a cycle), item before item."""
    n = len(order)
    total = sum(at[place][item] for place, item in enumerate(order))
    if n > 1:
        total += sum(follow[order[i]][order[(i + 1) % n]] for i in range(n))
    return total + sum(ahead[a][b] for a, b in combinations(order, 2))


def inserted(order, i, j):
    """The item at place ``i`` taken out and put in at place ``j``."""
    rest = [*order[:i], *order[i + 1 :]]
    return [*rest[:j], order[i], *rest[j:]]


def exchanged(order, i, j):
    """The items at two places exchanged."""
    new = list(order)
    new[i], new[j] = new[j], new[i]
    return new


def between(order, margin, i):
    """For every place, its item before all items between that place and ``i``."""
    return [
        sum(margin[b][c] for c in order[min(i, j) + 1 : max(i, j)])
        for j, b in enumerate(order)
    ]


def least(at, follow, ahead):
    """Cost of the best order."""
    return min(cost(o, at, follow, ahead) for o in permutations(range(len(at))))
