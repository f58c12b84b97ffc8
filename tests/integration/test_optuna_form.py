"""Parameters of Optuna as parts of a space, and when they exist."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from optuna.distributions import (
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

import divlearn as dl
from divlearn.integration.optuna.conditions import Parent, explain
from divlearn.integration.optuna.parts import Members, Order, group_of, part_of


@st.composite
def distributions(draw):
    """Any distribution with something to choose."""
    kind = draw(st.sampled_from(["int", "log int", "float", "log float", "list"]))
    low, width = draw(st.integers(-50, 50)), draw(st.integers(1, 90))
    if kind == "int":
        step = draw(st.integers(1, 9))
        return IntDistribution(low, low + width * step, step=step)
    if kind == "log int":
        return IntDistribution(abs(low) + 1, abs(low) + 1 + width, log=True)
    if kind == "float":
        step = draw(st.sampled_from([None, 0.1, 0.25, 1.0]))
        return FloatDistribution(low, low + width, step=step)
    if kind == "log float":
        return FloatDistribution(0.5 + abs(low), 1 + abs(low) + width, log=True)
    choice = st.sampled_from(["a", "b", None, True, 2, 3.5])
    several = st.lists(choice, min_size=2, unique=True)
    return CategoricalDistribution(
        draw(several.filter(lambda c: len(set(c)) == len(c)))
    )


@given(distributions(), st.integers(0, 10**6))
def test_what_a_part_proposes_belongs_to_the_distribution_and_is_read_back(each, seed):
    """Otherwise Optuna would draw another value."""
    part = part_of("x", each)
    value = part.space.sample(seed)
    params = part.params(value)
    assert each._contains(each.to_internal_repr(params["x"]))
    assert type(params["x"]) in (int, float, bool, str, type(None))
    assert part.space.distance(part.value(params), value) == 0


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_orders_are_read_back_from_their_keys(n, seed):
    """The search must recognise what it asked for."""
    part = Order("o", n)
    order = part.space.sample(seed)
    assert np.array_equal(part.value(part.params(order)), order)
    assert group_of(part.label).distributions == part.distributions


@given(st.integers(1, 10), st.data())
def test_subsets_are_read_back_from_their_keys_or_bits(n, data):
    """Whatever the limits of their size."""
    least = data.draw(st.integers(0, n))
    most = data.draw(st.integers(max(1, least), n))
    part = Members("s", n, least, most)
    chosen = part.space.sample(data.draw(st.integers(0, 10**6)))
    assert np.array_equal(part.value(part.params(chosen)), chosen)
    assert group_of(part.label).space == part.space


@given(st.integers(1, 8), st.data())
def test_any_keys_make_a_subset_within_its_limits(n, data):
    """Other samplers know nothing of the limits."""
    least = data.draw(st.integers(0, n))
    most = data.draw(st.integers(least, n))
    keys = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    part = Members("s", n, least, most)
    params = dict(zip(part.names, keys, strict=True))
    assert part.space.contains(part.value(params))


def holds(conditions, parents, trial):
    """Whether conditions hold in a trial, written down as slowly as it is meant."""
    for name, wanted in conditions.items():
        [parent] = [each for each in parents if each.name == name]
        if parent.codes[trial] is None:
            return False
        value = parent.at(parent.codes[trial])
        if isinstance(wanted, dict):
            if not wanted.get("min", value) <= value <= wanted.get("max", value):
                return False
        elif value not in wanted:
            return False
    return True


@given(st.data())
def test_conditions_hold_where_the_parameter_exists_and_nowhere_else(data):
    """Or there are none; whatever the trials were."""
    trials = data.draw(st.integers(2, 12))
    spaces = [dl.Categorical(range(3)), dl.Integer(0, 4), dl.Real(0, 1)]
    parents = []
    for i, space in enumerate(spaces):
        last = space.segments()[0].levels[0] - 1
        code = st.one_of(st.none(), st.integers(0, last))
        codes = data.draw(st.lists(code, min_size=trials, max_size=trials))
        parents.append(Parent(f"p{i}", space, codes))
    exists = data.draw(st.lists(st.booleans(), min_size=trials, max_size=trials))
    assume(any(exists))
    conditions = explain(exists, parents)
    if conditions is not None:
        assert [holds(conditions, parents, i) for i in range(trials)] == exists


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (lambda a, b, c: a == 1, {"a": (1,)}),
        (lambda a, b, c: a != 1, {"a": (0, 2)}),
        (lambda a, b, c: b >= 2, {"b": {"min": 2}}),
        (lambda a, b, c: b in (1, 2), {"b": {"min": 1, "max": 2}}),
        (lambda a, b, c: b in (0, 3), {"b": (0, 3)}),
        (lambda a, b, c: a == 1 and b >= 2, {"a": (1,), "b": {"min": 2}}),
        (lambda a, b, c: a == 1 or b >= 2, None),
        (lambda a, b, c: True, {}),
    ],
)
def test_rules_are_found_when_all_cases_were_seen(rule, expected):
    """Categories, thresholds, ranges, lists, and several together; not alternatives."""
    cases = [(a, b, c) for a in range(3) for b in range(4) for c in range(2)]
    spaces = dl.Categorical(range(3)), dl.Integer(0, 3), dl.Categorical(range(2))
    columns = zip(*cases, strict=True)
    parents = [
        Parent(n, s, list(v)) for n, s, v in zip("abc", spaces, columns, strict=True)
    ]
    assert explain([rule(*case) for case in cases], parents) == expected
