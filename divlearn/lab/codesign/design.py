"""``Design``: one accelerator, from either space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from divlearn.lab.codesign.spaces import (
    ANALOG,
    DIGITAL,
    EXTRACTORS,
    KRONECKER,
    PAPER_FIXED,
)

#: Side of the pooling window after the last convolution.
POOL = 2
#: Features that the Kronecker encoder needs to form two factors.
LEAST_KRONECKER = 16
#: What the paper's space leaves open: 8 bit activations, a class memory of 4 bits in
#: cells of 2 bits, 5 bit converters, 16 of them in a bank.
PAPER_ACT_BITS, PAPER_AM_BITS, PAPER_CELL_BITS, PAPER_ADC_BITS, PAPER_ADCS = (
    8,
    4,
    2,
    5,
    16,
)
PAPER_RETRAIN = 5
#: Patches from which filters are chosen, per unit of ``inner_dim`` and in total.
CANDIDATES_PER_UNIT, LARGE_CANDIDATES = 1 / 32, 64


@dataclass(frozen=True)
class Array:
    """A digital array of processing elements (PEs) and its loop order."""

    rows: int
    cols: int
    dataflow: str = "ws"


@dataclass(frozen=True)
class Convolution:
    """A layer of square filters, without padding, on its array."""

    channels: int
    kernel: int
    stride: int
    array: Array


@dataclass(frozen=True)
class Design:
    """One accelerator: what it computes and what it is made of.

    Attributes
    ----------
    layers
        Convolutions in front of the encoder: none, one or two.
    act_bits
        Bits of an activation.
    encoder, encoder_array, hd_dim
        Kind of encoder, its digital array, and the length of a hypervector.
    am_bits, cell_bits, crossbar
        Class memory: bits of an entry, bits per cell, rows and columns of a crossbar.
    adc_bits, adcs
        Converters: bits, and how many a bank has.
    frequency
        Clock in MHz.
    retrain, candidates
        Learning: passes over the training images, and patches to choose filters from.
    arrays
        The digital arrays on the chip, each once.
    """

    layers: tuple[Convolution, ...]
    act_bits: int
    encoder: str
    encoder_array: Array
    hd_dim: int
    am_bits: int
    cell_bits: int
    crossbar: int
    adc_bits: int
    adcs: int
    frequency: int
    retrain: int
    candidates: int
    arrays: tuple[Array, ...]

    def maps(self, side: int) -> list[int]:
        """Sides of the maps after each layer, for square images of this side."""
        sides = []
        for layer in self.layers:
            side = (side - layer.kernel) // layer.stride + 1
            sides.append(side)
        return sides

    def num_features(self, side: int, channels: int = 1) -> int:
        """Number of features that the encoder sees."""
        if not self.layers:
            return side * side * channels
        return self.layers[-1].channels * (self.maps(side)[-1] // POOL) ** 2

    @property
    def slices(self) -> int:
        """Cells that hold the bits of an entry of the class memory."""
        return math.ceil(self.am_bits / self.cell_bits)


def design_of(x: Mapping[str, Any]) -> Design:
    """Make the design from a value of either space."""
    return _large(x) if "extractor" in x else _paper(x)


def _paper(x: Mapping[str, Any]) -> Design:
    """Every layer and the encoder have their own array."""
    arrays = [
        Array(x[f"{part}_x_dim{layer}"], x[f"{part}_y_dim{layer}"])
        for part, layer in (("cnn", "_1"), ("cnn", "_2"), ("encoder", ""))
    ]
    return Design(
        layers=tuple(_layer(x, k, arrays[k - 1]) for k in (1, 2)),
        act_bits=PAPER_ACT_BITS,
        encoder=DIGITAL,
        encoder_array=arrays[2],
        hd_dim=x["hd_dim"],
        am_bits=PAPER_AM_BITS,
        cell_bits=PAPER_CELL_BITS,
        crossbar=x["reram_size"],
        adc_bits=PAPER_ADC_BITS,
        adcs=PAPER_ADCS,
        frequency=PAPER_FIXED["frequency"] // 1_000_000,
        retrain=PAPER_RETRAIN,
        candidates=round(x["inner_dim"] * CANDIDATES_PER_UNIT),
        arrays=tuple(arrays),
    )


def _large(x: Mapping[str, Any]) -> Design:
    """One array does all digital work; without such work there is no array."""
    array = Array(x["rows"], x["cols"], x["dataflow"])
    num_layers = EXTRACTORS[x["extractor"]]
    is_digital = num_layers > 0 or x["encoder"] != ANALOG
    return Design(
        layers=tuple(_layer(x, k + 1, array) for k in range(num_layers)),
        act_bits=x["act_bits"],
        encoder=x["encoder"],
        encoder_array=array,
        hd_dim=x["hd_dim"],
        am_bits=x["am_bits"],
        cell_bits=min(x["cell_bits"], x["am_bits"]),
        crossbar=x["reram_size"],
        adc_bits=x["adc_bits"],
        adcs=x["adcs"],
        frequency=x["frequency"],
        retrain=x["retrain"],
        candidates=LARGE_CANDIDATES,
        arrays=(array,) if is_digital else (),
    )


def _layer(x: Mapping[str, Any], number: int, array: Array) -> Convolution:
    """Read the layer with this number."""
    return Convolution(
        x[f"out_channels_{number}"],
        x[f"kernel_size_{number}"],
        x[f"stride_{number}"],
        array,
    )


def inactive(x: Mapping[str, Any]) -> list[str]:
    """Names of the variables that change nothing in this design.

    Examples
    --------
    >>> from divlearn.lab.codesign.spaces import large_space
    >>> x = large_space().sample(seed=0)
    >>> inactive({**x, "extractor": "none", "encoder": "pim"})[-3:]
    ['rows', 'cols', 'dataflow']
    """
    if "extractor" not in x:
        return []
    active = EXTRACTORS[x["extractor"]]
    names = [
        f"{part}_{layer}"
        for layer in (1, 2)
        if layer > active
        for part in ("out_channels", "kernel_size", "stride")
    ]
    if not active:
        names += ["rows", "cols"] if x["encoder"] == ANALOG else []
        names += ["dataflow"]  # only used by convolutions
    return names


def why_invalid(design: Design, side: int, read_cycles: float, most: float) -> str:
    """Say why a design cannot be built; None if it can.

    Parameters
    ----------
    design
        The design.
    side
        Side of an image.
    read_cycles, most
        Clock cycles that a read of a crossbar takes, and how many can be counted.
    """
    if read_cycles > most:
        return (
            f"a read of {design.crossbar} rows takes {read_cycles:.0f} cycles at "
            f"{design.frequency} MHz, and {most:.0f} can be counted"
        )
    current = side
    for number, layer in enumerate(design.layers, 1):
        if layer.kernel > current:
            return (
                f"filters of {layer.kernel} x {layer.kernel} in layer {number} are "
                f"larger than its map of {current} x {current}"
            )
        current = (current - layer.kernel) // layer.stride + 1
    if current < POOL:
        return f"a map of {current} x {current} is too small for pooling by {POOL}"
    features = design.num_features(side)
    if design.encoder == KRONECKER and features < LEAST_KRONECKER:
        return (
            f"the Kronecker encoder needs {LEAST_KRONECKER} features, "
            f"the extractor gives {features}"
        )
    return ""
