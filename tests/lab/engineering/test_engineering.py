"""Engineering problems: formulas against published designs, instances and noise."""

import importlib.util
import math
import sys

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.bench import built_in
from divlearn.lab.engineering import EngineeringDesign
from divlearn.lab.engineering.beam import Load as Beam
from divlearn.lab.engineering.beam import evaluate as beam
from divlearn.lab.engineering.families import ABOUT, SINGLES
from divlearn.lab.engineering.gearbox import Torque
from divlearn.lab.engineering.gearbox import evaluate as gearbox
from divlearn.lab.engineering.problem import HOMES
from divlearn.lab.engineering.spring import Load as Spring
from divlearn.lab.engineering.spring import evaluate as spring
from divlearn.lab.engineering.vessel import Duty
from divlearn.lab.engineering.vessel import evaluate as vessel

PACKAGES = {"coco": "cocoex", "filter": "scipy", "learner": "sklearn"}
THERE = [
    name
    for name in ABOUT
    if importlib.util.find_spec(PACKAGES.get(name.split("-")[0], "numpy"))
]


@pytest.mark.parametrize("name", THERE)
def test_every_random_design_has_finite_values_that_an_instance_repeats(name):
    """The same number is the same instance; another one asks for something else."""
    problem, again = (dl.problems.get(name, instance=3) for _ in range(2))
    other = dl.problems.get(name, instance=104)
    designs = [problem.space.sample(seed) for seed in range(12)]
    values = problem.evaluate_batch(designs)
    assert np.isfinite(values).all()
    assert (values == again.evaluate_batch(designs)).all()
    assert (values != other.evaluate_batch([*map(_alike(other), designs)])).any()
    assert problem.describe() != other.describe()


def _alike(other):
    """Designs of another instance, which may differ in their ranges."""
    return lambda x: other.space.decode(other.space.encode(x))


def test_every_family_stands_in_the_catalogue():
    """Names, files and descriptions go together."""
    assert list(HOMES) == list(ABOUT) == list(SINGLES)
    assert set(ABOUT) <= {name for name, _ in dl.problems.catalogue()}


def test_golinskis_gearbox_weighs_what_was_published():
    """The best known weight, 2996.35, at the border of its constraints."""
    knobs = ("face", "module", "teeth", "length1", "length2", "shaft1", "shaft2")
    best = (3.5, 0.7, 17, 7.3, 7.8, 3.350215, 5.286683)
    x = dict(zip(knobs, best, strict=True))
    weight, stress, *limits = gearbox(Torque(1.0, 1.0, 1.0), x)
    assert weight == pytest.approx(2996.35, abs=0.05)
    assert max(limits[:9]) <= 1e-4
    assert stress == pytest.approx(1100.0, abs=0.5)  # the limit of the weight's study
    assert limits[10] == pytest.approx(850.0 / 1100.0 - 1.0, abs=1e-3)


def test_the_cheapest_welded_beam_costs_what_was_published():
    """Cost 2.381 and deflection 0.0157, at the border of three constraints."""
    x = {
        "weld": 0.244369,
        "length": 6.217520,
        "height": 8.291471,
        "thickness": 0.244369,
    }
    cost, deflection, *limits = beam(Beam(6_000.0, 14.0), x)
    assert 10**cost == pytest.approx(2.381, abs=2e-3)
    assert 10**deflection == pytest.approx(0.0157, abs=1e-4)
    assert max(limits) <= 2e-3


def test_the_smallest_spring_has_the_published_volume():
    """Volume 2.6586 with wire 0.283 and nine coils."""
    x = {"wire": 0.283, "coils": 9, "diameter": 1.2230410}
    volume, stress, *limits = spring(Spring(1_000, 300, 14.0, 3.0, 1.25, 6.0), x)
    assert 10**volume == pytest.approx(2.6586, abs=1e-3)
    assert max(limits) <= 1e-3
    assert 10**stress == pytest.approx(187_991, rel=1e-4)


def test_a_plain_vessel_costs_what_kannan_and_kramer_say():
    """Cost 6059.7 of the design that most papers find."""
    x = {"material": "carbon", "inspection": "none", "shell": 13, "head": 7}
    cost, content, *_ = vessel(
        Duty(300.0, 0.0), x | {"radius": 42.0984456, "length": 176.6365958}
    )
    assert 10**cost == pytest.approx(6059.7, abs=0.1)
    assert 10**content * 1728.0 == pytest.approx(1_296_000, rel=1e-4)


def test_a_noisy_reactor_is_judged_without_noise():
    """Measurements differ, a restart repeats them, and the judge sees the truth."""
    problem = dl.problems.get("reactor-6", instance=5)
    x = problem.space.sample(seed=1)
    first, second = problem.evaluate(x), problem.evaluate(x)
    assert (first != second).all()
    problem.restart()
    assert (problem.evaluate(x) == first).all()
    (truth,) = problem.noise_free([x])
    assert np.abs(first / truth - 1.0).max() < 6 * problem.level
    assert (problem.evaluate_seeded(x, 7) == problem.evaluate_seeded(x, 7)).all()


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    """COCO is an extra."""
    monkeypatch.setitem(sys.modules, "cocoex", None)
    with pytest.raises(dl.MissingExtra, match=r'pip install "divlearn\[coco\]"'):
        EngineeringDesign("coco-5")


def test_only_the_knobs_of_its_kind_reach_a_filter():
    """A filter without feedback has no order, and one with feedback no taps."""
    pytest.importorskip("scipy")
    space = dl.problems.get("filter-9").space
    seen = {frozenset(space.sample(seed)) for seed in range(60)}
    assert all(("taps" in knobs) != ("order" in knobs) for knobs in seen)
    assert len(seen) >= 3


def test_the_suite_holds_every_family_that_can_run_here():
    """Ten instances that nothing was tuned on."""
    suite = built_in("engineering")
    assert [case.label for case in suite.problems] == THERE
    assert min(suite.instances) >= 100
    assert len(suite.instances) == 10
    assert {"dl", "random"} <= {one.method for one in suite.methods}


def test_a_beam_that_buckles_is_infeasible_and_finite():
    """The thinnest and highest beam has a buckling load below zero by the formula."""
    x = {"weld": 0.125, "length": 0.1, "height": 10.0, "thickness": 0.125}
    values = beam(Beam(6_000.0, 4.0), x)
    assert all(map(math.isfinite, values))
    assert values[-1] > 0.0
