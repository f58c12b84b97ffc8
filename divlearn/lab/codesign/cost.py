"""Energy, delay and area of a design, block by block."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from divlearn.lab.codesign.crossbars import (
    PAIR,
    Cost,
    Matrix,
    converter_area,
    product_cost,
)
from divlearn.lab.codesign.design import Design
from divlearn.lab.codesign.digital import (
    WEIGHT_BITS,
    Product,
    access_energy,
    cycles,
    pe_area,
    product_energy,
    sram_area,
    voltage_factor,
)
from divlearn.lab.codesign.encoder import factors, feature_grid
from divlearn.lab.codesign.images import NUM_CLASSES, SIDE
from divlearn.lab.codesign.spaces import ANALOG, KRONECKER
from divlearn.lab.codesign.technology import Technology

#: Bytes of an intermediate result of the Kronecker encoder.
MIDDLE_BYTES = 2


class Workload(NamedTuple):
    """The images to classify: square, with channels."""

    side: int = SIDE
    channels: int = 1
    classes: int = NUM_CLASSES


class Costs(NamedTuple):
    """What an inference costs, in total and by block.

    Attributes
    ----------
    energy_uj, delay_us, area_mm2
        In total.
    blocks
        Energy in pJ, time in ns and area in mm2 by block.
    """

    energy_uj: float
    delay_us: float
    area_mm2: float
    blocks: dict[str, Cost]


def costs_of(
    design: Design,
    technology: Technology | None = None,
    workload: Workload | None = None,
) -> Costs:
    """Compute energy, delay and area of one inference."""
    constants = technology or Technology()
    images = workload or Workload()
    return collect(design, constants, images, _digital(design, constants, images))


def collect(
    design: Design,
    constants: Technology,
    workload: Workload,
    digital: Mapping[str, Cost],
) -> Costs:
    """Add all other blocks to those of the digital products.

    Parameters
    ----------
    design, constants, workload
        What is computed on what.
    digital
        Energy and time of each convolution, and of a digital encoder.
    """
    blocks = dict(digital)
    blocks["encoder"] = _encoder(design, constants, workload, digital.get("encoder"))
    blocks["class memory"] = _class_memory(design, constants, workload)
    blocks["arrays"] = Cost(
        area=sum(a.rows * a.cols for a in design.arrays)
        * pe_area(design.act_bits, constants)
    )
    bits = 8 * (buffer_bytes(design, workload) + weight_bytes(design, workload))
    blocks["buffers"] = Cost(area=sram_area(bits, constants))
    blocks["converters"] = Cost(area=converter_area(design, constants))
    blocks["control"] = _control(design, blocks, constants)
    blocks["learning"] = _learning(design, blocks, constants, workload)
    blocks["leakage"] = _leakage(blocks, constants)
    total = _total(blocks)
    return Costs(total.energy * 1e-6, total.time * 1e-3, total.area, blocks)


def breakdown(costs: Costs, without: Sequence[str] = ()) -> str:
    """Write costs block by block, and which variables have no effect."""
    lines = [f"{'block':<16}{'energy nJ':>12}{'delay us':>12}{'area mm2':>12}"]
    rows = {
        name: (cost.energy * 1e-3, cost.time * 1e-3, cost.area)
        for name, cost in costs.blocks.items()
    }
    rows["total"] = (costs.energy_uj * 1e3, costs.delay_us, costs.area_mm2)
    for name, numbers in rows.items():
        lines.append(f"{name:<16}" + "".join(f"{n:>12.4f}" for n in numbers))
    if without:
        lines.append(f"without effect here: {', '.join(without)}")
    return "\n".join(lines)


def products(design: Design, workload: Workload) -> list[Product]:
    """The matrix products of the convolutions."""
    found, channels = [], workload.channels
    sides = design.maps(workload.side)
    for layer, side in zip(design.layers, sides, strict=True):
        terms = layer.kernel**2 * channels
        found.append(Product(side * side, terms, layer.channels))
        channels = layer.channels
    return found


def buffer_bytes(design: Design, workload: Workload) -> float:
    """Bytes of the activation buffer: the largest two consecutive maps."""
    pixels = workload.side**2 * workload.channels
    held = [pixels, *(task.m * task.n for task in products(design, workload))]
    largest = max((a + b for a, b in pairwise(held)), default=pixels)
    return largest * design.act_bits / 8


def weight_bytes(design: Design, workload: Workload) -> float:
    """Bytes of all filters."""
    tasks = products(design, workload)
    return sum(task.k * task.n for task in tasks) * WEIGHT_BITS / 8


def encoder_products(design: Design, workload: Workload) -> list[tuple[Product, int]]:
    """Products of a digital encoder, each with its number of signs."""
    if design.encoder == ANALOG:
        return []
    features = design.num_features(workload.side, workload.channels)
    if design.encoder != KRONECKER:
        return [(Product(1, features, design.hd_dim), features * design.hd_dim)]
    rows, cols = feature_grid(features)
    first, second = factors(design.hd_dim)
    return [
        (Product(cols, rows, first), rows * first),
        (Product(first, cols, second), cols * second),
    ]


def _digital(
    design: Design, constants: Technology, workload: Workload
) -> dict[str, Cost]:
    """Convolutions and digital encoders in closed form."""
    memories = buffer_bytes(design, workload), weight_bytes(design, workload)
    factor = voltage_factor(design.frequency, constants)
    blocks = {}
    tasks = products(design, workload)
    for number, (layer, task) in enumerate(zip(design.layers, tasks, strict=True), 1):
        energy = product_energy(task, layer.array, design.act_bits, memories, constants)
        time = cycles(task, layer.array) * 1e3 / design.frequency
        blocks[f"convolution {number}"] = Cost(energy * factor, time)
    stages = encoder_products(design, workload)
    if stages:
        parts = [sign_cost(task, design, constants) for task, _ in stages]
        stored = sum(signs for _, signs in stages) / 8
        energy = sum(part.energy for part in parts)
        energy += stored * access_energy(stored, constants)
        blocks["encoder"] = Cost(energy * factor, sum(part.time for part in parts))
    return blocks


def sign_cost(product: Product, design: Design, constants: Technology) -> Cost:
    """Product with a matrix of signs, which are streamed through the array.

    A processing element adds one input per cycle; the energy is that of the additions,
    at nominal voltage.
    """
    array = design.encoder_array
    outputs = product.m * product.n
    clock = -(-product.k // array.rows) * -(-outputs // array.cols)
    clock += array.rows + array.cols
    return Cost(product.macs * constants.add_energy, clock * 1e3 / design.frequency)


def _encoder(
    design: Design, constants: Technology, workload: Workload, digital: Cost | None
) -> Cost:
    """The encoder: in crossbars, or its digital products and memories."""
    if digital is None:
        features = design.num_features(workload.side, workload.channels)
        matrix = Matrix(features, PAIR * design.hd_dim, design.act_bits)
        return product_cost(matrix, design, constants)
    stages = encoder_products(design, workload)
    area = sram_area(sum(stored for _, stored in stages), constants)
    between = sum(task.m * task.n for task, _ in stages[:-1]) * MIDDLE_BYTES
    moved = 2 * between * access_energy(between, constants)
    return Cost(
        digital.energy + moved * voltage_factor(design.frequency, constants),
        digital.time,
        area + sram_area(between * 8, constants),
    )


def _class_memory(design: Design, constants: Technology, workload: Workload) -> Cost:
    """A comparison with all classes."""
    columns = PAIR * workload.classes * design.slices
    return product_cost(Matrix(design.hd_dim, columns, 1), design, constants)


def _control(design: Design, blocks: dict[str, Cost], constants: Technology) -> Cost:
    """Clock and sequencing while anything runs."""
    clock = _total(blocks).time * design.frequency * 1e-3
    factor = voltage_factor(design.frequency, constants)
    return Cost(clock * constants.control_energy * factor, 0.0, constants.control_area)


def _learning(
    design: Design,
    blocks: dict[str, Cost],
    constants: Technology,
    workload: Workload,
) -> Cost:
    """Learning sessions on the device, as a share of each inference."""
    passes = (1 + design.retrain) * constants.session_images
    cells = design.hd_dim * PAIR * workload.classes * design.slices
    session = passes * _total(blocks).energy + cells * constants.write_energy
    return Cost(session / constants.session_interval)


def _leakage(blocks: dict[str, Cost], constants: Technology) -> Cost:
    """Leakage of the whole chip during an inference: mW times ns is pJ."""
    total = _total(blocks)
    return Cost(constants.leakage * total.area * total.time)


def _total(blocks: dict[str, Cost]) -> Cost:
    """Add up."""
    costs = blocks.values()
    return Cost(
        math.fsum(c.energy for c in costs),
        math.fsum(c.time for c in costs),
        math.fsum(c.area for c in costs),
    )
