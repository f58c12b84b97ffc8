"""Random numbers from four words (xoshiro256++), the same compiled or not.

Words live in the state, so that a saved run continues with the very next number.
Reference: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators",
ACM Transactions on Mathematical Software 47 (2021).
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel

_S11, _S17 = np.uint64(11), np.uint64(17)
_S19, _S23, _S41, _S45 = np.uint64(19), np.uint64(23), np.uint64(41), np.uint64(45)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_TO_UNIT = 2.0**-53


@lean_kernel
def seed_words(words: Words, seed: np.uint64) -> None:
    """Fill the four ``words`` from one number (splitmix64)."""
    z = seed
    for i in range(4):
        z = z + _GOLDEN
        w = z
        w = (w ^ (w >> _S30)) * _MIX1
        w = (w ^ (w >> _S27)) * _MIX2
        words[i] = w ^ (w >> _S31)


@lean_kernel
def next_word(words: Words) -> np.uint64:
    """Advance the generator and return 64 random bits."""
    total = words[0] + words[3]
    result: np.uint64 = ((total << _S23) | (total >> _S41)) + words[0]
    t = words[1] << _S17
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= t
    words[3] = (words[3] << _S45) | (words[3] >> _S19)
    return result


@lean_kernel
def uniform(words: Words) -> float:
    """Random number in [0, 1)."""
    return float(next_word(words) >> _S11) * _TO_UNIT


@lean_kernel
def below(words: Words, bound: int) -> int:
    """Random integer in ``0 .. bound - 1``; the bias is below ``bound / 2**53``."""
    return int(uniform(words) * bound)


@lean_kernel
def shuffle(words: Words, x: Codes, start: int, stop: int) -> None:
    """Shuffle ``x[start:stop]`` in place (Fisher-Yates)."""
    for i in range(stop - 1, start, -1):
        j = start + below(words, i - start + 1)
        x[i], x[j] = x[j], x[i]
