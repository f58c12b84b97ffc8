"""The linkage tree: sets of positions that vary together in a population."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers


def mutual_information(codes: Codes, levels: Integers) -> Floats:
    """What positions tell of each other, shape (n, n), in nats.

    With H for the entropy of the shares of values, and of pairs of values, among the
    solutions, the entry of i and j is H(i) + H(j) - H(i, j).

    Parameters
    ----------
    codes
        Solutions, shape (N, n).
    levels
        Number of values at each position, shape (n,).

    Examples
    --------
    >>> codes = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]])
    >>> mutual_information(codes, np.array([2, 2, 2])).round(2)
    array([[0.69, 0.69, 0.  ],
           [0.69, 0.69, 0.  ],
           [0.  , 0.  , 0.69]])
    """
    starts = np.concatenate([[0], np.cumsum(levels)[:-1]])
    shown = np.zeros((len(codes), int(levels.sum())))
    np.put_along_axis(shown, codes + starts, 1.0, axis=1)
    shares = shown.T @ shown / len(codes)
    terms = -shares * np.log(np.where(shares > 0.0, shares, 1.0))
    joint = np.add.reduceat(np.add.reduceat(terms, starts, axis=0), starts, axis=1)
    single = np.add.reduceat(np.diag(terms), starts)
    found: Floats = single[:, None] + single[None, :] - joint
    return np.maximum(found, 0.0)


def linkage_tree(likeness: Floats, rng: np.random.Generator) -> list[Integers]:
    """Join the most alike sets again and again, by their average likeness (UPGMA).

    Parameters
    ----------
    likeness
        How alike positions are, shape (n, n), symmetric.
    rng
        Decides between sets that are equally alike.

    Returns
    -------
    All sets, the single positions first, without that of all positions.

    Examples
    --------
    >>> likeness = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]])
    >>> tree = linkage_tree(likeness, np.random.default_rng(0))
    >>> [sorted(members.tolist()) for members in tree]
    [[0], [1], [2], [0, 1]]
    """
    n = len(likeness)
    # Ties are broken by chance, which moves nothing that differs.
    jitter = np.triu(rng.random((n, n)), 1)
    alike = likeness + 1e-12 * (jitter + jitter.T)
    np.fill_diagonal(alike, -np.inf)
    sets = [np.array([i]) for i in range(n)]
    tree, sizes = list(sets), np.ones(n)
    for _ in range(n - 2):
        first, second = np.unravel_index(int(alike.argmax()), alike.shape)
        a, b = min(first, second), max(first, second)
        share = sizes[a] / (sizes[a] + sizes[b])
        merged = share * alike[a] + (1.0 - share) * alike[b]
        alike[a] = alike[:, a] = merged
        alike[a, a] = alike[b] = alike[:, b] = -np.inf
        sets[a] = np.concatenate([sets[a], sets[b]])
        sizes[a] += sizes[b]
        tree.append(sets[a])
    return tree
