"""The model of ``codesign-large`` as an external program, asked line by line.

A line on standard input is ``{"design": {...}, "seed": ...}``; the answer on standard
output is a line of metrics, or why the design cannot be built. Replace ``simulate`` by
a call to your own simulator and leave the rest as it is.
"""

import json
import math
import sys

from divlearn import InvalidDesign
from divlearn.lab.codesign import HDnnPIM

COSTS = ("energy_uj", "delay_us", "area_mm2")


def simulate(problem, design, seed):
    """Metrics of a design, costs also as logarithms."""
    metrics = problem.metrics(design, seed)
    metrics["error_rate"] = metrics.pop("error")  # "error" would report a failure
    logarithms = {f"log10_{name}": math.log10(metrics[name]) for name in COSTS}
    return metrics | logarithms


def main():
    """Answer every line with a line."""
    problem = HDnnPIM("large")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = simulate(problem, request["design"], request.get("seed"))
        except InvalidDesign as error:
            answer = {"infeasible": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
