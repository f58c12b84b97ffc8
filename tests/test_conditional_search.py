"""Searches over spaces with conditional parts: feasible, repeatable, and better."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED, kernel
from divlearn.methods.names import method_for
from tests.kernels.cases import ask_and_tell, differing_arrays

CHIP = dl.Composite(
    kind=dl.Categorical(["cpu", "gpu", "tpu"]),
    cache=dl.If(kind="cpu", then=dl.Ordinal([16, 32, 64, 128])),
    lanes=dl.If(kind=("gpu", "tpu"), then=dl.Integer(1, 32)),
    boost=dl.Binary(),
    volt=dl.If(boost=True, then=dl.Ordinal([0.8, 0.9, 1.0, 1.1])),
    width=dl.Integer(1, 16),
)
PLAN = dl.Composite(
    mode=dl.Categorical(["fixed", "free"]),
    speed=dl.Integer(0, 5),
    order=dl.If(mode="free", then=dl.Permutation(5)),
    tools=dl.If(mode="free", speed={"min": 2}, then=dl.Subset(4, 2)),
)
METHODS = {
    "dl": method_for("dl").replace(initial=8, gp_candidates=20),
    "tables": method_for("dl").replace(initial=8, gp_candidates=0),
    "paper-ucb": method_for("paper-ucb").replace(initial=8, weights=3),
}


def chip(x):
    """Time and cost; a key that must not be there is an error."""
    x = dict(x)
    if x["kind"] == "cpu":
        time = 40 / np.log2(x.pop("cache")) + 16 / x["width"]
        cost = 8 + x["width"]
    else:
        fast, lanes = x["kind"] == "tpu", x.pop("lanes")
        time = 60 / (1 + lanes * (1.0 if fast else 0.5)) + 10 / x["width"]
        cost = lanes * (2.2 if fast else 1.0) + 1.5 * x["width"]
    if x["boost"]:
        volt = x.pop("volt")
        time, cost = time * 0.9 / volt**2, cost + 5 * volt
    assert set(x) == {"kind", "boost", "width"}
    return time, cost


def plan(x):
    """Two sums over an order and tools, where there are any."""
    order, tools = x.get("order"), x.get("tools", ())
    assert (order is None) == (x["mode"] == "fixed")
    assert (len(tools) == 2) == (x["mode"] == "free" and x["speed"] >= 2)
    first = 9.0 if order is None else float(np.dot(order, [5, 4, 3, 2, 1])) / 4
    return first + x["speed"] + sum(tools), 12 - 2 * x["speed"] + 3 * (order is None)


def problem(name):
    """One of the two."""
    space, function = (CHIP, chip) if name == "chip" else (PLAN, plan)
    return dl.Problem(space, function, ["a", "b"], reference=[60, 120])


@pytest.mark.skipif(JIT_DISABLED, reason="too slow in plain Python")
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("name", ["chip", "plan"])
def test_functions_see_only_what_exists_and_saved_searches_go_on(
    method, name, tmp_path
):
    """Candidates of every method are solutions, also after saving and loading."""
    optimizer = dl.Optimizer(problem(name), METHODS[method], 3, budget=120)
    ask_and_tell(optimizer, 45)
    optimizer.save(tmp_path / "state.npz")
    other = dl.Optimizer.load(tmp_path / "state.npz", problem(name))
    for each in (optimizer, other):
        ask_and_tell(each, 45)
    assert differing_arrays(optimizer, other) == []


@kernel
def sums(x, table, y):
    """Two sums of what codes are worth, absent ones included."""
    y[:] = 0.0
    for i in range(x.shape[0]):
        y[0] += table[0, (7 * i + x[i]) % table.shape[1]]
        y[1] += table[1, (7 * i + x[i]) % table.shape[1]]


@pytest.mark.skipif(JIT_DISABLED, reason="too slow in plain Python")
@pytest.mark.parametrize("method", sorted(METHODS))
def test_the_compiled_loop_and_ask_and_tell_are_one_search(method):
    """To the last bit, on a space where parts come and go."""
    compiled = dl.Compiled(sums, np.random.default_rng(4).random((2, 40)))
    either = dl.Problem(CHIP, None, ["a", "b"], compiled=compiled)
    one, other = (dl.Optimizer(either, METHODS[method], 5, budget=90) for _ in "ab")
    one.run(90)
    ask_and_tell(other, 90)
    assert differing_arrays(one, other) == []


@pytest.mark.skipif(JIT_DISABLED, reason="too slow in plain Python")
def test_conditions_are_learned():
    """At equal budgets the default method is better than luck, seed by seed."""
    found = {
        method: [
            dl.solve(problem("chip"), 60, method=method, seed=seed).hypervolume()
            for seed in range(3)
        ]
        for method in ("dl", "random")
    }
    assert min(found["dl"]) > max(found["random"])


def test_small_conditional_spaces_are_searched_completely():
    """Solutions are counted as they are, without those that would mean the same."""
    space = dl.Composite(on=dl.Binary(), size=dl.If(on=True, then=dl.Integer(1, 3)))
    small = dl.Problem(space, lambda x: (x.get("size", 0), 1), ["a", "b"])
    result = dl.solve(small, 100, method="random", seed=0)
    assert "all 4 solutions evaluated" in str(result)
