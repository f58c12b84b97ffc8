"""An accelerator for matrix products, asked line by line.

A line on standard input is ``{"design": {...}, "seed": ...}``; the answer on
standard output is a line of metrics, or why there are none. What it prepares once, here
a table of layers, stays for all evaluations. Logs belong on standard error.
"""

import json
import math
import sys

#: Rows, columns and depth of the products in a small transformer.
LAYERS = [(197, 192, 768), (197, 768, 192), (197, 192, 576), (197, 197, 64)] * 3


def traffic(design, layer):
    """Words from and to memory, for each of the three operands, by the loop order.

    An operand is fetched again for every turn of a loop that it does not depend on and
    that lies outside of one that it depends on.
    """
    tiles = dict(zip("mnk", design["tile"], strict=True))
    turns = {d: math.ceil(s / tiles[d]) for d, s in zip("mnk", layer, strict=True)}
    order = ["mnk"[item] for item in design["loop_order"]]  # from outside to inside
    words = {}
    for operand in ("mk", "kn", "mn"):
        block = math.prod(min(tiles[d], s) for d, s in zip("mnk", layer, strict=True)
                          if d in operand)  # fmt: skip
        innermost = max(k for k, d in enumerate(order) if d in operand)
        words[operand] = block * math.prod(turns[d] for d in order[: innermost + 1])
    words["mn"] *= 2  # partial sums are read and written
    return words


def simulate(design):
    """Metrics of a design."""
    m, n, k = design["tile"]
    bytes_each = {"int8": 1, "bf16": 2, "fp32": 4}[design["number"]]
    buffer = 1024 * sum(design["buffer_kb"])
    copies = 2 if design["double_buffer"] else 1
    needed = bytes_each * copies * (m * k + k * n + m * n)
    if needed > buffer:
        return {"infeasible": f"tiles need {needed} bytes, buffers have {buffer}"}
    lanes = design["rows"] * design["columns"]
    cycles = energy = 0.0
    for layer in LAYERS:
        words = traffic(design, layer)
        moved = bytes_each * sum(words.values())
        fill = (math.ceil(m / design["rows"]) * design["rows"] / m) * (
            math.ceil(n / design["columns"]) * design["columns"] / n
        )
        compute = math.prod(layer) * fill / lanes
        fetch = moved / design["bandwidth"]
        cycles += max(compute, fetch) if design["double_buffer"] else compute + fetch
        energy += math.prod(layer) * 0.2 * bytes_each**1.3 + moved * 40
        energy += math.prod(layer) * bytes_each * 0.02 * math.sqrt(buffer / 1024)
    area = lanes * 0.0006 * bytes_each**1.2 + buffer / 1024 * 0.004
    area += design["bandwidth"] * 0.01
    return {
        "latency_us": cycles / 1000,
        "energy_uj": energy / 1e6,
        "area_mm2": area,
        "error_percent": {1: 1.8, 2: 0.3, 4: 0.0}[bytes_each],
    }


def main():
    """Answer every line with a line."""
    for line in sys.stdin:
        print(json.dumps(simulate(json.loads(line)["design"])), flush=True)


if __name__ == "__main__":
    main()
