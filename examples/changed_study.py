"""A pump whose ranges were wrong at first: what was evaluated stays known.

The first study allowed 3 to 9 blades, and the best designs had 9. The second one
allows 12, has a knob that used to be fixed, and a limit on a metric that was only kept.

Run: python examples/changed_study.py [budget]
"""

import sys

import divlearn as dl
from divlearn.study import fork

METALS = {"aluminium": 2.7, "steel": 7.8}


def simulate(x):
    """Stands in for an hour of simulation."""
    angle = x.get("angle", 30)  # was fixed in the first study
    flow = x["blades"] * (1.0 - ((angle - 35) / 60) ** 2)
    mass = METALS[x["metal"]] * x["blades"] / 4
    return {"flow": flow, "mass": mass, "noise": 50 + 2 * flow}


def simulate_quiet(x):
    """The same, with a limit: what is above 0 is too loud."""
    answer = simulate(x)
    return {**answer, "loud": answer["noise"] - 70}


def main(budget=60):
    goals = {"flow": "max", "mass": "min"}
    metal = dl.Categorical(list(METALS))
    old = dl.Composite(blades=dl.Integer(3, 9), metal=metal)
    with dl.Study(
        dl.Problem(old, simulate, goals, extras=["noise"]), "pump.db"
    ) as study:
        study.run(budget=14, workers=0)

    new = dl.Composite(blades=dl.Integer(3, 12), metal=metal, angle=dl.Integer(10, 60))
    problem = dl.Problem(
        new, simulate_quiet, goals, constraints=["loud"], extras=["noise"]
    )
    with fork(
        "pump.db",
        "wide-pump.db",
        problem,
        fill={"angle": 30},
        recompute={"loud": lambda known: known["noise"] - 70},
    ) as study:
        print(study.report)
        result = study.run(budget=budget, workers=0)
    print(result)
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
