"""Functions of bits, the obvious way."""

from itertools import product


def quadratic(bits, matrices):
    """Products of bits and matrices."""
    pairs = list(product(range(len(bits)), repeat=2))
    return [sum(q[i][j] * bits[i] * bits[j] for i, j in pairs) for q in matrices]


def landscape(bits, links, contributions):
    """Mean contribution; the pattern is read as a binary number, bit i last."""
    values = []
    for tables in contributions:
        total = 0
        for i, table in enumerate(tables):
            digits = [bits[int(j)] for j in reversed(links[i])] + [bits[i]]
            total += table[int("".join(str(int(d)) for d in digits), base=2)]
        values.append(total / len(bits))
    return values


def synergy(bits, weights, values, capacity, pairs, bonuses):
    """Values with bonuses, then load - capacity."""
    chosen = [j for j, bit in enumerate(bits) if bit]
    joined = [
        b for (i, j), b in zip(pairs, bonuses, strict=True) if {i, j} <= {*chosen}
    ]
    earned = [
        sum(values[j][k] for j in chosen) + sum(bonus[k] for bonus in joined)
        for k in range(len(values[0]))
    ]
    return [*earned, sum(weights[j] for j in chosen) - capacity]
