"""No file, however damaged, gives anything but a problem or an InputError."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn import InputError
from divlearn.problems import get, read
from tests.problems.files.conftest import DATA
from tests.problems.files.samples import LAYOUTS, LISTED_ROUTES, ROUTES, TOUR

HEAD, DEMANDS, DEPOT = re.split(r"(?=DEMAND_|DEPOT_)", ROUTES.replace("EOF\n", ""))
FILES = {
    "tour.tsp": TOUR.encode(),
    "no-eof.tsp": TOUR.replace("EOF\n", "").encode(),
    "routes.vrp": ROUTES.encode(),
    "listed.vrp": LISTED_ROUTES.encode(),
    "demands-last.vrp": (HEAD + DEPOT + DEMANDS.replace("4 1\n", "4 1.5\n")).encode(),
    "gr17.tsp": (DATA / "gr17.tsp").read_bytes(),
    "petersen.txt": (DATA / "petersen.txt").read_bytes(),
    **{f"{name}.txt": text.encode() for name, text in LAYOUTS.items()},
}


def problem_or_none(path, content):
    """Read a file with this content; None if that is refused, with its name."""
    path.write_bytes(content)
    try:
        return read(path)
    except InputError as error:
        message = str(error)
    assert path.name in message
    return None


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_anywhere_is_the_same_problem_or_an_error(tmp_path, name):
    """Above all it is no other problem: not one digit less in the last number."""
    path = tmp_path / name
    whole = problem_or_none(path, FILES[name])
    refused = 0
    for length in range(len(FILES[name])):
        problem = problem_or_none(path, FILES[name][:length])
        refused += problem is None
        if problem is not None:
            assert problem.describe() == whole.describe(), FILES[name][:length]
    assert refused > len(FILES[name]) / 2


def test_a_json_file_cut_anywhere_is_an_error(tmp_path):
    """But for the line break at its end."""
    path = tmp_path / "problem.json"
    get("bicvrp-5").write(path)
    content = path.read_bytes()
    for length in range(len(content) - 1):
        assert problem_or_none(path, content[:length]) is None


BYTES = st.sampled_from(
    [b"\n", b" ", b":", b"-", b"9", b"1e9", b"x", b"\xff", b"", b"#"]
)


@given(st.sampled_from(sorted(FILES)), st.data())
def test_a_damaged_file_gives_a_problem_or_an_error_and_nothing_else(
    tmp_path_factory, name, data
):
    """Bytes put in, replaced and taken out, where the dice say."""
    content = FILES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        gone = data.draw(st.integers(0, 3))
        content = content[:place] + data.draw(BYTES) + content[place + gone :]
    problem_or_none(tmp_path_factory.mktemp("damaged") / name, content)


@given(st.binary(max_size=80), st.sampled_from([".tsp", ".vrp", ".json", ".txt", ""]))
def test_any_bytes_give_an_error_and_nothing_else(tmp_path_factory, content, ending):
    """Nothing that looks like a file is in them."""
    problem_or_none(tmp_path_factory.mktemp("noise") / f"noise{ending}", content)
