import json
import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn
from divlearn import InputError, Result
from divlearn.result import load
from divlearn.result.file import checksum_of, decode, encode

integers = st.integers(-(2**53), 2**53)
scalars = st.one_of(
    integers, st.booleans(), st.none(), st.text(max_size=5), st.floats(allow_nan=False)
)
arrays = st.one_of(
    st.permutations(range(4)).map(np.array),
    st.lists(st.booleans(), min_size=4, max_size=4).map(np.array),
    st.lists(st.integers(0, 9), max_size=4).map(lambda v: np.array(v, np.int64)),
    st.lists(st.floats(width=32), max_size=3).map(lambda v: np.array(v, np.float32)),
)
leaves = st.one_of(scalars, arrays, st.tuples(integers, st.text(max_size=3)))
solutions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=6) | st.just("$array"), inner, max_size=3),
    ),
    max_leaves=6,
)


def assert_same(a, b):
    """Check for the same kind, same value, all the way down."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert_array_equal(a, b, strict=True)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    else:
        assert a == b or (a != a and b != b)


def full_result(solutions=("a", "b")):
    """Make a result with something in every field."""
    solutions = list(solutions)
    count = len(solutions)
    return Result(
        solutions,
        [[0.1 + i, 1 / (3 + i)] for i in range(count)],
        [[-float(i)] for i in range(count)],
        objectives={"cost": "min", "quality": "max"},
        constraints=("load",),
        evaluations=200,
        seconds=1.25,
        seed=3,
        method="paper-ts",
        stopped="all 200 evaluations made",
        history={
            "evaluations": [100, 200],
            "seconds": [0.5, 1.25],
            "front_size": [1, 2],
            "hypervolume": [math.nan, 0.5],
        },
        problem="jobs \N{GREEK SMALL LETTER ALPHA}",
        reference=(9, 0),
        settings={"weights": 20, "experts": ("ucb", "exp3"), "size": None},
        versions={"divlearn": "0.1"},
        learned={"by kind": {"refined": 150}, "shares": np.array([0.5, math.inf])},
    )


@settings(max_examples=150, deadline=None)
@given(solutions)
def test_values_survive_the_writing(value):
    """Whatever a space may hold comes back with its type, through strict JSON."""
    text = json.dumps(encode(value), allow_nan=False)
    assert_same(decode(json.loads(text)), value)


KINDS = {
    "permutations": [np.array([1, 0, 2]), np.array([2, 1, 0])],
    "bits": [np.array([True, False]), np.array([False, False])],
    "subsets of different size": [np.array([0, 3]), np.array([], np.int64)],
    "strings": ["nmos", "pmos"],
    "numbers": [3, 4],
    "tuples": [(1, "a"), (2, "b")],
    "lists": [["a", 1], ["b", 2]],
    "mixtures": [
        {"order": np.array([0, 1]), "kind": "a", "width": 3, "inner": {"bit": True}},
        {"order": np.array([1, 0]), "kind": "b", "width": 4, "inner": {"bit": False}},
    ],
    "nothing": [],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_result_comes_back_equal(kind, tmp_path):
    """Every field survives, for every kind of solution."""
    result = full_result(KINDS[kind])
    result.save(tmp_path / "front.json")
    loaded = load(tmp_path / "front.json")
    for name, value in vars(result).items():
        assert_same(getattr(loaded, name), value)


def test_a_loaded_result_can_be_used_as_before(tmp_path):
    """Measures and choices agree with those of the original."""
    result = full_result()
    result.save(str(tmp_path / "front.json"))
    loaded = divlearn.load(str(tmp_path / "front.json"))
    assert loaded.hypervolume() == result.hypervolume()
    assert loaded.knee().x == result.knee().x
    assert loaded.summary() == result.summary()


def test_saving_leaves_no_other_file(tmp_path):
    """The rename replaces the scratch file, and an older result with it."""
    path = tmp_path / "front.json"
    full_result(["a"]).save(path)
    full_result(["b"]).save(path)
    assert load(path).X == ["b"]
    assert os.listdir(path.parent) == ["front.json"]


def test_the_file_is_plain_json_that_names_its_format(tmp_path):
    """Other programs can read it, NaN included."""
    full_result().save(tmp_path / "front.json")
    refuse = {"parse_constant": lambda name: pytest.fail(f"{name} is not JSON")}
    text = (tmp_path / "front.json").read_text(encoding="utf-8")
    document = json.loads(text, **refuse)
    assert document["format"] == "divlearn result"
    assert document["version"] == 2
    assert document["X"] == ["a", "b"]


def test_a_failed_save_keeps_the_old_file(tmp_path):
    """A value that cannot be written is found before the file is touched."""
    path = tmp_path / "front.json"
    full_result(["a"]).save(path)
    with pytest.raises(InputError, match="cannot be saved; use numbers, strings"):
        full_result([object()]).save(path)
    assert load(path).X == ["a"]


def test_settings_that_are_no_data_are_written_as_text(tmp_path):
    """A custom expert must not keep the front from being saved."""
    result = full_result()
    result.settings["expert"] = {1, 2}
    result.save(tmp_path / "front.json")
    assert load(tmp_path / "front.json").settings["expert"] == "{1, 2}"


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    """A directory, or a file where a directory should be, is no place for a file."""
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "file" / "front.json"):
        with pytest.raises(InputError, match=rf"path .*{path.name}'"):
            full_result().save(path)
        with pytest.raises(InputError, match=rf"path .*{path.name}'"):
            full_result().to_csv(path)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def damaged(text, tmp_path):
    """Write something that is no result, and load it."""
    path = tmp_path / "front.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(path)


@pytest.mark.parametrize(
    "content", ["", "hello", b"\x93NUMPY\xff", "[1, 2]", '{"format": "other"}', "3"]
)
def test_files_of_others_are_refused(content, tmp_path):
    """The error says that this is no divlearn result."""
    with pytest.raises(InputError, match=r"front.json.* is not a divlearn result"):
        damaged(content, tmp_path)


def test_a_missing_file_is_named():
    """The error says which file could not be read."""
    with pytest.raises(InputError, match=r"nowhere.json.* cannot be read"):
        load("nowhere.json")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.99])
def test_a_truncated_file_is_recognised(share, tmp_path):
    """A copy that broke off is told from a file of another program."""
    full_result().save(tmp_path / "front.json")
    content = (tmp_path / "front.json").read_bytes()
    with pytest.raises(InputError, match="breaks off or is damaged"):
        damaged(content[: int(share * len(content))], tmp_path)


def test_a_file_of_the_former_version_is_read(tmp_path):
    """It has no insights, and says that nothing was recorded."""
    full_result().save(tmp_path / "front.json")
    document = json.loads((tmp_path / "front.json").read_text(encoding="utf-8"))
    former = {k: v for k, v in document.items() if k not in ("insights", "checksum")}
    text = json.dumps(former | {"version": 1})
    (tmp_path / "old.json").write_text(text, encoding="utf-8")
    old = load(tmp_path / "old.json")
    assert old.X == ["a", "b"]
    assert "nothing was recorded" in str(old.importance())


def test_a_newer_format_asks_for_an_upgrade(tmp_path):
    """Files of the future are not misread."""
    text = '{"format": "divlearn result", "version": 3}'
    with pytest.raises(InputError, match=r"newer than the 2 .* upgrade divlearn"):
        damaged(text, tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("version", "one", "its version is 'one'"),
        ("F", None, "damaged"),
        (
            "F",
            {"$array": [1], "dtype": "object", "shape": [1]},
            "not a type of numbers",
        ),
        ("F", {"$array": [1], "dtype": "<f8", "shape": [5]}, "damaged"),
        ("F", {"$array": [1]}, "damaged"),
        ("G", {"$array": [999], "dtype": "|u1", "shape": [1]}, "damaged"),
        ("X", 5, "damaged"),
        ("objectives", 5, "damaged"),
        ("objectives", {"cost": "up", "quality": "max"}, "objectives must map"),
        ("history", [1], "damaged"),
        ("seed", "$missing", "it lacks seed"),
    ],
)
def test_wrong_fields_are_reported_as_damage(field, value, message, tmp_path):
    """No half-read result ever comes out, and no other error either."""
    full_result().save(tmp_path / "front.json")
    document = json.loads((tmp_path / "front.json").read_bytes())
    document[field] = value
    if value == "$missing":
        del document[field]
    document["checksum"] = checksum_of(document)
    with pytest.raises(InputError, match=message):
        damaged(json.dumps(document), tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("X", 5),
        ("X", {"a": 1}),
        ("X", None),
        ("X", {"$array": [], "dtype": "<i8", "shape": []}),
        ("F", None),
        ("F", [[10**400, 1], [1, 2]]),
        ("F", {"$array": [1, 2], "dtype": "<i8", "shape": [10**12]}),
        ("F", {"$array": [[1], [1, 2]], "dtype": "<f8", "shape": [2]}),
        ("F", {"$array": [1], "dtype": 5, "shape": [1]}),
        ("F", {"$array": [1], "dtype": "<U999999999", "shape": [1]}),
        ("F", {"$array": ["a"], "dtype": "<U3", "shape": [1]}),
        ("objectives", {"cost": [], "quality": "max"}),
        ("objectives", {"$dict": [[1, "min"], [2, "max"]]}),
        ("objectives", 5),
        ("constraints", 5),
        ("constraints", [[1]]),
        ("evaluations", "many"),
        ("evaluations", None),
        ("evaluations", 10**400),
        ("evaluations", True),
        ("seconds", {"$float": "nan"}),
        ("seconds", -1),
        ("seconds", "1"),
        ("seed", [1]),
        ("method", None),
        ("stopped", {"a": 1}),
        ("problem", 5),
        ("history", 5),
        ("history", {"evaluations": 5}),
        ("history", {"evaluations": ["a"]}),
        ("reference", 5),
        ("reference", "worst"),
        ("ideal", [1, "a"]),
        ("settings", []),
        ("settings", {"$dict": [[[], 1]]}),
        ("settings", {"$dict": 5}),
        ("versions", {"divlearn": 1}),
        ("learned", "nothing"),
        ("learned", {"$float": "much"}),
        ("learned", {"$tuple": 5}),
    ],
    ids=str,
)
def test_a_field_of_another_kind_is_reported_as_damage(field, value, tmp_path):
    """By one error that names the file, whatever stands there."""
    path = tmp_path / "front.json"
    full_result().save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(InputError, match=r"front\.json' (is a|breaks off or is) dam"):
        load(path)


@pytest.mark.parametrize("depth", [60, 450, 900, 100_000])
def test_values_nested_without_end_are_reported_as_damage(depth, tmp_path):
    """Not by an error about Python's stack, now or when the result is printed."""
    path = tmp_path / "front.json"
    full_result().save(path)
    nested = '"learned": {"x": ' + "[" * depth + "]" * depth + "}"
    text = json.dumps(json.loads(path.read_text()) | {"learned": "here"})
    path.write_text(text.replace('"learned": "here"', nested))
    with pytest.raises(InputError, match="damaged"):
        load(path)


def test_a_type_of_long_texts_takes_no_more_memory_than_the_texts(tmp_path):
    """A few bytes in a file must not become gigabytes."""
    path = tmp_path / "front.json"
    full_result().save(path)
    texts = {"$array": ["a", "bc"], "dtype": "<U400000000", "shape": [2]}
    document = json.loads(path.read_text()) | {"X": texts}
    del document["checksum"]
    path.write_text(json.dumps(document))
    assert load(path).X[0].itemsize < 100


def test_a_result_with_any_text_can_be_saved(tmp_path):
    """Also what no file in UTF-8 can hold."""
    result = Result(["a"], [[1.0]], objectives=["cost"], stopped="caf\udce9")
    result.save(tmp_path / "front.json")
    assert load(tmp_path / "front.json").stopped == "caf\udce9"


def test_a_digit_that_was_changed_is_seen(tmp_path):
    """Unless whoever changed it removes the checksum."""
    path = tmp_path / "front.json"
    full_result().save(path)
    document = json.loads(path.read_text())
    document["F"]["$array"][0][0] += 1e-9
    path.write_text(json.dumps(document, indent=1))
    with pytest.raises(InputError, match="was changed after it was written; remove"):
        load(path)
    del document["checksum"]
    path.write_text(json.dumps(document))
    assert load(path).F[0, 0] == document["F"]["$array"][0][0]
