"""What a custom encoding is worth if none of the built-in ones fits.

    python benchmarks/custom_encodings.py

prints the mean hypervolume of ``dl`` with and without it, on the same instances, at
1,000 and 5,000 evaluations: permutations of 30 items with costs of items two places
apart, and 60 bits with costs of three bits side by side.
"""

import numpy as np

import divlearn as dl

INSTANCES = range(100, 105)
BUDGETS = (1_000, 5_000)


class Apart(dl.Encoding):
    """Items two places apart."""

    name = "two apart"

    @staticmethod
    def list_actions(x, actions):
        """The item and the next but one, for every place."""
        for i in range(len(x) - 2):
            actions[i] = x[i] * len(x) + x[i + 2]
        return len(x) - 2

    def num_actions(self, space):
        """All pairs of items."""
        return space.num_positions**2


class Triples(dl.Encoding):
    """Three bits side by side."""

    name = "triples"

    @staticmethod
    def list_actions(x, actions):
        """Which of the eight patterns begins at every place."""
        for i in range(len(x) - 2):
            actions[i] = 8 * i + 4 * x[i] + 2 * x[i + 1] + x[i + 2]
        return len(x) - 2

    def num_actions(self, space):
        """Eight per place."""
        return 8 * space.num_positions


def spaced(instance, n=30):
    """Two costs of items two places apart."""
    cost = np.random.default_rng(instance).random((2, n, n))

    def evaluate(x):
        return cost[:, x[:-2], x[2:]].sum(axis=1)

    box = {"reference": (0.6 * n, 0.6 * n), "ideal": (0, 0)}
    return dl.Problem(dl.Permutation(n), evaluate, ["a", "b"], **box)


def patterned(instance, n=60):
    """Two costs of three bits side by side."""
    cost, places = np.random.default_rng(instance).random((2, n, 8)), np.arange(n - 2)

    def evaluate(x):
        patterns = 4 * x[:-2] + 2 * x[1:-1] + x[2:]
        return cost[:, places, patterns].sum(axis=1)

    box = {"reference": (0.5 * n, 0.5 * n), "ideal": (0, 0)}
    return dl.Problem(dl.Binary(n), evaluate, ["a", "b"], **box)


def compared(make, instances, budget, methods):
    """Cells of a table: mean hypervolumes of two methods, and the paired difference."""
    volumes = np.array(
        [
            [dl.solve(make(i), budget, method=each).hypervolume() for each in methods]
            for i in instances
        ]
    )
    without, added = volumes.mean(axis=0)
    more = volumes[:, 1] - volumes[:, 0]
    error = more.std(ddof=1) / len(more) ** 0.5
    return f"{without:.4f} | {added:.4f} | {more.mean():+.4f} ± {error:.4f}"


def main():
    """Compare and print."""
    print("| problem | evaluations | dl | with its own encoding | difference |")
    print("|---|---|---|---|---|")
    for make, encoding in ((spaced, Apart()), (patterned, Triples())):
        own = dl.DL(custom_encodings=[encoding])
        for budget in BUDGETS:
            cells = compared(make, INSTANCES, budget, ("dl", own))
            print(f"| {make.__name__} | {budget:,} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
