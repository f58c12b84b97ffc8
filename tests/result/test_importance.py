"""What matters: shares of the variance by variable, against known truths."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.result.importance.factors import Column, Positions, random_codes, table_of
from divlearn.result.importance.surrogate import Covariances, covariance_of, shapley
from divlearn.result.importance.table import UNEXPLAINED
from divlearn.result.sample import Sample
from tests.reference.shapley import shapley_effects

MIXED = dl.Composite(
    width=dl.Integer(0, 9),
    kind=dl.Categorical("abc"),
    on=dl.Binary(2),
    idle=dl.Binary(),
)


def result_of(space, function, count=60, names=("y",)):
    """A result with random designs, without a search."""
    codes = random_codes(space.layout, count, seed=5)
    outputs = np.array([np.atleast_1d(function(space.decode(row))) for row in codes])
    order = np.flatnonzero(dl.metrics.non_dominated(outputs))
    return dl.Result(
        X=[space.decode(codes[i]) for i in order],
        F=outputs[order],
        objectives=list(names),
        sample=Sample(space, codes, outputs.astype(float)),
    )


def additive(x):
    """Variances by hand: width 8.25, kind 6, on[0] 1, on[1] 0.25."""
    bits = np.asarray(x["on"])
    return x["width"] + 3 * "bac".index(x["kind"]) + 2 * bits[0] + bits[1]


def test_shares_of_a_sum_are_those_of_its_variances():
    """Sixty random designs tell the order and, to a few percent, the numbers."""
    told = result_of(MIXED, additive).importance()
    true = {"width": 8.25, "kind": 6.0, "on": 1.25, "idle": 0.0}
    assert list(told["y"])[:3] == ["width", "kind", "on"]
    for name, variance in true.items():
        assert told["y"][name] == pytest.approx(variance / 15.5, abs=0.04)
    assert told.targets["y"].explained > 0.99
    assert sum(told["y"].values()) == pytest.approx(1.0)


def test_single_positions_are_listed_if_asked_for():
    """The two bits of one part do not matter alike."""
    shares = result_of(MIXED, additive).importance(positions=True)["y"]
    assert shares["on[0]"] > 2 * shares["on[1]"] > 0.0


def test_members_of_the_only_part_are_listed_without_being_asked_for():
    """That the whole design matters is no news; which members do is."""
    costs = np.array([4.0, 0.0, 1.0, 0.0, 2.0, 0.0])
    result = result_of(
        dl.Subset(6, min=0, max=6), lambda x: float(costs[list(x)].sum())
    )
    shares = result.importance()["y"]
    assert list(shares)[:3] == ["x: item 0", "x: item 4", "x: item 2"]
    assert shares["x: item 0"] == pytest.approx(16 / 21, abs=0.05)
    assert set(result.importance(positions=False)["y"]) == {"x", "unexplained"}


def test_what_acts_only_together_is_told_as_a_pair():
    """Neither of two bits matters by itself where only their equality counts."""
    told = result_of(dl.Binary(6), lambda x: float(x[1] == x[4]), 100)
    (pair, *_) = told.importance().pairs
    assert (pair.first, pair.second) == ("x[1]", "x[4]")
    assert pair.share > 0.9


def test_noise_is_not_explained():
    """Where nothing can be predicted, nothing is said, and why."""
    rng = np.random.default_rng(1)
    told = result_of(MIXED, lambda x: rng.normal()).importance()
    assert told["y"] == {UNEXPLAINED: 1.0}
    assert "not known: a surrogate explains only" in str(told)


def test_items_of_an_order_matter_by_their_costs():
    """Places of items 2 and 5 cost most, so these are told first, and in what terms."""
    weights = np.array([0.0, 0.1, 9.0, 0.1, -0.1, -5.0])

    def cost(x):
        return weights @ np.argsort(x)

    told = result_of(dl.Permutation(6), cost, 80).importance(positions=True)
    assert list(told["y"])[:2] == ["x: item 2", "x: item 5"]
    assert "which item" in told.targets["y"].note


@pytest.mark.parametrize("n", [1, 2])
def test_orders_of_one_or_two_items_do_no_harm(n):
    """There is little to tell about them."""
    space = dl.Composite(order=dl.Permutation(n), width=dl.Integer(0, 9))
    told = result_of(space, lambda x: x["width"] + 5 * x["order"][0]).importance()
    assert told["y"]["width"] > (0.9 if n == 1 else 0.3)


def test_closed_form_effects_are_those_of_the_definition():
    """The mean of the model on every design of a small grid, split by brute force."""
    levels, rng = (3, 4, 2), np.random.default_rng(0)
    states = np.array([rng.integers(0, size, 12) for size in levels])
    factors = []
    for row, size, ordered in zip(states, levels, (False, True, False), strict=True):
        shares = np.full(size, 1.0 / size)
        column = Column("", row, table_of(shares, ordered), shares)
        factors.append(Positions("", [column]))
    weights, alpha = np.array([0.7, 0.3, 1.2]), rng.normal(size=12)
    integrated = Covariances(factors).integrated
    effects = shapley(
        [w**2 * g for w, g in zip(weights, integrated, strict=True)], alpha
    )

    def mean(x):
        tables = [factor._columns[0].table for factor in factors]
        rows = [t[a][s] for t, a, s in zip(tables, x, states, strict=True)]
        return float(alpha @ covariance_of(weights, rows))

    expected = shapley_effects(levels, mean)
    np.testing.assert_allclose(effects / effects.sum(), expected, rtol=1e-9)


def test_the_hypervolume_depends_on_what_both_objectives_depend_on():
    """A knob that makes both worse matters, one that trades them does not."""
    space = dl.Composite(waste=dl.Integer(0, 9), trade=dl.Integer(0, 9))

    def both(x):
        return x["waste"] + x["trade"], x["waste"] - x["trade"]

    told = result_of(space, both, names=("a", "b")).importance()
    assert told["hypervolume"]["waste"] > 0.8
    assert told["a"]["trade"] == pytest.approx(0.5, abs=0.1)


def test_the_name_of_an_objective_is_refused_where_a_choice_of_rows_belongs():
    """Importance tells of all outputs at once."""
    with pytest.raises(dl.InputError, match="positions must be True or False, got 'y'"):
        result_of(MIXED, additive).importance("y")


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_numbers_of_any_size_are_explained_alike(size):
    """Whatever is finite may be a value."""
    told = result_of(MIXED, lambda x: size * additive(x)).importance()
    assert list(told["y"])[:3] == ["width", "kind", "on"]


def test_the_table_fits_the_width_it_is_given(monkeypatch):
    """Outputs that find no room side by side stand below each other."""
    result = result_of(
        MIXED, lambda x: [additive(x)] * 4, names=("one", "two", "three", "four")
    )
    monkeypatch.setattr("divlearn.result.importance.table.columns", lambda: 50)
    lines = str(result.importance()).splitlines()
    assert max(map(len, lines)) <= 50
    assert sum(line.startswith("width") for line in lines) > 1


def test_importance_as_a_table_for_other_programs():
    """A row per output and variable; plain data has the same numbers."""
    told = result_of(MIXED, additive).importance()
    table = told.to_dataframe()
    assert list(table.columns) == ["target", "variable", "share", "error", "source"]
    assert table.share.sum() == pytest.approx(1.0)
    assert told.to_dict()["y"]["shares"]["width"][0] == told["y"]["width"]
    assert len(told) == len(table)


def test_an_unknown_output_is_refused():
    """With the names that there are."""
    with pytest.raises(dl.InputError, match="target must be one of y"):
        result_of(MIXED, additive).importance()["z"]


# --- sources


def test_tables_of_a_search_tell_shares_of_the_variance():
    """A sum over bits that the tables know exactly: squares of the weights."""
    weights = np.array([4.0, 3.0, 2.0, 1.0, 0.0, 0.0])
    problem = dl.Problem(
        dl.Binary(6), lambda x: (weights @ x, -weights[::-1] @ x), ["a", "b"]
    )
    method = dl.DL(gp_candidates=0)
    found = dl.solve(problem, 60, seed=1, method=method)
    known = found.learned["what_matters"]["a"]
    assert known["source"].startswith("tables")
    shares = [known["shares"].get(f"x[{i}]", 0.0) for i in range(6)]
    np.testing.assert_allclose(shares, weights**2 / 30.0, atol=0.03)


def test_the_paper_method_tells_what_its_rewards_depend_on():
    """Its table is about the last weight vector; objectives come from a surrogate."""
    problem = dl.problems.get("bikp-20", instance=31)
    told = dl.solve(problem, 3_000, seed=1, method="paper-ts").importance()
    assert told.targets["value 1"].source == "surrogate"
    assert told.targets["reward"].source == "table of values"
    assert told.targets["reward"].explained is None
    assert "held-out R2 not known" in str(told)


def test_a_result_without_a_sample_says_that_nothing_was_recorded():
    """Fronts that were put together by hand, and those of old files."""
    told = dl.Result(["a"], [[1]], objectives=["cost"]).importance()
    assert "cost: not known: nothing was recorded" in str(told)


def test_parts_that_exist_only_sometimes_and_reals_have_shares():
    """A cache that only one kind has, and a rate on a logarithmic scale."""
    space = dl.Composite(
        kind=dl.Categorical(["cpu", "gpu"]),
        cache=dl.If(kind="cpu", then=dl.Ordinal([16, 32, 64])),
        rate=dl.Real(1e-4, 1.0, log=True),
        order=dl.If(kind="gpu", then=dl.Permutation(4)),
    )
    told = result_of(space, lambda x: np.log10(x["rate"]) + x.get("cache", 32) / 8, 80)
    shares = told.importance()["y"]
    assert set(shares) == {"kind", "cache", "rate", "order", UNEXPLAINED}
    assert shares["cache"] > shares["rate"] > shares["order"] + shares["kind"]
