"""A pump of which some designs were measured last year: they cost no evaluation.

The table has other names than the problem, a guess without values, and a column that
nobody needs.

Run: python examples/known_designs.py [budget]
"""

import sys
from pathlib import Path

import divlearn as dl

METALS = {"aluminium": 2.7, "steel": 7.8}
TABLE = """\
Blades;metal;angle;flow;Mass [kg];operator
5;steel;30;4.9;9.8;Kim
7;aluminium;40;6.9;4.7;Kim
8;aluminium;25;7.7;5.4;Ada
9;aluminium;35;;;a guess
"""


def simulate(x):
    """Stands in for an hour of simulation."""
    flow = x["blades"] * (1.0 - ((x["angle"] - 35) / 60) ** 2)
    return {"flow": flow, "mass": METALS[x["metal"]] * x["blades"] / 4}


def main(budget=40):
    space = dl.Composite(
        blades=dl.Integer(3, 12),
        metal=dl.Categorical(list(METALS)),
        angle=dl.Integer(10, 60),
    )
    problem = dl.Problem(space, simulate, {"flow": "max", "mass": "min"})
    Path("measured.csv").write_text(TABLE)
    names = {"Blades": "blades", "Mass [kg]": "mass"}
    with dl.Study(problem, "known-pump.db") as study:
        print(study.add_from("measured.csv", columns=names))
        study.add({"blades": 3, "metal": "aluminium", "angle": 35}, (3.0, 2.0))
        result = study.run(budget=budget, workers=0)
    print(result)
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
