"""Resistive crossbars: reads, conversions, and their costs."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.lab.codesign.design import Design
from divlearn.lab.codesign.technology import Technology

#: Rows for which a read takes ``read_time`` and a crossbar ``crossbar_area``.
NOMINAL_ROWS = 128
NOMINAL_ADC_BITS = 8
#: Pairs of cells: one for a value, one for its opposite.
PAIR = 2


@dataclass(frozen=True)
class Matrix:
    """A matrix in crossbars.

    Attributes
    ----------
    rows, columns
        Inputs, and columns of cells in use.
    input_bits
        Bits of an input, all driven at once.
    """

    rows: int
    columns: int
    input_bits: int

    def crossbars(self, size: int) -> int:
        """How many crossbars of a size it takes."""
        return self.tall(size) * -(-self.columns // size)

    def tall(self, size: int) -> int:
        """How many crossbars are stacked, each with its own sums."""
        return -(-self.rows // size)


@dataclass(frozen=True)
class Cost:
    """Energy in pJ, time in ns and area in mm2."""

    energy: float = 0.0
    time: float = 0.0
    area: float = 0.0


def read_time(size: int, technology: Technology) -> float:
    """Time in ns until the currents of a crossbar have settled; wires are RC lines."""
    return technology.read_time * (size / NOMINAL_ROWS) ** 2


def read_cycles(design: Design, technology: Technology) -> float:
    """Clock cycles of a read."""
    return read_time(design.crossbar, technology) * design.frequency * 1e-3


def product_cost(matrix: Matrix, design: Design, technology: Technology) -> Cost:
    """Cost of one product with a matrix, without the converters' area.

    As many crossbars as there are banks are read at once; the columns of each wait
    for the converters of its bank, whose codes are added once per clock cycle.
    """
    size = design.crossbar
    crossbars = matrix.crossbars(size)
    conversions = matrix.tall(size) * matrix.columns
    time = read_time(size, technology)
    turns = -(-crossbars // int(technology.banks))
    rate = technology.adc_rate * NOMINAL_ADC_BITS / design.adc_bits
    rate = min(rate, design.frequency * 1e-3)
    waiting = -(-min(size, matrix.columns) // design.adcs) / rate
    growth = technology.driver_growth ** (matrix.input_bits - 1)
    drivers = matrix.rows * -(-matrix.columns // size)
    return Cost(
        energy=matrix.rows * matrix.columns * _cell_energy(time, technology)
        + drivers * technology.driver_energy * growth
        + conversions * (_adc_scale(design, technology) * technology.adc_energy)
        + conversions * technology.shift_energy,
        time=turns * (time + waiting),
        area=crossbars
        * (
            technology.crossbar_area * (size / NOMINAL_ROWS) ** 2
            + size * technology.driver_area * growth
        ),
    )


def converter_area(design: Design, technology: Technology) -> float:
    """Area in mm2 of all converters."""
    each = technology.adc_area * _adc_scale(design, technology) + technology.shift_area
    return technology.banks * design.adcs * each


def _adc_scale(design: Design, technology: Technology) -> float:
    """Cost of a conversion relative to one of 8 bits."""
    return float(technology.adc_growth ** (design.adc_bits - NOMINAL_ADC_BITS))


def _cell_energy(time: float, technology: Technology) -> float:
    """Energy in pJ of a cell of middle conductance during a read in ns."""
    middle = 0.5 * (technology.low_conductance + technology.high_conductance)
    return technology.read_voltage**2 * middle * time * 1e-3
