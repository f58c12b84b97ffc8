"""Built-in problems by name."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import CVRP, TSP, Knapsack, built_in, catalogue, get
from divlearn.problems.built_in import FAMILIES, HOMES, load_family

FOLDER = Path(built_in.__file__).parent


@pytest.mark.parametrize(
    ("name", "reference", "ideal"),
    [
        ("bitsp-20", [20, 20], [0, 0]),
        ("bitsp-50", [35, 35], [0, 0]),
        ("bitsp-100", [65, 65], [0, 0]),
        ("tritsp-20", [20, 20, 20], [0, 0, 0]),
        ("tritsp-50", [35, 35, 35], [0, 0, 0]),
        ("tritsp-100", [65, 65, 65], [0, 0, 0]),
        ("bikp-50", [5, 5], [30, 30]),
        ("bikp-100", [20, 20], [50, 50]),
        ("bikp-200", [30, 30], [75, 75]),
        ("bicvrp-20", [30, 4], [0, 0]),
        ("bicvrp-50", [45, 4], [0, 0]),
        ("bicvrp-100", [80, 4], [0, 0]),
    ],
)
def test_the_papers_problems_have_the_papers_points(name, reference, ideal):
    """Hypervolume ratios can only be compared with the same points."""
    problem = get(name)
    assert_array_equal(problem.reference, reference)
    assert_array_equal(problem.ideal, ideal)
    assert problem.name == name


@pytest.mark.parametrize(
    ("name", "reference", "ideal"),
    [
        ("bitsp-10", [10, 10], [0, 0]),  # proportional below 20
        ("bitsp-35", [27.5, 27.5], [0, 0]),  # halfway between 20 and 35
        ("tritsp-200", [130, 130, 130], [0, 0, 0]),  # proportional above 100
        ("bikp-10", [1, 1], [6, 6]),  # proportional below 50
        ("bikp-150", [25, 25], [62.5, 62.5]),  # halfway
        ("bikp-800", [60, 60], [150, 150]),  # like the root of n above 200
        ("bicvrp-10", [15, 4], [0, 0]),  # proportional below 20
        ("bicvrp-75", [62.5, 4], [0, 0]),  # halfway
        ("bicvrp-150", [120, 4], [0, 0]),  # proportional above 100
    ],
)
def test_other_sizes_follow_the_documented_rule(name, reference, ideal):
    """Straight lines between the paper's sizes, growth beyond them."""
    problem = get(name)
    assert_allclose(problem.reference, reference)
    assert_allclose(problem.ideal, ideal)


@pytest.mark.parametrize(("name", "m"), [("bitsp-12", 2), ("tritsp-12", 3)])
def test_tours_are_drawn_as_published(name, m):
    """Everyone who knows the rule has the same instance."""
    problem = get(name, instance=3)
    assert isinstance(problem, TSP)
    expected = np.random.default_rng(3).random((12, m, 2))
    assert_array_equal(problem.coordinates, expected)
    assert problem.instance == 3


@pytest.mark.parametrize(
    ("n", "capacity"), [(20, 5), (50, 12.5), (80, 20), (100, 25), (200, 25), (300, 25)]
)
def test_knapsacks_are_drawn_as_published(n, capacity):
    """First the weights, then the values; random-drop repair unless told otherwise."""
    problem = get(f"bikp-{n}", instance=7)
    assert isinstance(problem, Knapsack)
    rng = np.random.default_rng(7)
    assert_array_equal(problem.weights[:, 0], rng.random(n))
    assert_array_equal(problem.values, rng.random((n, 2)))
    assert_array_equal(problem.capacity, [capacity])
    assert problem.constraints == ()
    assert get(f"bikp-{n}", repair=None).constraints == ("load 1",)


@pytest.mark.parametrize(
    ("n", "capacity"), [(10, 30), (20, 30), (35, 35), (50, 40), (100, 50), (200, 50)]
)
def test_vehicle_routing_problems_are_drawn_as_published(n, capacity):
    """First the places, then the demands; the depot in the middle."""
    problem = get(f"bicvrp-{n}", instance=2)
    assert isinstance(problem, CVRP)
    rng = np.random.default_rng(2)
    assert_array_equal(problem.customers, rng.random((n, 2)))
    assert_array_equal(problem.demands, rng.integers(1, 10, n))
    assert_array_equal(problem.depot, [0.5, 0.5])
    assert problem.capacity == capacity
    assert problem.decoder == "cap-split"
    assert get(f"bicvrp-{n}", decoder="flags").decoder == "flags"


@pytest.mark.parametrize("word", FAMILIES)
def test_every_listed_name_can_be_had_from_the_smallest_size_on(word):
    """The list on the command line must not promise what get() refuses."""
    assert f"{word}-N" in dict(catalogue())
    assert FAMILIES[word].description
    family = load_family(word)
    for size in (5, 10) if word == "traps" else (family.least, 11):
        problem = get(f"{word}-{size}")
        x = problem.space.sample(seed=1)
        assert problem.evaluate(x).shape == (len(problem.outputs),)
    with pytest.raises(InputError, match=f"size of {word}-N must be from"):
        get(f"{word}-{family.most + 1}")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("tsp-20",), {}, "bitsp-N, tritsp-N, bikp-N, bicvrp-N.*got 'tsp-20'"),
        (("bitsp",), {}, "such as bitsp-100; got 'bitsp'. Did you mean bitsp-N"),
        (("bitsp-",), {}, "such as bitsp-100"),
        (("bitsp--5",), {}, "such as bitsp-100"),
        (("bitsp-1.5",), {}, "such as bitsp-100"),
        (("bitsp-" + "9" * 5000,), {}, "such as bitsp-100"),
        ((17,), {}, "got 17"),
        (("bitsp-1",), {}, "size of bitsp-N must be from 2 to 100000"),
        (("bikp-0",), {}, "size of bikp-N must be from 1"),
        (("bicvrp-1000000",), {}, "size of bicvrp-N must be from 1 to 5000"),
        (("bitsp-20", -1), {}, "instance must be a whole number of at least 0, got -1"),
        (("bitsp-20", 0.5), {}, "instance must be a whole number"),
        (("bitsp-20", "x"), {}, "instance must be a whole number"),
        (("bitsp-20",), {"repair": "none"}, "bitsp-N has no options; got repair"),
        (("bikp-20",), {"decoder": "flags"}, "options repair, fill; got decoder"),
        (("bicvrp-20",), {"decoder": "flag"}, "decoder must be one of"),
    ],
)
def test_a_wrong_name_is_refused_with_what_there_is(arguments, options, message):
    """The message says what is available."""
    with pytest.raises(InputError, match=message):
        get(*arguments, **options)


def test_the_table_lists_what_is_in_the_files():
    """A class or a family that is not in the table would be found by nobody."""
    files = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    modules = [import_module(f"divlearn.problems.built_in.{file}") for file in files]
    drawn = [word for m in modules for word in getattr(m, "FAMILIES", ())]
    assert sorted(drawn) == sorted(FAMILIES)
    tree = ast.parse((FOLDER / "__init__.py").read_text())
    shown = [a.asname for node in ast.walk(tree) for a in getattr(node, "names", ())]
    assert {name for name in shown if name} == set(HOMES)


def test_listing_problems_starts_no_compiler():
    """The command line has to answer at once."""
    code = (
        "import sys, divlearn.problems as p; p.catalogue(); "
        "print('numba' in sys.modules, 'moocore' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert output.split() == ["False", "False"]
