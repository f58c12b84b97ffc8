"""Random numbers for two objectives, correlated positively or negatively."""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Floats


def correlated_uniform(
    rng: np.random.Generator, shape: tuple[int, ...], rho: float
) -> Floats:
    """Draw pairs of numbers, each uniform in [0, 1], with correlation ``rho``.

    Two normal variables with correlation 2 sin(pi rho / 6), each passed through its
    distribution function, have exactly this correlation.

    Parameters
    ----------
    rng
        Their source: first all of one normal variable, then all of the other.
    shape
        How many pairs.
    rho
        Correlation, from -1 to 1.

    Returns
    -------
    Array of shape (2, *shape).

    Examples
    --------
    >>> u = correlated_uniform(np.random.default_rng(0), (100_000,), rho=-0.7)
    >>> np.corrcoef(u)[0, 1].round(2)
    np.float64(-0.7)
    """
    rho = require_number("rho", rho, -1.0, 1.0)
    latent = 2.0 * math.sin(math.pi * rho / 6.0)
    first, second = rng.standard_normal((2, *shape))
    second = latent * first + math.sqrt(max(0.0, 1.0 - latent**2)) * second
    normal = np.stack([first, second])
    shares = [0.5 * math.erfc(-z / math.sqrt(2.0)) for z in normal.ravel().tolist()]
    return np.array(shares).reshape(normal.shape)
