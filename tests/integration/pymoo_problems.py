"""Problems of pymoo with variables of every kind."""

import numpy as np
from pymoo.core.problem import ElementwiseProblem, Problem
from pymoo.core.variable import Binary, Choice, Integer, Real


class Mixed(ElementwiseProblem):
    """One variable of each kind, and a constraint."""

    def __init__(self):
        given = {
            "b": Binary(),
            "c": Choice(options=["nothing", "multiply"]),
            "i": Integer(bounds=(-2, 2)),
            "r": Real(bounds=(-5, 5)),
        }
        super().__init__(vars=given, n_obj=2, n_ieq_constr=1)

    def _evaluate(self, x, out, *args, **kwargs):
        total = x["i"] ** 2 + x["r"] ** 2
        total = total * 2 if x["b"] else total
        total = total * 3 if x["c"] == "multiply" else total
        out["F"] = [total, (x["i"] - 2) ** 2 + (x["r"] - 2) ** 2]
        out["G"] = [1 - x["r"]]


class Orders(ElementwiseProblem):
    """Two lengths of a tour."""

    def __init__(self):
        places = np.random.default_rng(0).random((2, 7, 2))
        self.distances = np.linalg.norm(places[:, :, None] - places[:, None], axis=-1)
        super().__init__(n_var=7, n_obj=2, xl=0, xu=6, vtype=int)

    def _evaluate(self, x, out, *args, **kwargs):
        out["F"] = self.distances[:, x, np.roll(x, -1)].sum(axis=1)


class Knapsack(Problem):
    """Two values of items under a capacity, many individuals at a time."""

    def __init__(self):
        self.values, self.weights = np.random.default_rng(1).random((2, 2, 12))
        super().__init__(n_var=12, n_obj=2, n_ieq_constr=1, xl=0, xu=1, vtype=bool)

    def _evaluate(self, x, out, *args, **kwargs):
        assert x.dtype == bool
        out["F"] = -(x @ self.values.T)
        out["G"] = (x @ self.weights[0])[:, None] - 3.0


class Named(ElementwiseProblem):
    """One objective, variables with awkward names, one of which cannot vary."""

    def __init__(self):
        given = {
            "self": Real(bounds=(1, 1)),
            "then": Integer(bounds=(3, 3)),
            "x": Real(bounds=(0, 1)),
            "kind": Choice(options=["a", "b"]),
        }
        super().__init__(vars=given, n_obj=1)

    def _evaluate(self, x, out, *args, **kwargs):
        assert (x["self"], x["then"]) == (1, 3)
        out["F"] = (x["x"] - 0.25) ** 2 + (x["kind"] == "a")


class Columns(ElementwiseProblem):
    """Integers with limits of their own, and an equality."""

    def __init__(self):
        super().__init__(n_var=3, n_obj=1, n_eq_constr=1, xl=[0, 2, 5], xu=[4, 2, 9])
        self.vtype = int

    def _evaluate(self, x, out, *args, **kwargs):
        assert x.dtype == int
        out["F"] = [x.sum()]
        out["H"] = [x[0] + x[2] - 10]
