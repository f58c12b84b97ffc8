"""Encodings as users would write them; some of the functions are wrong on purpose."""

import numpy as np

import divlearn as dl
from benchmarks.custom_encodings import Apart


class Colours(dl.Encoding):
    """How often every value occurs, whatever the position."""

    name = "colours"

    @staticmethod
    def list_actions(x, actions):
        """Write the actions."""
        for i in range(len(x)):
            actions[i] = x[i]
        return len(x)

    def num_actions(self, space):
        """How many there are."""
        return int(space.layout.places.arity.max())


class Wider(Apart):
    """Too many actions for the length it declares."""

    name = "wider"

    def most_listed(self, space):
        """Room for the list."""
        return 2


class Narrow(Apart):
    """More numbers than it declares."""

    name = "narrow"

    def num_actions(self, space):
        """How many there are."""
        return 3


class Miscounted(Apart):
    """Returns nothing useful."""

    name = "miscounted"

    @staticmethod
    def list_actions(x, actions):
        """Write the actions."""
        return -1


class Uncompiled(Apart):
    """Not something that numba knows."""

    name = "uncompiled"

    @staticmethod
    def list_actions(x, actions):
        """Write the actions."""
        actions[0] = len({str(x[0])})
        return open is None


class OtherCompiled(Apart):
    """Not the same compiled: whole numbers have an end there."""

    name = "other compiled"

    @staticmethod
    def list_actions(x, actions):
        """Write the actions."""
        huge = int(x[0]) + 2**62
        actions[0] = 1 if huge + huge > 0 else 0
        return 1


def out_of_range(x, actions):
    """One action that there is, two that there are not."""
    actions[0], actions[1], actions[2] = x[0], -5, 4_000_000
    return 3


def beyond(x, actions):
    """Writes more than there is room for."""
    for i in range(6):
        actions[i] = 1
    return 6


def spaced_costs(n, seed):
    """Costs of items two places apart, two objectives."""
    cost = np.random.default_rng(seed).random((2, n, n))

    def evaluate(x):
        return cost[0, x[:-2], x[2:]].sum(), cost[1, x[:-2], x[2:]].sum()

    return dl.Problem(dl.Permutation(n), evaluate, ["a", "b"], name="spaced")
