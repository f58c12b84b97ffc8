"""A pump whose knobs depend on each other: some exist only for one kind of drive.

Run: python examples/conditional_knobs.py [budget]
"""

import sys

import divlearn as dl

SPACE = dl.Composite(
    drive=dl.Categorical(["fixed", "variable"]),
    poles=dl.If(drive="fixed", then=dl.Ordinal([2, 4, 6, 8])),
    inverter=dl.If(
        drive="variable",
        then=dl.Composite(
            hertz=dl.Integer(20, 80),
            cooled=dl.Binary(),
            fan=dl.If(cooled=True, then=dl.Integer(1, 5)),
        ),
    ),
    blades=dl.Integer(3, 9),
)


def evaluate(x):
    """Flow to be large, cost to be small; only knobs that exist are there."""
    if x["drive"] == "fixed":
        speed, cost = 100 / x["poles"], 40 + 5 * x["poles"]
    else:
        inverter = x["inverter"]
        fan = inverter.get("fan", 0)
        speed = min(inverter["hertz"], 45 + 7 * fan)
        cost = 55 + 0.4 * inverter["hertz"] + 2 * fan
    return {"flow": speed * x["blades"] ** 0.5, "cost": cost + 3 * x["blades"]}


def main(budget=150):
    """Search, and print the front from the cheapest design to the strongest."""
    problem = dl.Problem(SPACE, evaluate, {"flow": "max", "cost": "min"}, name="pump")
    result = dl.solve(problem, budget=budget, seed=0)
    print(result)
    for row in sorted(result.to_records(), key=lambda row: row["cost"]):
        print({name: value for name, value in row.items() if value is not None})
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
