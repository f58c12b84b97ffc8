import pytest

from divlearn.basics.errors import InputError
from divlearn.lab.bench import Case
from divlearn.lab.bench.cases import build, families, has_exact_front
from divlearn.problems import get, write


def test_a_plain_name_is_the_built_in_problem():
    """A benchmark and ``divlearn solve`` mean the same instance."""
    case = Case("bikp-20", {"fill": True})
    ours, plain = build(case, 4), get("bikp-20", instance=4, fill=True)
    assert ours.describe() == plain.describe()


def test_files_are_read_as_problems(tmp_path):
    """Instances from elsewhere take part in a benchmark too."""
    path = tmp_path / "tour.json"
    write(get("bitsp-9"), path)
    assert build(Case("mine", files=(str(path),)), 0).distances.shape == (2, 9, 9)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (Case("bitps-20"), ["bitps-20", "Did you mean bitsp-N?"]),
        (Case("bitsp"), ["bitsp", "bitsp-100"]),
        (Case("bitsp-matrx-20"), ["bitsp-matrix-N"]),
        (Case("bitsp-matrix-1"), ["2 to 5000", "bitsp-matrix-1"]),
        (Case("bitsp-matrix-9", {"fill": True}), ["no options", "fill"]),
        (Case("bikp-20", {"fil": True}), ["repair, fill", "fil"]),
    ],
)
def test_a_problem_that_does_not_exist_is_refused_with_the_nearest_name(case, words):
    """A slip in a name must be found before hours are spent."""
    with pytest.raises(InputError) as caught:
        build(case, 0)
    assert all(word in str(caught.value) for word in words)


def test_every_family_can_be_built():
    """The list in messages is true."""
    for family in families():
        assert build(Case(f"{family}-20"), 0).num_objectives >= 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bikp-50", True),
        ("bikp-201", False),  # takes too long
        ("bitsp-20", False),  # no knapsack
    ],
)
def test_only_small_knapsacks_have_an_exact_front(name, expected):
    """Finding it must not take longer than the runs that it is compared with."""
    assert has_exact_front(build(Case(name), 0)) is expected
