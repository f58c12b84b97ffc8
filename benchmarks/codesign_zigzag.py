"""The closed-form cost model of the co-design problem beside ZigZag.

    pip install "divlearn[zigzag]"
    python benchmarks/codesign_zigzag.py --designs 40

prints, for random designs of both spaces, Spearman's rank correlation of energy and
delay by the two models, the median ratio, and the time that ZigZag takes per design.
"""

import argparse
import time

import numpy as np

from benchmarks.codesign_points import spearman
from divlearn.lab.codesign import Technology, Workload, costs_of, design_of
from divlearn.lab.codesign.crossbars import read_cycles
from divlearn.lab.codesign.design import why_invalid
from divlearn.lab.codesign.spaces import large_space, paper_space
from divlearn.lab.codesign.zigzag import require_zigzag, zigzag_costs

SPACES = {"paper": paper_space, "large": large_space}


def random_designs(space, count, technology):
    """Designs that can be built."""
    rng, found = np.random.default_rng(0), []
    while len(found) < count:
        values = {
            k: p.values[rng.integers(len(p.values))] for k, p in space.parts.items()
        }
        design = design_of(values)
        cycles = read_cycles(design, technology)
        side = Workload().side
        if not why_invalid(design, side, cycles, technology.most_read_cycles):
            found.append(design)
    return found


def main():
    """Compare on both spaces."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--designs", type=int, default=40)
    request = parser.parse_args()
    require_zigzag()
    technology, workload = Technology(), Workload()
    for name, space in SPACES.items():
        designs = random_designs(space(), request.designs, technology)
        ours = np.array([costs_of(d, technology, workload)[:2] for d in designs])
        cpu, wall = time.process_time(), time.perf_counter()
        theirs = np.array([zigzag_costs(d, technology, workload)[:2] for d in designs])
        cpu = (time.process_time() - cpu) / len(designs)
        wall = (time.perf_counter() - wall) / len(designs)
        for j, cost in enumerate(("energy", "delay")):
            ratio = np.median(theirs[:, j] / ours[:, j])
            agree = spearman(ours[:, j], theirs[:, j])
            print(f"{name} {cost}: Spearman {agree:.3f}, ZigZag / ours {ratio:.2f}")
        print(f"{name}: {cpu:.2f} CPU s, {wall:.2f} s wall per design")


if __name__ == "__main__":
    main()
