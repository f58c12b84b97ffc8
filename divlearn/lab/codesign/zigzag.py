"""Energy and delay of the digital part by ZigZag, an independent and slow model.

ZigZag (``zigzag-dse``) searches for the best order of the loops of a layer on an array,
and counts its cycles and memory accesses. It gets the arrays and memories of a design
with the constants of the table. So it differs from the closed form of
:mod:`divlearn.lab.codesign.digital` only in how loops are mapped and accesses are
counted. Crossbars, control and leakage stay the same.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from divlearn.basics.errors import MissingExtra
from divlearn.lab.codesign.cost import (
    Costs,
    Workload,
    buffer_bytes,
    collect,
    encoder_products,
    products,
    weight_bytes,
)
from divlearn.lab.codesign.crossbars import Cost
from divlearn.lab.codesign.design import Array, Design
from divlearn.lab.codesign.digital import (
    PARTIAL_SUM_BYTES,
    WEIGHT_BITS,
    Product,
    access_energy,
    voltage_factor,
)
from divlearn.lab.codesign.technology import Technology

#: The number of loop orders that ZigZag tries grows fast with this.
LOOP_LIMIT = 6
#: Dimensions of a product (outputs, terms, filters) by ZigZag's letters.
_DIMENSIONS = ("B", "C", "K")
#: Which of them run along rows and columns of the array.
_ALONG = {"ws": ("C", "K"), "os": ("B", "K"), "is": ("C", "B")}
#: Energy of a register in a PE relative to the smallest memory, per byte.
REGISTER_SHARE = 0.1
_ROOM = 1 << 40


class Layer(NamedTuple):
    """A product for ZigZag: on which array, with which bits and energies.

    Attributes
    ----------
    product, array
        What is computed where.
    input_bits, weight_bits
        Bits of the operands.
    mac
        Energy of a multiplication or addition in pJ.
    buffer, weights
        Energy per byte from the activation buffer and the weight memory in pJ.
    """

    product: Product
    array: Array
    input_bits: int
    weight_bits: int
    mac: float
    buffer: float
    weights: float


def require_zigzag() -> None:
    """Raise MissingExtra with the install command if ZigZag is missing."""
    try:
        import zigzag.api  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            f'fidelity="zigzag" needs ZigZag: pip install "divlearn[zigzag]" ({error}).'
        ) from error


def zigzag_costs(design: Design, technology: Technology, workload: Workload) -> Costs:
    """Compute costs as :func:`costs_of` does, the digital products by ZigZag."""
    factor = voltage_factor(design.frequency, technology)
    digital: dict[str, Cost] = {}
    for name, layer in _layers(design, technology, workload):
        energy, cycles = evaluate(layer)
        before = digital.get(name, Cost())
        digital[name] = Cost(
            before.energy + energy * factor,
            before.time + cycles * 1e3 / design.frequency,
        )
    return collect(design, technology, workload, digital)


def _layers(
    design: Design, technology: Technology, workload: Workload
) -> Iterator[tuple[str, Layer]]:
    """Yield the digital products of a design by block."""
    buffer = access_energy(buffer_bytes(design, workload), technology)
    weights = access_energy(weight_bytes(design, workload), technology)
    share = design.act_bits / WEIGHT_BITS
    mac = technology.multiply_energy * share + technology.add_energy
    tasks = products(design, workload)
    for number, (conv, task) in enumerate(zip(design.layers, tasks, strict=True), 1):
        yield (
            f"convolution {number}",
            Layer(task, conv.array, design.act_bits, WEIGHT_BITS, mac, buffer, weights),
        )
    array = Array(design.encoder_array.rows, design.encoder_array.cols, "ws")
    stages = encoder_products(design, workload)
    signs = access_energy(sum(stored for _, stored in stages) / 8, technology)
    for task, _ in stages:
        yield (
            "encoder",
            Layer(
                task, array, design.act_bits, 1, technology.add_energy, buffer, signs
            ),
        )


@lru_cache(maxsize=4096)
def evaluate(layer: Layer) -> tuple[float, float]:
    """Let ZigZag map a product; returns energy in pJ and cycles."""
    from zigzag.api import get_hardware_performance_zigzag

    with tempfile.TemporaryDirectory() as folder, _quiet():
        files = {"hardware": _hardware(layer), "mapping": _mapping(layer)}
        for name, content in files.items():  # JSON is YAML
            Path(folder, f"{name}.yaml").write_text(json.dumps(content))
        energy, latency, _ = get_hardware_performance_zigzag(
            workload=_workload(layer),
            accelerator=str(Path(folder, "hardware.yaml")),
            mapping=str(Path(folder, "mapping.yaml")),
            opt="EDP",
            dump_folder=str(Path(folder, "out")),
            lpf_limit=LOOP_LIMIT,
            nb_spatial_mappings_generated=1,
            loma_show_progress_bar=False,
        )
    return float(energy), float(latency)


def _workload(layer: Layer) -> list[dict[str, Any]]:
    """The product as ZigZag describes a layer."""
    return [
        {
            "id": 0,
            "name": "product",
            "operator_type": "Gemm",
            "equation": "O[b][k]+=W[k][c]*I[b][c]",
            "loop_dims": list(_DIMENSIONS),
            "loop_sizes": list(layer.product),
            "operand_precision": {
                "I": layer.input_bits,
                "W": layer.weight_bits,
                "O": 8 * PARTIAL_SUM_BYTES,
                "O_final": layer.input_bits,
            },
            "operand_source": {"I": 0, "W": 0},
        }
    ]


def _mapping(layer: Layer) -> list[dict[str, Any]]:
    """Which dimension runs along rows and which along columns."""
    sizes = dict(zip(_DIMENSIONS, layer.product, strict=True))
    along = _ALONG[layer.array.dataflow]
    shape = layer.array.rows, layer.array.cols
    return [
        {
            "name": "default",
            "spatial_mapping": {
                f"D{axis}": [f"{name}, {min(size, sizes[name])}"]
                for axis, (name, size) in enumerate(zip(along, shape, strict=True), 1)
            },
            "memory_operand_links": {"O": "O", "W": "I2", "I": "I1"},
        }
    ]


def _hardware(layer: Layer) -> dict[str, Any]:
    """Registers in every PE, an activation buffer and a weight memory."""
    array = layer.array
    register = REGISTER_SHARE * layer.buffer
    sums = 8 * PARTIAL_SUM_BYTES
    lanes = array.rows * array.cols
    return {
        "name": "design",
        "memories": {
            "weight_register": _memory(["I2"], layer.weight_bits, register, 1, False),
            "sum_register": _memory(["O"], sums, register, 1, False),
            "buffer": _memory(["I1", "O"], sums, layer.buffer, lanes, True),
            "weights": _memory(["I2"], 8, layer.weights, lanes, True),
        },
        "operational_array": {
            "unit_energy": layer.mac,
            "unit_area": 1.0,
            "dimensions": ["D1", "D2"],
            "sizes": [array.rows, array.cols],
        },
    }


def _memory(
    operands: list[str], bits: int, per_byte: float, words: int, is_shared: bool
) -> dict[str, Any]:
    """A memory with a port to read and one to write; energies are per access."""
    wide = bits * words
    read = [f"{o}, tl" for o in operands] + ["O, th"] * ("O" in operands)
    write = [f"{o}, fh" for o in operands] + ["O, fl"] * ("O" in operands)
    return {
        "size": _ROOM if is_shared else bits,
        "r_cost": per_byte * wide / 8,
        "w_cost": per_byte * wide / 8,
        "area": 0.0,
        "latency": 1,
        "operands": operands,
        "ports": [
            {
                "name": f"{kind}_port_1",
                "type": name,
                "bandwidth_min": bits,
                "bandwidth_max": wide,
                "allocation": uses,
            }
            for kind, name, uses in (("r", "read", read), ("w", "write", write))
        ],
        "served_dimensions": ["D1", "D2"] if is_shared else [],
    }


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep ZigZag's reports out of the user's terminal."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    previous = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(previous)
        root.handlers[:] = handlers
        root.setLevel(level)
