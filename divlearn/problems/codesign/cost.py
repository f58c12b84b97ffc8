"""Energy, delay and area of a design, block by block."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from divlearn.problems.codesign.crossbars import (
    PAIR,
    Cost,
    Matrix,
    converter_area,
    product_cost,
)
from divlearn.problems.codesign.design import Design
from divlearn.problems.codesign.digital import (
    WEIGHT_BITS,
    Product,
    access_energy,
    cycles,
    pe_area,
    product_energy,
    sram_area,
    voltage_factor,
)
from divlearn.problems.codesign.encoder import factors, feature_grid
from divlearn.problems.codesign.images import NUM_CLASSES, SIDE
from divlearn.problems.codesign.spaces import ANALOG, KRONECKER
from divlearn.problems.codesign.technology import Technology

#: Bytes of an intermediate result of the Kronecker encoder.
MIDDLE_BYTES = 2


class Workload(NamedTuple):
    """Images that are classified: square, with channels."""

    side: int = SIDE
    channels: int = 1
    classes: int = NUM_CLASSES


class Costs(NamedTuple):
    """What an inference takes, in all and by block.

    Attributes
    ----------
    energy_uj, delay_us, area_mm2
        In all.
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
    blocks = _convolutions(design, constants, images)
    blocks["encoder"] = _encoder(design, constants, images)
    blocks["class memory"] = _class_memory(design, constants, images)
    blocks["arrays"] = Cost(
        area=sum(a.rows * a.cols for a in design.arrays)
        * pe_area(design.act_bits, constants)
    )
    blocks["converters"] = Cost(area=converter_area(design, constants))
    blocks["control"] = _control(design, blocks, constants)
    blocks["learning"] = _learning(design, blocks, constants, images)
    blocks["leakage"] = _leakage(blocks, constants)
    total = _total(blocks)
    return Costs(total.energy * 1e-6, total.time * 1e-3, total.area, blocks)


def products(design: Design, workload: Workload) -> list[Product]:
    """The matrix products of the convolutions."""
    found, channels = [], workload.channels
    sides = design.maps(workload.side)
    for layer, side in zip(design.layers, sides, strict=True):
        terms = layer.kernel**2 * channels
        found.append(Product(side * side, terms, layer.channels))
        channels = layer.channels
    return found


def _convolutions(
    design: Design, constants: Technology, workload: Workload
) -> dict[str, Cost]:
    """Convolutions on their arrays, with the buffers that they need."""
    tasks = products(design, workload)
    weights = sum(task.k * task.n for task in tasks)
    pixels = workload.side**2 * workload.channels
    held = [pixels, *(task.m * task.n for task in tasks)]
    largest = max((a + b for a, b in pairwise(held)), default=pixels)
    buffer_bits = largest * design.act_bits
    factor = voltage_factor(design.frequency, constants)
    blocks = {}
    for number, (layer, task) in enumerate(zip(design.layers, tasks, strict=True), 1):
        memories = (buffer_bits / 8, float(weights))
        energy = product_energy(task, layer.array, design.act_bits, memories, constants)
        time = cycles(task, layer.array) * 1e3 / design.frequency
        blocks[f"convolution {number}"] = Cost(energy * factor, time)
    area = sram_area(buffer_bits + weights * WEIGHT_BITS, constants)
    blocks["buffers"] = Cost(area=area)
    return blocks


def _encoder(design: Design, constants: Technology, workload: Workload) -> Cost:
    """The encoder of this kind."""
    features = design.num_features(workload.side, workload.channels)
    if design.encoder == ANALOG:
        matrix = Matrix(features, PAIR * design.hd_dim, design.act_bits)
        return product_cost(matrix, design, constants)
    if design.encoder == KRONECKER:
        return _by_factors(design, features, constants)
    return _streamed(design, [(features, design.hd_dim)], features, constants)


def _by_factors(design: Design, features: int, constants: Technology) -> Cost:
    """Two small products with an intermediate result between them."""
    rows, cols = feature_grid(features)
    first, second = factors(design.hd_dim)
    stages = [(rows, first * cols), (cols, first * second)]
    bits = first * rows + second * cols
    cost = _streamed(design, stages, bits / design.hd_dim, constants)
    between = first * cols * MIDDLE_BYTES
    moved = 2 * between * access_energy(between, constants)
    return Cost(
        cost.energy + moved * voltage_factor(design.frequency, constants),
        cost.time,
        cost.area + sram_area(between * 8, constants),
    )


def _streamed(
    design: Design,
    stages: list[tuple[int, int]],
    bits_per_dim: float,
    constants: Technology,
) -> Cost:
    """Products with a matrix of signs, streamed from memory through the array.

    Parameters
    ----------
    design
        The design.
    stages
        Terms per output and outputs of each product.
    bits_per_dim
        Signs stored for each dimension of a hypervector.
    constants
        The constants.
    """
    array = design.encoder_array
    clock = sum(
        -(-terms // array.rows) * -(-outputs // array.cols) + array.rows + array.cols
        for terms, outputs in stages
    )
    additions = sum(terms * outputs for terms, outputs in stages)
    bits = bits_per_dim * design.hd_dim
    energy = additions * constants.add_energy
    energy += bits / 8 * access_energy(bits / 8, constants)
    factor = voltage_factor(design.frequency, constants)
    return Cost(
        energy * factor, clock * 1e3 / design.frequency, sram_area(bits, constants)
    )


def _class_memory(design: Design, constants: Technology, workload: Workload) -> Cost:
    """A comparison with all classes."""
    columns = PAIR * workload.classes * design.slices
    return product_cost(Matrix(design.hd_dim, columns, 1), design, constants)


def _control(design: Design, blocks: dict[str, Cost], constants: Technology) -> Cost:
    """Clock and sequencing, as long as anything runs."""
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
