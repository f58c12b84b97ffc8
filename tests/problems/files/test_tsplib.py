import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import read
from divlearn.problems.files.distances import (
    DEFINITIONS,
    MATRIX_FORMATS,
    fill_matrix,
    measure,
    num_entries,
)
from tests.problems.files.samples import TOUR
from tests.reference import tsplib as reference


def slow_matrix(kind, places, rounded):
    n = len(places)
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                matrix[i, j] = reference.distance(kind, places[i], places[j], rounded)
    return matrix


@given(
    st.sampled_from(sorted(DEFINITIONS)),
    st.integers(0, 9999),
    st.integers(2, 8),
    st.booleans(),
    st.booleans(),
)
def test_distances_agree_with_the_definition(kind, seed, n, whole, rounded):
    """Whole coordinates meet the borders where rounding turns."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-80, 80, (n, DEFINITIONS[kind][0]))
    places = places.round() if whole else places.round(2)
    expected = slow_matrix(kind, places.tolist(), rounded)
    assert_allclose(measure(kind, places, rounded), expected, rtol=0, atol=1e-9)


def test_halves_and_exact_lengths_round_as_published():
    """The places where another rounding would give another length."""
    half = np.array([[0.0, 0.0], [2.5, 0.0]])
    assert measure("EUC_2D", half, True)[0, 1] == 3  # nearest even would be 2
    assert measure("MAN_2D", half, True)[0, 1] == 3
    assert measure("CEIL_2D", half, True)[0, 1] == 3
    # The length is exactly 11, and a hair more if it is computed by way of a root.
    exact = np.array([[0.0, 0.0], [11.0, 33.0]])
    assert measure("ATT", exact, True)[0, 1] == 11


@pytest.mark.parametrize("form", sorted(MATRIX_FORMATS))
@pytest.mark.parametrize("n", [2, 3, 6])
def test_every_matrix_form_gives_the_same_matrix(form, n):
    """By columns, by rows, above and below the diagonal, with it and without."""
    rng = np.random.default_rng(n)
    matrix = rng.integers(1, 99, (n, n)).astype(float)
    if form != "FULL_MATRIX":
        matrix += matrix.T
    listed = [matrix[entry] for entry in reference.matrix_entries(form, n)]
    assert len(listed) == num_entries(n, form)
    np.fill_diagonal(matrix, 0)
    assert_array_equal(fill_matrix(n, form, np.array(listed)), matrix)


def test_unrounded_distances_are_those_of_the_coordinates(file):
    """``rounded=False`` for those who do not compare with published lengths."""
    path = file(TOUR, "square.tsp")
    assert read(path).distances[0, 0, 3] == 10
    assert read(path, rounded=False).distances[0, 0, 3] == pytest.approx(10.008, 1e-4)


@pytest.mark.parametrize(
    "change",
    [
        (" : ", ":"),  # no blanks
        (" : ", "\t:\t"),  # tabs
        (" : ", " "),  # no colon
        ("1 0 0", "\n\n  1\t0 0  "),  # blank lines, blanks at both ends
        ("\n", "\r\n"),  # from Windows
        ("EOF\n", ""),  # no EOF
        ("EOF\n", "EOF"),  # no line break behind it
        ("EOF\n", "EOF\nwhatever follows\n"),
        ("TYPE : TSP", "COMMENT : one\nCOMMENT\nCOMMENT : two\nTYPE : TSP (N. N.)"),
        ("10 0.4", "1.0e1 4.0E-01"),  # scientific notation
        ("10 0.4", "+10. .4"),
        ("1 0 0\n2 0 10", "2 0 10\n1 0 0"),  # out of order
        ("NODE_COORD_SECTION", "NODE_COORD_SECTION :"),
        ("NODE_COORD_SECTION", "DISPLAY_DATA_TYPE : COORD_DISPLAY\nNODE_COORD_SECTION"),
        ("EOF\n", "DISPLAY_DATA_SECTION\n1 5 5\n2 6 6\nEOF\n"),
        ("DIMENSION : 4\n", ""),  # put back below, after a section
        ("NAME", "name"),
        ("NAME", "\ufeffNAME"),  # byte order mark
        ("NAME : square", "NAME : square\nCOMMENT : 4 pl\u00e4tze"),
    ],
)
def test_what_files_in_the_wild_do_is_understood(file, change):
    """None of it changes what the file means."""
    text = TOUR.replace(*change)
    if "DIMENSION" not in text:
        text = text.replace("EOF\n", "DIMENSION : 4\nEOF\n")
    problem = read(file(text, "other.tsp"))
    assert_array_equal(problem.distances, read(file(TOUR, "plain.tsp")).distances)
    assert problem.name == "square"


def test_comments_in_old_encodings_do_not_matter(file):
    """Files from the nineties are in Latin-1."""
    text = TOUR.replace("EOF", "COMMENT : St\u00e4dte\nEOF").encode("latin-1")
    assert read(file(text, "old.tsp")).name == "square"


def test_nodes_may_have_any_numbers_and_are_taken_in_their_order(file):
    """City 0 is the node with the smallest number."""
    numbered = TOUR
    for old, new in (
        ("1 0 0", "70 0 0"),
        ("2 0 10", "50 0 10"),
        ("3 10 10", "0 10 10"),
    ):
        numbered = numbered.replace(old, new)
    problem = read(file(numbered, "numbered.tsp"))  # order: 0, 4, 50, 70
    plain = read(file(TOUR, "plain.tsp"))
    order = [2, 3, 1, 0]
    assert_array_equal(problem.distances[0], plain.distances[0][np.ix_(order, order)])


@given(st.integers(0, 999))
def test_a_matrix_may_be_broken_into_lines_anyhow(tmp_path_factory, seed):
    """The format says so, and files do it."""
    rng = np.random.default_rng(seed)
    words = [str(number) for number in rng.integers(0, 9, 10)]
    joined = "".join(word + rng.choice([" ", "\n", "\t", "\n\n"]) for word in words)
    header = (
        "NAME: m\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
        "EDGE_WEIGHT_FORMAT: UPPER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n"
    )
    path = tmp_path_factory.mktemp("matrix") / "m.tsp"
    path.write_text(header + joined + "\nEOF\n")
    matrix = fill_matrix(4, "UPPER_DIAG_ROW", np.array(words, float))
    assert_array_equal(read(path).distances[0], matrix)


def test_the_kind_of_file_is_recognised_without_its_ending(file):
    """Files are renamed, and knapsacks have no ending of their own."""
    assert read(file(TOUR, "square")).name == "square"
    assert read(file(TOUR.replace("NAME : square\n", ""), "some.txt")).name == "some"


def test_files_of_different_sizes_are_refused(file):
    """Each objective is a length of the same tour."""
    small = TOUR.replace("DIMENSION : 4", "DIMENSION : 3").replace("4 10 0.4\n", "")
    with pytest.raises(InputError, match=r"b\.tsp, line 3: .*DIMENSION 4, as in .*a\."):
        read(file(TOUR, "a.tsp"), file(small, "b.tsp"))


def test_points_follow_the_rule_unless_given(file):
    """A quarter more than the mean tour, rounded up to two digits; 0 is ideal."""
    path = file(TOUR, "square.tsp")
    problem = read(path)
    tours = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]]  # the other ones are the same
    mean = 1.25 * np.mean([problem.evaluate(tour) for tour in tours])
    assert mean <= problem.reference[0] < 1.1 * mean
    assert problem.ideal == [0]
    own = read(path, reference=[99], name="mine")
    assert (own.reference, own.ideal, own.name) == ([99], None, "mine")
    nowhere = TOUR.replace("10", "0").replace("0.4", "0")
    assert read(file(nowhere, "zero.tsp")).reference is None
