import re
from pathlib import Path

import numpy as np
from numpy.testing import assert_array_equal

from divlearn.problems import TSP, Knapsack, read
from divlearn.problems.files.distances import DEFINITIONS, MATRIX_FORMATS

DOCUMENT = Path(__file__).parents[3] / "docs" / "instance-files.md"


def examples():
    """The files in the document, in their order."""
    return re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


def test_every_file_in_the_document_can_be_read(file):
    """Of every format one, and of knapsacks every layout."""
    problems = [read(file(text, f"example{k}")) for k, text in enumerate(examples())]
    assert [type(problem).__name__ for problem in problems] == (
        ["TSP", "CVRP"] + ["Knapsack"] * 7
    )


def test_the_knapsacks_that_are_said_to_be_the_same_are(file):
    """Five layouts, and the JSON that comes of them."""
    problems = [read(file(text, "items")) for text in examples()[2:]]
    *same, library, from_json = problems
    assert len(same) == 5
    for problem in same:
        assert problem.describe() == from_json.describe()
        assert_array_equal(problem.ideal, from_json.ideal)
    assert_array_equal(library.weights, [[1, 3], [2, 4]])
    second = read(file(examples()[-2], "items"), instance=1)
    assert_array_equal(second.weights, [[8]])


def test_the_json_in_the_document_is_what_is_written(file, tmp_path):
    """Field by field, in the order of the document."""
    problem = read(file(examples()[2], "items"))
    assert isinstance(problem, Knapsack)
    problem.write(tmp_path / "items.json")
    assert (tmp_path / "items.json").read_text() == examples()[-1]


def test_the_document_names_every_weight_type():
    """What is not written down nobody will try."""
    text = DOCUMENT.read_text()
    for name in DEFINITIONS:
        assert f"`{name}`" in text
    assert len(MATRIX_FORMATS) == 9


def test_the_rule_for_points_is_near_the_papers_at_its_sizes():
    """The document says so, at N = 50 and 100."""
    from divlearn.problems import get
    from divlearn.problems.files.points import suggest_points

    for n in (50, 100):
        tour, routes = get(f"bitsp-{n}"), get(f"bicvrp-{n}")
        reference, ideal = suggest_points(tour)
        assert np.abs(np.array(reference) / tour.reference - 1).max() < 0.1
        assert ideal == [0, 0]
        total = suggest_points(routes)[0][0]
        assert abs(total / routes.reference[0] - 1) < 0.15
    assert suggest_points(TSP(np.zeros((3, 1, 2)))) is None
