import pytest

from divlearn import InputError
from divlearn.problems import read
from tests.problems.files.samples import LISTED_ROUTES, TOUR

MATRIX = LISTED_ROUTES[: LISTED_ROUTES.index("DEMAND")].replace("CVRP", "ATSP")

WRONG = [
    ("DIMENSION : 4\n", "", "line 9: expected a line 'DIMENSION : 100', got none"),
    ("DIMENSION", "DIMENSON", r"'DIMENSION : 100', .*\(but DIMENSON in line 3"),
    ("ON : 4", "ON : four", "line 3: expected DIMENSION to be a number, got 'four'"),
    ("ON : 4", "ON :", "line 3: expected DIMENSION to be one number, got ''"),
    ("ON : 4", "ON : 4.5", "line 3: expected DIMENSION, a whole .* got 4.5"),
    ("ON : 4", "ON : 1", "line 3: expected DIMENSION, a whole .* at least 2, got 1"),
    ("ON : 4", "ON : 1e9", "line 3: .* to be at most 100,000, got 1,000,000,000"),
    ("ON : 4", "ON : 5", "line 9: expected 5 nodes in NODE_COORD_SECTION, .* got 4"),
    ("ON : 4", "ON : 3", "line 9: expected 3 nodes in .* got more of them"),
    ("TYPE : TSP\n", "", "expected a line 'TYPE : TSP', got none"),
    ("TYPE : TSP", "TYPE : TOUR", "line 2: .* one of TSP, ATSP, CVRP, got 'TOUR'"),
    ("TYPE : TSP", "TYPE :", "line 2: expected TYPE to be one of .* got ''"),
    ("NAME : square", "TYPE : TSP", "line 2: expected one TYPE, got a second one"),
    ("EUC_2D", "EUC_4D", "line 4: expected EDGE_WEIGHT_TYPE to be .* got 'EUC_4D'"),
    ("EUC_2D", "EXPLICIT", "expected a line 'EDGE_WEIGHT_FORMAT : .*', got none"),
    ("EUC_2D", "EUC_3D", "line 6: expected a node number and its x, y, z, got 3"),
    ("NODE_COORD_SECTION\n", "", "line 5: expected a keyword.* got '1 0 0'"),
    ("NODE_COORD", "NODE_CORD", "line 5: .*did you mean NODE_COORD_SECTION"),
    ("EOF", "FIXED_EDGES_SECTION\nEOF", "line 10: .*it may change the problem"),
    ("EOF", "NODE_COORD_SECTION\nEOF", "line 10: expected one NODE_.* in line 5"),
    ("2 0 10", "2 0 ten", "line 7: expected a number, got 'ten'"),
    ("2 0 10", "2 0", "line 7: expected a node number and its x, y, got 2 numbers"),
    ("2 0 10", "2 0 1 7", "line 7: expected a node number and its x, y, got 4"),
    ("2 0 10", "1 0 10", "line 7: expected a new node, got node 1 again, .* line 6"),
    ("2 0 10", "2.5 0 10", "line 7: expected a node number, a whole .* got 2.5"),
    ("2 0 10", "two 0 10", "line 7: expected numbers or a keyword, got 'two 0 10'"),
    ("2 0 10", "2 0 inf", "line 7: expected a number, got 'inf'"),
    ("2 0 10", "2 0 1e200", "line 7: expected a number, got '1e200'"),
    ("0.4\nEOF\n", "0.4", "line 9: expected a line break .* number may be cut off"),
    (" 0.4\nEOF\n", "", "line 9: expected a node .* the file may be cut off"),
    ("4 10 0.4\nEOF\n", "", "line 8: .* got 3 up to here; the file may be cut"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_malformed_file_is_refused_with_its_line(file, old, new, message):
    """What was expected and what came, where it came."""
    assert old in TOUR
    read(file(TOUR, "good.tsp"))
    with pytest.raises(InputError, match=r"bad\.tsp, .*" + message):
        read(file(TOUR.replace(old, new, 1), "bad.tsp"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3 0 4", "3 0", "line 10: .* 9 numbers in .*FULL_MATRIX of 3 .* got 8 up"),
        ("3 0 4", "3 0 4 4", "line 10: expected 9 numbers .* got more of them"),
        ("3 0 4", "3 - 4", "line 9: expected a number, got '-'"),
        ("FULL_MA", "HALF_MA", "line 5: expected EDGE_WEIGHT_FORMAT to be one of"),
        ("FULL_MATRIX", "UPPER_ROW", "line 9: .* 3 numbers .*UPPER_ROW of 3 nodes"),
    ],
)
def test_a_malformed_matrix_is_refused_with_its_line(file, old, new, message):
    """The whole of it has to be there, and nothing else."""
    assert MATRIX.count(old) == 1
    read(file(MATRIX, "good.atsp"))
    with pytest.raises(InputError, match=r"bad\.atsp, " + message):
        read(file(MATRIX.replace(old, new), "bad.atsp"))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {}, "read needs the name of at least one file"),
        (["gone.tsp"], {}, r"got 'gone\.tsp', which cannot be read \(No such file"),
        (["/"], {}, "cannot be read"),
        (["a\0b"], {}, "cannot be read"),
        ([7], {}, "path must be the name of a file, got 7"),
        (["tour"], {"rounded": "no"}, "rounded must be True or False, got 'no'"),
        (
            ["tour"],
            {"decoder": "greedy"},
            "has the options name, reference, ideal; got decoder",
        ),
        (["tour"], {"reference": [1, 2]}, "reference needs one finite number"),
        (["tour", "knapsack"], {}, "several files must all be TSPLIB.*knapsack.*alone"),
        (["knapsack"], {"instance": 0}, "instance chooses among several problems, but"),
        (["packed"], {}, "is compressed; unpack it first: gunzip"),
    ],
)
def test_a_wrong_request_is_refused(file, arguments, options, message):
    """Before anything is made of the files."""
    known = {
        "tour": file(TOUR, "tour.tsp"),
        "knapsack": file("1 5\n2 3\n", "knapsack.txt"),
        "packed": file(b"\x1f\x8b\x08", "packed.tsp.gz"),
    }
    with pytest.raises(InputError, match=message):
        read(*(known.get(name, name) for name in arguments), **options)
