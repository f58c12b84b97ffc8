import hashlib

import pytest

from divlearn.basics.errors import InputError
from divlearn.basics.files import digest_of
from divlearn.lab.bench import Case, Contender, Task
from divlearn.lab.bench.task import stable_hash


def task(**changes):
    """Make a task that differs in some parts from a plain one."""
    parts = {
        "case": Case("bitsp-20"),
        "instance": 0,
        "contender": Contender("paper-ts"),
        "seed": 0,
        "budget": 1000,
    }
    return Task(**{**parts, **changes})


def test_the_key_of_a_task_never_changes():
    """Stores of earlier days must be found again, by any process on any machine."""
    text = b'[7,"run","bitsp-20",{},0,"paper-ts",{},1000,null,0]'
    assert task().key == hashlib.sha256(text).hexdigest()[:32]


@pytest.mark.parametrize(
    "change",
    [
        {"case": Case("bitsp-21")},
        {"case": Case("bitsp-20", {"fill": True})},
        {"instance": 1},
        {"contender": Contender("uniform")},
        {"contender": Contender("paper-ts", {"patience": 5})},
        {"seed": 1},
        {"budget": 1001},
        {"budget": None, "seconds": 1000.0},
    ],
)
def test_all_that_changes_a_result_changes_the_key(change):
    """Otherwise a run would be taken for another one and never be made."""
    assert task(**change).key != task().key


def test_labels_and_the_order_of_options_do_not_change_the_key():
    """To rename a method in a table must not make its runs anew."""
    renamed = task(contender=Contender("paper-ts", label="theirs"))
    assert renamed.key == task().key
    assert stable_hash({"a": 1, "b": 2}) == stable_hash({"b": 2, "a": 1})


def test_a_problem_from_files_is_known_by_their_content(tmp_path):
    """A moved file is the same problem; a changed one is another."""
    first, second = tmp_path / "a.tsp", tmp_path / "b.tsp"
    first.write_text("content")
    second.write_text("content")
    here, there = (Case("x", files=(str(path),)) for path in (first, second))
    assert task(case=here).key == task(case=there).key
    second.write_text("other content")
    assert task(case=here).key != task(case=Case("x", files=(str(second),))).key


def test_a_file_that_is_not_there_is_named(tmp_path):
    """The message is all that the author of a suite has to find it."""
    with pytest.raises(InputError, match=r"gone\.tsp"):
        digest_of([str(tmp_path / "gone.tsp")])
