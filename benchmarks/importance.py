"""Does ``result.importance()`` find what matters? Compared with exact variance shares.

``python benchmarks/importance.py`` searches random instances of four families whose
variance shares are known in closed form, with small budgets, and prints for every
family, budget and method: the rank correlation (Spearman) of told and exact shares,
how often the variable that matters most is told first, the mean absolute error of a
share, the held-out R2 that was told, and how many outputs were told at all.

An exact share is a Shapley effect: the Sobol indices of all sets of variables that a
variable is in, each split evenly among the members of the set.
"""

import argparse
import warnings

import numpy as np

import divlearn as dl

LEVELS = {"a": 7, "b": 12, "c": 20, "d": 5, "e": 3, "f": 4, "g": 2, "h": 5}
ORDERED = "abcd"


def knobs(names="abcdefgh"):
    """Four ordered knobs and four without an order."""
    return {
        name: dl.Integer(0, LEVELS[name] - 1)
        if name in ORDERED
        else dl.Categorical(list(range(LEVELS[name])))
        for name in names
    }


def effect(rng, name, scale):
    """What a knob adds: a piece of a sine, or a number per value; mean 0."""
    size = LEVELS[name]
    if name in ORDERED:
        grid = np.linspace(0.0, 1.0, size)
        values = np.sin(rng.uniform(1.0, 4.0) * grid + rng.uniform(0.0, 6.0))
    else:
        values = rng.normal(size=size)
    values = values - values.mean()
    return scale * values / values.std()


def additive(rng, num_pairs=0):
    """A sum over knobs, and over pairs of them."""
    scales = dict(zip(LEVELS, np.exp(rng.normal(0.0, 1.2, len(LEVELS))), strict=True))
    single = {name: effect(rng, name, scale) for name, scale in scales.items()}
    exact = {name: values.var() for name, values in single.items()}
    pairs = []
    for _ in range(num_pairs):
        first, second = (str(name) for name in rng.choice(list(LEVELS), 2, False))
        table = np.outer(effect(rng, first, 1.0), effect(rng, second, 1.0))
        table *= np.sqrt(scales[first] * scales[second])
        pairs.append((first, second, table))
        exact[first] += table.var() / 2
        exact[second] += table.var() / 2

    def evaluate(x):
        alone = sum(single[name][x[name]] for name in single)
        return float(alone + sum(table[x[a], x[b]] for a, b, table in pairs))

    return evaluate, exact


def product(rng):
    """Sobol's g function of eight ordered knobs: all of them act together."""
    hardness = dict(zip(LEVELS, rng.choice([0, 1, 2, 4.5, 9, 99], 8), strict=True))
    factors = {
        name: (np.abs(4 * np.linspace(0, 1, 30) - 2) + hard) / (1 + hard)
        for name, hard in hardness.items()
    }
    means = {name: values.mean() ** 2 for name, values in factors.items()}
    variances = {name: values.var() for name, values in factors.items()}
    points, weights = np.polynomial.legendre.leggauss(8)
    exact = dict.fromkeys(LEVELS, 0.0)
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        for name in LEVELS:
            others = [means[o] + point * variances[o] for o in LEVELS if o != name]
            exact[name] += weight * variances[name] * np.prod(others)

    def evaluate(x):
        return float(np.prod([factors[name][x[name]] for name in factors]))

    return evaluate, exact


def order(rng):
    """An order of eight items, each with costs of its places, and five knobs."""
    n, names = 8, "abefg"
    costs = rng.normal(size=(n, n)) * np.exp(rng.normal(0.0, 1.0, n))[:, None]
    centred = costs - costs.mean(0) - costs.mean(1)[:, None] + costs.mean()
    scales = np.exp(rng.normal(1.0, 1.2, len(names)))
    pairs = zip(names, scales, strict=True)
    single = {name: effect(rng, name, scale) for name, scale in pairs}
    exact = {name: values.var() for name, values in single.items()}
    exact["order"] = np.square(centred).sum() / (n - 1)

    def evaluate(x):
        place = np.argsort(x["order"])
        alone = sum(single[name][x[name]] for name in single)
        return float(alone + costs[np.arange(n), place].sum())

    return evaluate, exact


FAMILIES = {
    "additive": (additive, knobs()),
    "pairs": (lambda rng: additive(rng, 5), knobs()),
    "product": (product, {name: dl.Integer(0, 29) for name in LEVELS}),
    "order": (order, {"order": dl.Permutation(8), **knobs("abefg")}),
}


def ranks(numbers):
    """Ranks from 0, ties in order."""
    return np.argsort(np.argsort(numbers))


def compare(family, instance, budget, method):
    """Search once; what was told about each of two objectives against the truth."""
    make, parts = FAMILIES[family]
    rng = np.random.default_rng(instance)
    functions = {name: make(rng) for name in ("first", "second")}
    problem = dl.Problem(
        dl.Composite(**parts),
        lambda x: [evaluate(x) for evaluate, _ in functions.values()],
        list(functions),
    )
    told = dl.solve(problem, budget, seed=0, method=method).importance()
    for name, (_, exact) in functions.items():
        target, shares = told.targets[name], told[name]
        true = np.array(list(exact.values())) / sum(exact.values())
        found = np.array([shares.get(variable, 0.0) for variable in exact])
        correlation = np.corrcoef(ranks(found), ranks(true))[0, 1]
        yield (
            correlation if target.known else np.nan,
            float(np.argmax(found) == np.argmax(true)) if target.known else np.nan,
            np.abs(found / found.sum() - true).mean() if target.known else np.nan,
            target.explained if target.known else np.nan,
            float(target.known),
        )


def main():
    """Print a line per family, budget and method."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--budgets", default="60,150,300")
    parser.add_argument("--methods", default="dl,random")
    parser.add_argument("--instances", type=int, default=5)
    parser.add_argument("--first", type=int, default=100, help="number of the first")
    asked = parser.parse_args()
    print("| family | evaluations | method | correlation | first | error | R2 | told |")
    print("|---|---|---|---|---|---|---|---|")
    for family in asked.families.split(","):
        for budget in map(int, asked.budgets.split(",")):
            for method in asked.methods.split(","):
                rows = [
                    row
                    for i in range(asked.first, asked.first + asked.instances)
                    for row in compare(family, i, budget, method)
                ]
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)  # nothing told
                    mean = np.nanmean(np.array(rows), axis=0)
                cells = [f"{number:.2f}" for number in mean]
                print("|", " | ".join([family, str(budget), method, *cells]), "|")


if __name__ == "__main__":
    main()
