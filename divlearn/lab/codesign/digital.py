"""Digital arrays: cycles, traffic and energy of matrix products."""

from __future__ import annotations

import math
from typing import NamedTuple

from divlearn.lab.codesign.design import Array
from divlearn.lab.codesign.technology import Technology

WEIGHT_BITS = 8
PARTIAL_SUM_BYTES = 3
#: Voltage at which the energies of the table were measured.
NOMINAL_VOLTAGE = 0.9
#: Clocks between which the voltage rises, in MHz.
SLOWEST, FASTEST = 100.0, 800.0


class Product(NamedTuple):
    """A matrix product (m x k) by (k x n): outputs, terms per output, filters."""

    m: int
    k: int
    n: int

    @property
    def macs(self) -> int:
        """Multiplications."""
        return self.m * self.k * self.n


class Traffic(NamedTuple):
    """Words moved between the memories and an array."""

    inputs: int
    weights: int
    sums: int


def cycles(product: Product, array: Array) -> int:
    """Cycles of a product on a systolic array, by the equation of SCALE-Sim.

    A fold fills the array, streams its operands and drains: 2 rows + cols + t - 2
    cycles, where t is the length of the stream.

    Examples
    --------
    >>> cycles(Product(m=324, k=9, n=16), Array(16, 16, "ws"))
    370
    """
    m, k, n = product
    if array.dataflow == "os":
        folds, stream = _tiles(m, array.rows) * _tiles(n, array.cols), k
    elif array.dataflow == "ws":
        folds, stream = _tiles(k, array.rows) * _tiles(n, array.cols), m
    else:
        folds, stream = _tiles(k, array.rows) * _tiles(m, array.cols), n
    return folds * (2 * array.rows + array.cols + stream - 2)


def traffic(product: Product, array: Array) -> Traffic:
    """Count the words that a product moves; the operand in place moves once."""
    m, k, n = product
    rows, cols = array.rows, array.cols
    if array.dataflow == "os":
        return Traffic(m * k * _tiles(n, cols), k * n * _tiles(m, rows), m * n)
    sums = m * n * (2 * _tiles(k, rows) - 1)
    if array.dataflow == "ws":
        return Traffic(m * k * _tiles(n, cols), k * n, sums)
    return Traffic(m * k, k * n * _tiles(m, cols), sums)


def product_energy(
    product: Product,
    array: Array,
    bits: int,
    memories: tuple[float, float],
    technology: Technology,
) -> float:
    """Energy of a product in pJ at nominal voltage.

    Parameters
    ----------
    product, array
        What is computed where.
    bits
        Bits of an input.
    memories
        Bytes of the activation buffer and of the weight memory.
    technology
        The constants.
    """
    buffer, weights = (access_energy(size, technology) for size in memories)
    words = traffic(product, array)
    share = bits / WEIGHT_BITS
    mac = technology.multiply_energy * share + technology.add_energy
    return (
        product.macs * mac
        + words.inputs * share * buffer
        + words.sums * PARTIAL_SUM_BYTES * buffer
        + words.weights * weights
    )


def access_energy(size: float, technology: Technology) -> float:
    """Energy in pJ per byte from a memory of this many bytes, split into banks."""
    kilobytes = min(max(size / 1024, 0.5), technology.sram_bank)
    return technology.sram_energy * math.sqrt(kilobytes / 8.0)


def sram_area(bits: float, technology: Technology) -> float:
    """Area in mm2 of this many bits."""
    return bits * technology.sram_cell / technology.sram_efficiency * 1e-6


def pe_area(bits: int, technology: Technology) -> float:
    """Area in mm2 of a processing element for inputs of this many bits."""
    share = bits / WEIGHT_BITS
    logic = technology.multiply_area * share + technology.add_area
    return (logic + technology.register_area) * 1e-6


def voltage_factor(frequency: float, technology: Technology) -> float:
    """Energy at the voltage that a clock in MHz needs, relative to the nominal."""
    share = (frequency - SLOWEST) / (FASTEST - SLOWEST)
    low, high = technology.low_voltage, technology.high_voltage
    return ((low + share * (high - low)) / NOMINAL_VOLTAGE) ** 2


def _tiles(length: int, size: int) -> int:
    """How many tiles of a size are needed to cover a length."""
    return -(-length // size)
