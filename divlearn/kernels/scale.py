"""Numbers of any size on a scale that can be computed with.

Learning subtracts outputs, squares the differences and divides by them, so that numbers
near the largest or the smallest float would give NaN. What learning sees is
therefore *tamed*: as it is where it lies between 2^-116 and 2^116 (about 1e-35 and
8e34), beyond that drawn in like a logarithm, so that all of it has a place among the
numbers of single precision. Which of two numbers is larger does not change, nor their
sign, and zero stays zero. The archive keeps and compares what was measured.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel

#: Power of two up to which a number, and down to whose inverse, is left as it is.
BITS = 116
LEAST, MOST = 2.0**-BITS, 2.0**BITS
#: The largest float: what a sum that overflows is taken for.
LARGEST = 1.7976931348623157e308


@lean_kernel
def is_usual(value: float) -> bool:
    """Whether taming leaves this number as it is."""
    return bool(LEAST <= abs(value) <= MOST or value == 0.0)


@lean_kernel
def tamed(value: float) -> float:
    """The number that stands for ``value`` in all that is learned.

    Beyond the usual range the exponent with the mantissa behind its point takes the
    place of the logarithm: it needs no rounding that could turn two numbers round.
    """
    if is_usual(value):
        return value
    mantissa, exponent = math.frexp(abs(value))
    if exponent > BITS:
        size = MOST * (float(exponent - BITS) + (2.0 * mantissa - 1.0))
    else:
        size = LEAST / (float(2 - BITS - exponent) - (2.0 * mantissa - 1.0))
    return size if value > 0.0 else -size


@lean_kernel
def tame(values: Floats, into: Floats) -> None:
    """Write the tamed ``values`` into another row, or into the same one."""
    for j in range(values.shape[0]):
        into[j] = tamed(values[j])


@lean_kernel
def total_excess(y: Floats, m: int) -> float:
    """Sum of the values above zero from number ``m`` on; 0 means feasible."""
    total = 0.0
    for j in range(m, y.shape[0]):
        total += max(0.0, y[j])
    return min(total, LARGEST)
