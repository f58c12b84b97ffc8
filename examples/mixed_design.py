"""A mixed design: a gearbox with a material, gear widths, a count and an order.

Three objectives, one constraint, and a quick check that saves evaluations.

Run: python examples/mixed_design.py [budget]
"""

import sys

import numpy as np

import divlearn as dl

# Price and weight per unit of volume, and strength.
MATERIALS = {
    "steel": (1.0, 7.8, 9.0),
    "aluminium": (2.5, 2.7, 4.0),
    "titanium": (12.0, 4.5, 8.0),
}
RATIOS = np.array([1.2, 1.5, 1.9, 2.4, 3.0])

design = dl.Composite(
    material=dl.Categorical(list(MATERIALS)),
    width=dl.Ordinal([8, 10, 12, 16, 20, 25], n=5),
    bearings=dl.Integer(2, 6),
    order=dl.Permutation(5),
)


def evaluate(x):
    """Return price, weight and noise, then the overload, which must be <= 0."""
    price, density, strength = MATERIALS[x["material"]]
    width, ratios = np.asarray(x["width"]), RATIOS[x["order"]]
    volume = (width * ratios**2).sum()
    noise = np.abs(np.diff(ratios)).sum() * 10 + 60 / x["bearings"]
    overload = (ratios.cumprod() / (strength * width)).max() - 0.25
    return {
        "price": price * volume + 15 * x["bearings"],
        "weight": density * volume / 10,
        "noise": noise,
        "overload": overload,
    }


def fits(x):
    """Whether the gears fit into the housing; other designs are not tried."""
    return np.sum(x["width"]) <= 90


def main(budget=3_000):
    problem = dl.Problem(
        design,
        evaluate,
        objectives={"price": "min", "weight": "min", "noise": "min"},
        constraints=["overload"],
        valid=fits,
        name="gearbox",
    )
    result = dl.solve(problem, budget=budget, seed=0)
    print(result)
    print("balanced:", result.knee())
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
