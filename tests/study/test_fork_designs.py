"""What was evaluated for one problem becomes what is known about another."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.simulator.metrics import Limit, Metrics
from divlearn.simulator.problem import SimulatorProblem
from divlearn.simulator.program import Program
from divlearn.study.forking.changes import Changes, Unfit
from divlearn.study.forking.designs import Reshaping, only_value
from divlearn.study.forking.values import Recomputation
from divlearn.study.trial import Trial

OLD = dl.Composite(
    blades=dl.Integer(3, 9),
    metal=dl.Categorical(["tin", "zinc"]),
    core=dl.Composite(cache=dl.Ordinal([8, 16, 32]), order=dl.Permutation(3)),
)
X = {"blades": 7, "metal": "tin", "core": {"cache": 16, "order": np.array([2, 0, 1])}}


def nobody(x):
    """Nobody is asked."""
    raise AssertionError


def reshaped(x=X, old=OLD, valid=None, like=(), **parts):
    """The design in a space of these parts."""
    problem = dl.Problem(dl.Composite(**parts), nobody, ["cost"], valid=valid)
    codes = Reshaping(old.describe(), problem, Changes(**dict(like)))(x)
    return problem.space.decode(codes)


def test_a_design_keeps_what_the_new_space_still_has():
    """Wider ranges, more values, another order, other kinds of the same numbers."""
    x = reshaped(
        core=dl.Composite(order=dl.Permutation(3), cache=dl.Integer(1, 64)),
        metal=dl.Categorical(["steel", "tin"]),
        blades=dl.Ordinal([5, 7]),
    )
    assert list(x) == ["core", "metal", "blades"]
    assert (x["metal"], x["blades"], x["core"]["cache"]) == ("tin", 7, 16)
    assert x["core"]["order"].tolist() == [2, 0, 1]


def test_numbers_stay_what_they_are_in_another_range():
    """Reals as they are written, and whole numbers that become reals."""
    old = dl.Composite(
        a=dl.Real(0, 1), b=dl.Real(1e-4, 1, log=True), c=dl.Integer(1, 9)
    )
    new = {"a": dl.Real(-1, 3), "b": dl.Real(1e-5, 10, log=True), "c": dl.Real(0, 20)}
    x = {"a": 0.3, "b": 0.003, "c": 4}
    assert reshaped(x, old, **new) == x
    with pytest.raises(Unfit, match="b is not in real"):
        reshaped(x, old, **new | {"b": dl.Real(0.01, 1)})


@pytest.mark.parametrize(
    ("part", "reason", "example"),
    [
        ({"blades": dl.Integer(8, 9)}, "blades is not in integer 8..9", "blades = 7"),
        ({"metal": dl.Categorical(["zinc"])}, "metal is not in", "metal = 'tin'"),
        (
            {"core": dl.Composite(cache=dl.Integer(1, 9))},
            "core.cache is not in",
            "core.cache = 16",
        ),
    ],
)
def test_a_design_that_does_not_fit_says_which_knob(part, reason, example):
    """In words that many designs share, and with its value."""
    with pytest.raises(Unfit) as unfit:
        reshaped(**part)
    assert unfit.value.reason.startswith(reason)
    assert unfit.value.example == example


def test_new_knobs_have_the_value_that_is_given_or_the_only_one():
    """Nested ones by their path; a knob with one value needs none."""
    x = reshaped(
        like={"fill": {"angle": 30, "core.n": 2}},
        blades=dl.Integer(3, 9),
        angle=dl.Integer(0, 90),
        one=dl.Categorical(["a"]),
        core=dl.Composite(n=dl.Integer(1, 4)),
    )
    assert x == {"blades": 7, "angle": 30, "one": "a", "core": {"n": 2}}


def test_knobs_and_groups_of_them_may_be_renamed():
    """A name of its own goes before that of its group."""
    x = reshaped(
        like={"rename": {"core": "unit", "core.cache": "l1", "blades": "unit.blades"}},
        l1=dl.Integer(1, 64),
        unit=dl.Composite(order=dl.Permutation(3), blades=dl.Integer(1, 9)),
    )
    assert (x["l1"], x["unit"]["blades"]) == (16, 7)


@pytest.mark.parametrize(
    ("like", "words"),
    [
        ({}, r"angle: which value .*fill=\{\"angle\": value\} \(--fill angle=VALUE\)"),
        ({"fill": {"angel": 1}}, "'angel'.*Did you mean 'angle'"),
        ({"fill": {"angle": 99}}, r"fill\['angle'\]: .*99"),
        ({"fill": {"angle": 1, "blades": 3}}, "'blades'.* have 'blades' already"),
        ({"fill": {"angle": 1}, "rename": {"metal": "metl"}}, "'metl'"),
        ({"fill": {"angle": 1}, "only": {"width": 3}}, r"only\['width'\]"),
        ({"fill": {"angle": 1}, "convert": dict}, "fill must be left out"),
        ({"convert": 3}, "convert must be a function"),
        ({"rename": {"a": "c", "b": "c"}}, "two the same name"),
        ({"repeats": "best"}, "repeats must be one of newest, mean"),
        ({"fill": 3}, "fill must be a dict"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_done(like, words):
    """With the name and what to do."""
    with pytest.raises(InputError, match=words):
        reshaped(like=like, blades=dl.Integer(3, 9), angle=dl.Integer(0, 90))


def test_designs_of_other_circumstances_can_be_left_out():
    """A knob that was dropped had the value that now is fixed."""
    assert reshaped(like={"only": {"metal": "tin"}}, blades=dl.Integer(3, 9))
    with pytest.raises(Unfit, match="metal is not 'zinc'"):
        reshaped(like={"only": {"metal": "zinc"}}, blades=dl.Integer(3, 9))


def test_a_function_converts_what_no_rule_can():
    """It may leave designs out, and its mistakes are told."""
    convert = {"convert": lambda x: {"mm": x["blades"] * 10}}
    assert reshaped(like=convert, mm=dl.Integer(0, 99)) == {"mm": 70}
    for function, words in (
        (lambda x: None, "leaves it out"),
        (lambda x: x["nothing"], "raised an error"),
        (lambda x: {"mm": -1}, "mm is not in integer 0..99"),
    ):
        with pytest.raises(Unfit, match=words):
            reshaped(like={"convert": function}, mm=dl.Integer(0, 99))


def test_spaces_without_names_take_the_value_as_it_is():
    """A tour through as many cities stays; others are told by the space."""
    reshape = Reshaping(
        dl.Permutation(4).describe(),
        dl.Problem(dl.Permutation(4), nobody, ["cost"]),
        Changes(),
    )
    assert reshape(np.array([3, 1, 0, 2])).tolist() == [3, 1, 0, 2]
    with pytest.raises(Unfit, match="it is not in permutation, n 4"):
        reshape(np.arange(5))


def test_designs_that_are_not_valid_any_more_are_left_out():
    """And errors in valid() leave out what they concern."""
    with pytest.raises(Unfit, match=r"valid\(\) of the new problem refuses it"):
        reshaped(valid=lambda x: x["blades"] < 7, blades=dl.Integer(3, 9))
    with pytest.raises(Unfit, match=r"valid\(\) raised"):
        reshaped(valid=lambda x: x["b"], blades=dl.Integer(3, 9))


@st.composite
def knobs(draw):
    """A few knobs of any kind, with ranges that differ from draw to draw."""
    low = st.integers(-3, 3)
    ranged = st.builds(lambda a, k: dl.Integer(a, a + k), low, st.integers(0, 6))
    chosen = st.builds(
        dl.Categorical, st.permutations(range(-3, 6)).map(lambda v: v[:4])
    )
    names = draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True))
    return dl.Composite(**{name: draw(ranged | chosen) for name in names})


@given(knobs(), knobs(), st.integers(0, 999))
def test_a_design_is_taken_over_exactly_where_the_new_space_has_it(old, new, seed):
    """Whatever came, went, moved or was reordered; new knobs get what was given."""
    values = random.Random(seed)
    x = {name: _any_value(part, values) for name, part in old.parts.items()}
    came = {n: _any_value(p, values) for n, p in new.parts.items() if n not in x}
    expected = {name: (x | came)[name] for name in new.parts}
    more = {n: v for n, v in came.items() if not only_value(new.parts[n])}
    problem = dl.Problem(new, nobody, ["cost"])
    reshape = Reshaping(old.describe(), problem, Changes(fill=more))
    if new.contains(expected):
        assert new.decode(reshape(x)) == expected
    else:
        with pytest.raises(Unfit):
            reshape(x)


def _any_value(part, values):
    """A value of a knob."""
    (segment,) = part.segments()
    return part.decode([values.randrange(segment.levels[0])])


KIND = dl.Categorical(["cpu", "gpu"])
CACHE = dl.Integer(1, 8)


def test_knobs_that_exist_only_sometimes_are_taken_where_they_exist():
    """Values of knobs that a design does not have any more are dropped."""
    old = dl.Composite(kind=KIND, cache=CACHE)
    new = {"kind": KIND, "cache": dl.If(kind="cpu", then=dl.Integer(1, 16))}
    assert reshaped({"kind": "cpu", "cache": 4}, old, **new) == {
        "kind": "cpu",
        "cache": 4,
    }
    assert reshaped({"kind": "gpu", "cache": 4}, old, **new) == {"kind": "gpu"}
    fewer = new | {"kind": dl.Categorical(["cpu", "tpu"])}
    with pytest.raises(Unfit, match="kind is not in categorical 'cpu', 'tpu'"):
        reshaped({"kind": "gpu", "cache": 4}, old, **fewer)


def test_knobs_that_designs_lacked_may_be_filled_in():
    """Only those that some designs have can be both known and filled in."""
    old = dl.Composite(kind=KIND, cache=dl.If(kind="cpu", then=CACHE))
    new = {"kind": KIND, "cache": CACHE}
    with pytest.raises(Unfit, match="cache is not known"):
        reshaped({"kind": "gpu"}, old, **new)
    fill = {"fill": {"cache": 1}}
    assert reshaped({"kind": "gpu"}, old, like=fill, **new)["cache"] == 1
    assert reshaped({"kind": "cpu", "cache": 5}, old, like=fill, **new)["cache"] == 5


# --- values

TRIAL = Trial(
    3,
    f={"cost": 2.5, "mass": 7.0},
    g={"heat_max": -1.5},
    extras={"heat": 38.5, "db": 40},
)


def test_values_are_those_of_the_same_name():
    """A dropped objective and other metrics are kept; a sense may change."""
    problem = dl.Problem(dl.Integer(0, 9), nobody, {"db": "max", "cost": "max"})
    outputs, extras = Recomputation(problem, Changes(rename={"mass": "kg"}))(TRIAL)
    assert outputs == (40.0, 2.5)
    assert extras == {"kg": 7.0, "heat_max": -1.5, "heat": 38.5}


def test_limits_of_a_simulator_are_applied_anew(tmp_path):
    """To the metrics as they were reported, to the last bit."""
    limits = (Limit("heat", 40.1, True), Limit("mass", 8.0, False))
    program = Program(("true",), tmp_path, tmp_path)
    metrics = Metrics({"cost": "min"}, limits)
    problem = SimulatorProblem(dl.Composite(a=dl.Integer(0, 1)), program, metrics)
    outputs, extras = Recomputation(problem, Changes())(TRIAL)
    assert outputs == (2.5, 38.5 - 40.1, 8.0 - 7.0)
    assert extras == {"mass": 7.0, "heat": 38.5, "db": 40}
    with pytest.raises(Unfit, match="the metric that heat_max limits was not kept"):
        Recomputation(problem, Changes())(Trial(0, f={"cost": 1.0}, g={}))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda m: m["nothing"], "raised an error"),
        (lambda m: math.nan, "area is not a finite number"),
        (lambda m: "3", "area is not a finite number"),
        (None, "area was not measured"),
    ],
)
def test_values_that_nobody_knows_leave_a_trial_out(function, reason):
    """By the function of the user or without one."""
    problem = dl.Problem(dl.Integer(0, 9), nobody, ["area"])
    changes = Changes(recompute={"area": function} if function else {})
    with pytest.raises(Unfit) as unfit:
        Recomputation(problem, changes)(TRIAL)
    assert unfit.value.reason.endswith(reason)


def test_only_outputs_of_the_new_problem_can_be_recomputed():
    """A misspelt name would be ignored."""
    problem = dl.Problem(dl.Integer(0, 9), nobody, ["area"])
    with pytest.raises(InputError, match=r"recompute\['aera'\].*Did you mean 'area'"):
        Recomputation(problem, Changes(recompute={"aera": len}))
