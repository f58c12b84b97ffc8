"""Metrics of one's own: columns of a benchmark's table."""

import numpy as np


def knee(front, solutions, problem):
    """Distance of the nearest solution from the ideal point, 0 to 1 per objective."""
    ideal, width = problem.ideal, problem.reference - problem.ideal
    return float(np.linalg.norm((front - ideal) / width, axis=1).min())


knee.less_is_better = True  # type: ignore[attr-defined]
