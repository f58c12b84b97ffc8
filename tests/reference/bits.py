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


def traps(bits, blocks):
    """Traps and inverse traps, block by block."""
    ones = [sum(bits[int(i)] for i in block) for block in blocks]
    k = len(blocks[0])
    up = [k if u == k else k - 1 - u for u in ones]
    down = [k if u == 0 else u - 1 for u in ones]
    return [sum(up), sum(down)]


def satisfied(bits, literals):
    """Clauses of every list of which some literal holds."""
    return [
        sum(any(bool(bits[abs(int(v)) - 1]) == (v > 0) for v in c) for c in clauses)
        for clauses in literals
    ]
