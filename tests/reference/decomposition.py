"""Subproblems as sets of positions, by their definitions."""


def overlap(o_0, t, alpha):
    """o_t = floor(o_0 t^-alpha)."""
    return int(o_0 * t**-alpha + 1e-9)


def windows(n, size, o_0, t, alpha):
    """S_k = {(k-1)(s-o_t)+1, ..., min(n, (k-1)(s-o_t)+s)} until all is covered."""
    stride = max(1, size - overlap(o_0, t, alpha))
    listed, k = [], 1
    while True:
        first = (k - 1) * stride + 1
        last = min(n, (k - 1) * stride + size)
        listed.append([i - 1 for i in range(first, last + 1)])
        if last == n:
            return listed
        k += 1


def multiplicity(listed, i):
    """k_i: how many subproblems contain position ``i``."""
    return sum(i in window for window in listed)


def nearest(distance, centre, size):
    """The ``size`` indices nearest to the centre, itself included."""
    order = sorted(
        range(len(distance)), key=lambda j: (j != centre, distance[centre][j], j)
    )
    return order[:size]
