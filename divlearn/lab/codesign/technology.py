"""Every constant of the cost and device model, with its source."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

#: Values that nobody published, and published values that were not compared with the
#: original: assumptions with a name.
_ASSUMED, _QUOTED = "assumption", " (quoted)"
#: Sources that several constants share.
_HOROWITZ = "Horowitz, ISSCC 2014: 45 nm, 0.9 V"
_ISAAC = "ISAAC, ISCA 2016: 32 nm"
_NEURRAM = f"NeuRRAM, Nature 2022{_QUOTED}"
_CHEN = f"Chen et al., IEEE Trans. Computers 2015{_QUOTED}"


def _constant(value: float, unit: str, source: str) -> Any:
    """Make a field that knows its unit and its source."""
    return field(default=value, metadata={"unit": unit, "source": source})


@dataclass(frozen=True)
class Technology:
    """The constants of the model; every other number follows from these.

    Examples
    --------
    >>> from divlearn.lab.codesign import Technology
    >>> Technology().adc_area
    0.0012
    >>> Technology(leakage=5.0).leakage  # your own process
    5.0
    """

    # --- digital logic
    multiply_energy: float = _constant(0.2, "pJ per 8 x 8 bit", _HOROWITZ + _QUOTED)
    add_energy: float = _constant(0.05, "pJ per 16 bit", _HOROWITZ + _QUOTED)
    multiply_area: float = _constant(282.0, "um2 per 8 x 8 bit", _HOROWITZ + _QUOTED)
    add_area: float = _constant(67.0, "um2 per 16 bit", _HOROWITZ + _QUOTED)
    register_area: float = _constant(150.0, "um2 per PE", _ASSUMED)
    low_voltage: float = _constant(0.7, "V at 100 MHz", _ASSUMED)
    high_voltage: float = _constant(1.1, "V at 800 MHz", _ASSUMED)
    leakage: float = _constant(2.0, "mW per mm2", _ASSUMED)
    control_area: float = _constant(0.02, "mm2", _ASSUMED)
    control_energy: float = _constant(5.0, "pJ per cycle", _ASSUMED)

    # --- on-chip memory
    sram_energy: float = _constant(1.25, "pJ per byte of 8 KB", _HOROWITZ)
    sram_bank: float = _constant(1024.0, "KB in the largest bank", _HOROWITZ)
    sram_cell: float = _constant(
        0.346, "um2 per bit", f"Intel 45 nm, IEDM 2007{_QUOTED}"
    )
    sram_efficiency: float = _constant(0.7, "share of cells in an array", _ASSUMED)

    # --- resistive memory
    low_conductance: float = _constant(1.0, "uS", _NEURRAM)
    high_conductance: float = _constant(40.0, "uS", _NEURRAM)
    programming_error: float = _constant(2.8, "uS standard deviation", _NEURRAM)
    telegraph_noise: float = _constant(
        0.03, "share of the conductance", f"{_ASSUMED}, after PytorX's RTN model"
    )
    telegraph_share: float = _constant(0.45, "share of cells", "PytorX: close to 0.5")
    stuck_low: float = _constant(0.0904, "share of cells", _CHEN)
    stuck_high: float = _constant(0.0175, "share of cells", _CHEN)
    read_voltage: float = _constant(0.5, "V", "NeuroSim's default RRAM cell")
    read_time: float = _constant(
        10.0, "ns for 128 rows", "the authors' configuration of CiMLoop"
    )
    crossbar_area: float = _constant(2.5e-5, "mm2 per 128 x 128", _ISAAC + _QUOTED)
    driver_energy: float = _constant(0.39, "pJ per row and read", _ISAAC + _QUOTED)
    driver_area: float = _constant(1.7e-7, "mm2 per row", _ISAAC + _QUOTED)
    driver_growth: float = _constant(
        1.3, "factor in area and energy per input bit", _ASSUMED
    )
    banks: float = _constant(8.0, "crossbars that are read at once", _ASSUMED)
    most_read_cycles: float = _constant(
        64.0, "cycles", f"{_ASSUMED}: a 6 bit counter times the read"
    )

    # --- converters
    adc_energy: float = _constant(1.56, "pJ per conversion of 8 bit", _ISAAC)
    adc_area: float = _constant(0.0012, "mm2 at 8 bit", _ISAAC)
    adc_rate: float = _constant(1.28, "conversions per ns at 8 bit", _ISAAC)
    adc_growth: float = _constant(2.0, "factor per bit", _ASSUMED)
    adc_range: float = _constant(
        0.5, "share of the largest sum", f"{_ASSUMED}: fixed when the chip is made"
    )
    shift_energy: float = _constant(0.04, "pJ per conversion", _ISAAC + _QUOTED)
    shift_area: float = _constant(6.0e-5, "mm2 per converter", _ISAAC + _QUOTED)

    # --- learning on the device
    session_images: float = _constant(300.0, "images per learning session", _ASSUMED)
    session_interval: float = _constant(
        20_000.0, "inferences between sessions", _ASSUMED
    )
    write_energy: float = _constant(100.0, "pJ per cell, pulses and checks", _ASSUMED)

    @staticmethod
    def table() -> list[tuple[str, float, str, str]]:
        """List name, value, unit and source of every constant.

        Examples
        --------
        >>> from divlearn.lab.codesign import Technology
        >>> Technology.table()[0]
        ('multiply_energy', 0.2, 'pJ per 8 x 8 bit',
         'Horowitz, ISSCC 2014: 45 nm, 0.9 V (quoted)')
        """
        return [
            (f.name, float(str(f.default)), f.metadata["unit"], f.metadata["source"])
            for f in fields(Technology)
        ]
