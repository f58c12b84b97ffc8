import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.problems import CVRP, TSP, Knapsack, get, read, write
from divlearn.problems.built_in import FAMILIES


def random_problem(kind, seed):
    """One of the built-in problems, with numbers that have all their digits."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    if kind == "places":
        return TSP(rng.normal(size=(n, 2, 2)) * 10.0 ** rng.integers(-9, 9))
    if kind == "ways":
        return TSP(distances=rng.normal(size=(3, n, n)), reference=rng.random(3))
    if kind == "knapsack":
        rule = [None, "random-drop", "efficiency"][seed % 3]
        weights, values = rng.random((n, 2)), rng.random((n, 2))
        return Knapsack(weights, values, [1.0, 2.0], repair=rule, fill=seed % 3 == 1)
    decoder = ["cap-split", "greedy", "flags"][seed % 3]
    places = None if kind == "listed routes" else rng.random((n + 1, 2))
    return CVRP(
        None if places is None else places[0],
        None if places is None else places[1:],
        rng.random(n),
        1.0,
        distances=rng.random((n + 1, n + 1)) if kind == "listed routes" else None,
        decoder=decoder,
        levels=int(rng.integers(2, 9)),
        name="routes \u00fcber Land",
    )


KINDS = ["places", "ways", "knapsack", "routes", "listed routes"]


def assert_same(one, other):
    """Everything that a search or a summary sees is the same, to the last bit."""
    assert type(one) is type(other)
    assert one.describe() == other.describe()  # the table's digest is in it
    exact, same = getattr(one, "exact", one), getattr(other, "exact", other)
    assert exact.compiled.table.tobytes() == same.compiled.table.tobytes()
    for name in ("reference", "ideal", "distance"):
        assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.name, one.instance) == (other.name, other.instance)


@given(st.sampled_from(KINDS), st.integers(0, 9999))
def test_a_problem_read_back_is_the_same_to_the_last_bit(tmp_path_factory, kind, seed):
    """So that a search of it gives the same front."""
    problem = random_problem(kind, seed)
    path = tmp_path_factory.mktemp("json") / "problem.json"
    write(problem, path)
    assert_same(read(path), problem)


@pytest.mark.parametrize("word", FAMILIES)
def test_named_problems_keep_their_name_number_and_points(tmp_path, word):
    """All families, with what the paper or a rule says of them."""
    problem = get(f"{word}-20", instance=3)
    problem.write(tmp_path / "named.json")
    assert_same(read(tmp_path / "named.json"), problem)


def test_a_problem_from_another_file_can_be_written(data, tmp_path):
    """Rounded distances and points of the rule included."""
    for name in ("gr17.tsp", "burma14.tsp", "P-n16-k8.vrp", "petersen.txt"):
        problem = read(data / name)
        problem.write(tmp_path / "converted")  # recognised without an ending
        assert_same(read(tmp_path / "converted"), problem)


def test_options_change_a_problem_that_is_read(tmp_path):
    """The file holds the instance, the user says how to search it."""
    path = tmp_path / "routes.json"
    write(get("bicvrp-20"), path)
    problem = read(path, decoder="greedy", name="mine", reference=[40, 5])
    assert (problem.decoder, problem.name) == ("greedy", "mine")
    assert_array_equal(problem.reference, [40, 5])
    with pytest.raises(InputError, match=r"has the options decoder, .* got repair"):
        read(path, repair="efficiency")


def test_only_built_in_problems_can_be_written(tmp_path):
    """A function is not data; a custom class may hold anything."""

    class Tour(TSP):
        pass

    own = dl.Problem(dl.Permutation(3), lambda x: x[:1], ["first"])
    for problem in (own, Tour(np.ones((3, 1, 2))), None):
        with pytest.raises(InputError, match="problem must be a TSP, Knapsack, CVRP"):
            write(problem, tmp_path / "own.json")
    with pytest.raises(InputError, match="path must be the name of a file, got 5"):
        write(get("bitsp-5"), 5)
    assert list(tmp_path.iterdir()) == []


def changed(**changes):
    """A small tour as JSON text, with fields changed, or left out if None."""
    fields = {
        "format": "divlearn problem",
        "version": 1,
        "problem": "TSP",
        "name": "t",
        "instance": None,
        "distances": [[[0, 1], [1, 0]]],
    } | changes
    return json.dumps({key: value for key, value in fields.items() if value != "gone"})


def design(**changes):
    """A single switch with one objective as JSON text, with fields changed."""
    fields = {
        "problem": "MixedDesign",
        "distances": "gone",
        "space": {"space": "binary", "n": 1},
        "effects": [[[0], [1]]],
        "interactions": [],
        "bend": 1.0,
    }
    return changed(**(fields | changes))


WRONG = [
    ('{"format": "divlearn problem",\n"version": 1', "line 2: expected JSON, got"),
    ("[1, 2]", 'expected a JSON object with "format": "divlearn problem"'),
    ("[" * 100_000, "expected JSON, got"),
    (changed(format="divlearn result"), "expected a JSON object with"),
    (changed(version=2), "expected version 1, which this divlearn reads, got 2"),
    (changed(version="gone"), "expected version 1.* got None"),
    (changed(problem="SAT"), "expected problem to be one of TSP, Knapsack.* got 'SAT'"),
    (changed(problem=["TSP"]), "expected problem to be one of"),
    (changed(instance=-1), "expected instance to be 0, 1, .. or null, got -1"),
    (changed(name=5), "expected name to be a text, got 5"),
    (changed(weights=[1]), "expected the fields coordinates, .* got 'weights'"),
    (changed(distances="gone"), "give one of the two"),
    (changed(distances=[[0, 1], [1]]), "expected distances to be an array of numbers"),
    (changed(distances=[[[0, "a"], [1, 0]]]), "distances must be an array of shape"),
    (changed(distances=[[[0, 10**400], [1.5, 0]]]), "distances"),
    (changed(distances=5), r"distances must be an array.*got shape \(\)"),
    (changed(distances={}), "distances must be an array"),
    (changed(reference=[1, 2]), "reference needs one finite number per objective"),
    (changed(reference="a"), "reference needs one finite number per objective"),
    (changed(distances="gone", coordinates=[[[0, 1]]]), "at least 2 cities"),
    (changed(problem="Knapsack", distances="gone"), "values must be"),
    (changed(problem="CVRP", distances="gone"), "customers must be an array"),
    (changed().replace("0, 1", "NaN, 1"), "finite numbers only"),
    (changed(noise=5), "expected noise to have a level and a seed, got 5"),
    (changed(noise={"level": 1}), "expected noise to have a level and a seed"),
    (changed(noise={"level": -1, "seed": 0}), "level must be a number of at least 0"),
    (changed(problem="FlowShop", distances="gone"), "times must be an array"),
    (changed(problem="NKLandscape", distances="gone"), "links must be an array"),
    (design(space="gone"), "expected the field space, got none"),
    (design(space="binary"), "space must be described by its kind .* got 'binary'"),
    (design(space={"space": "cube"}), "space must be described by its kind"),
    (design(space={"space": "binary", "m": 1}), "space must be described"),
    (design(space={"space": "composite", "parts": 5}), "space must be described"),
    (design(space={"space": "binary", "n": 0}), "n must be"),
    (design(effects=5), "effects must be a list of 1 arrays"),
    (design(interactions=5), "interactions must be a list"),
    (design(bend="gone"), "bend must be a number"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_file_is_refused_with_what_is_wrong(file, text, message):
    """Never a traceback of the JSON reader or of NumPy."""
    with pytest.raises(InputError, match=r"^[^:]*problem\.json.*" + message):
        read(file(text, "problem.json"))
    for right in (changed(), design()):
        read(file(right, "problem.json"))
