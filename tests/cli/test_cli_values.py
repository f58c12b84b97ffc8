import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn.basics.errors import InputError
from divlearn.cli.values import Pair, Point, Whole, read_value


@pytest.mark.parametrize(
    "text", ["10000", "1e4", "10_000", "10,000", " 10000 ", "1.0e4"]
)
def test_a_whole_number_may_be_written_in_several_ways(text):
    """People write large budgets in the way that they can read."""
    assert Whole(1, "5").read("--budget", text) == 10_000


@pytest.mark.parametrize(
    "text",
    [
        "0",  # below the least
        "-5",  # negative
        "0.5",  # not whole
        "abc",  # not a number
        "",  # nothing
        "nan",  # no number at all
        "inf",  # no end
        "1e300",  # more than any counter holds
        "10,00",  # is it 10.00 or 1000?
    ],
)
def test_anything_else_is_refused_by_a_message_with_name_value_and_remedy(text):
    """The message must be enough to put the command right."""
    with pytest.raises(InputError) as caught:
        Whole(1, "10000").read("--budget", text)
    message = str(caught.value)
    assert "--budget must be a whole number of at least 1" in message
    assert repr(text) in message
    assert "for example --budget 10000" in message


@given(st.integers(1, 10**15))
def test_every_whole_number_is_read_exactly(number):
    """Seeds are long numbers; a detour over floats would change them."""
    assert Whole(0, "1").read("--seed", str(number)) == number
    assert Whole(0, "1").read("--seed", f"{number:,}") == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20", 20),
        ("0.5", 0.5),
        ("1e3", 1_000),
        ("3.0", 3.0),
        ("true", True),
        ("False", False),
        ("none", None),
        ("swap", "swap"),
        ("swap,reversal", ("swap", "reversal")),
    ],
)
def test_a_setting_is_read_as_what_it_looks_like(text, value):
    """Settings are numbers, switches, names and lists of names."""
    read = read_value(text)
    assert read == value
    assert type(read) is type(value)


def test_a_setting_without_an_equals_sign_is_refused():
    """``--set patience 20`` is the likely slip."""
    with pytest.raises(InputError, match="initial=20"):
        Pair().read("--set", "patience")


def test_a_value_may_hold_an_equals_sign():
    """Only the first one separates."""
    assert Pair().read("--option", "file=a=b") == ("file", "a=b")


@pytest.mark.parametrize("text", ["65", "65,65", "1e1,-2"])
def test_a_point_is_numbers_with_commas(text):
    """One number per objective."""
    assert Point().read("--reference", text) == [float(p) for p in text.split(",")]


@pytest.mark.parametrize("text", ["", "a,b", "1,,2", "1;2", "nan,1"])
def test_a_point_with_anything_else_is_refused(text):
    """A reference point that is misread gives a wrong hypervolume."""
    with pytest.raises(InputError, match="--reference 65,65"):
        Point().read("--reference", text)
