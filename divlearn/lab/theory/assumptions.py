"""Do the assumptions of the theory hold? Constants of many instances, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.lab.theory.additivity import explained, spread_of_means
from divlearn.lab.theory.instances import theory_instance
from divlearn.lab.theory.samples import costs_of, random_codes, sampled_scale
from divlearn.lab.theory.stability import joined, lipschitz, sample_changes, tightest
from divlearn.methods.paper.cover import Cover, cover_of, diameter, window_cover
from divlearn.problems import Problem

#: Unit moves that a change of a window is made of, at most.
MOVES = 30
#: Changes whose size is kept for a histogram.
KEPT = 400
#: Positions, size and overlap of windows in the paper's table.
TABLE = ((20, 15, 6), (50, 25, 11), (100, 35, 18))


def assumptions_of(name: str, count: int) -> dict[str, Any]:
    """Constants of one instance from samples, those of changes of size ``count``.

    Objectives and rewards are on a scale where random solutions lie from 0 to 1.
    """
    problem = theory_instance(name)
    m, cover = problem.num_objectives, cover_of(problem)
    scale = sampled_scale(problem, np.full(m, 1.0 / m), count)
    units = sample_changes(problem, scale, cover, 1, count, seed=1)
    changes = sample_changes(problem, scale, cover, MOVES, count, seed=2)
    share = explained(problem, scale, 4 * count, seed=3)
    codes = random_codes(problem, 4 * count, seed=4)
    reward = 1.0 - scale.cost(costs_of(problem, codes))
    slope, per_shared = tightest(joined(units, changes))
    return {
        "instance": name,
        **facts_of(problem, cover),
        "B": float((scale.high - scale.low).max()),
        "L": lipschitz(joined(units, changes)),
        "L of the plane": slope,
        "C of the plane": per_shared,
        "R_max": spread_of_means(problem, codes, reward),
        "R_max of shuffled rewards": spread_of_means(
            problem, codes, np.random.default_rng(5).permutation(reward)
        ),
        "additive": share.positions,
        "control": share.control,
        "adjacency": share.adjacency,
        "unit changes": np.sort(units.units)[:: max(1, count // KEPT)].tolist(),
        "shared of unit changes": float(np.mean(units.shared)),
    }


def facts_of(problem: Problem, cover: Cover) -> dict[str, int]:
    """Numbers of the windows over a problem."""
    return {
        "n": cover.n,
        "d": cover.size,
        "K": cover.num_subproblems,
        "Q": cover.widest_overlap,
        "rho": cover.greatest_multiplicity,
        "|O|": len(cover.shared),
        "D": int(cover.diameters(problem.space).max()),
    }


def lemma_rows() -> list[dict[str, Any]]:
    """Lemmas on overlaps at the paper's own sizes: what is counted, and the bounds.

    Part (c) bounds the sum of |S_k & O| by (rho - 1) n, part (d) |O| by
    (rho - 1) n / rho; both by counting arguments that do not hold in general.
    """
    rows = []
    for n, size, overlap in TABLE:
        cover = window_cover(n, size, overlap)
        rho, shared = cover.greatest_multiplicity, len(cover.shared)
        rows.append(
            {
                "n": n,
                "d": size,
                "o_0": overlap,
                "K": cover.num_subproblems,
                "rho": rho,
                "sum of |S_k & O|": int(cover.shared_per_subproblem.sum()),
                "bound (c)": (rho - 1) * n,
                "|O|": shared,
                "bound (d)": (rho - 1) * n / rho,
                "(d) holds": bool(shared <= (rho - 1) * n / rho),
            }
        )
    return rows


def diameter_rows() -> list[dict[str, Any]]:
    """Diameter of a neighbourhood of bitsp-20 in Kendall's tau against its bound.

    The lemma bounds it by s (s - 1) / 2 for any set of s positions. That is right for
    windows; positions of a neighbourhood are scattered.
    """
    problem = theory_instance("bitsp-20")
    size = cover_of(problem).size
    rng = np.random.default_rng(0)
    rows = []
    for s in (5, 10, size):
        drawn = [
            diameter(problem.space, np.sort(rng.choice(20, s, replace=False)))
            for _ in range(200)
        ]
        window = diameter(problem.space, np.arange(s))
        rows.append(
            {
                "positions": s,
                "bound s (s - 1) / 2": s * (s - 1) // 2,
                "window": window,
                "scattered, mean": float(np.mean(drawn)),
                "scattered, most": int(max(drawn)),
            }
        )
    return rows
