"""What good designs share, compared with random ones."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.result.facts import common_facts


def facts(space, values, share=1.0):
    """What these designs have in common, in words without the shares."""
    codes = np.array([space.encode(value) for value in values])
    return [str(fact) for fact in common_facts(space, codes, share)]


def test_what_sets_share_is_told_by_their_items():
    """A subset has no places; what few random sets have is told first."""
    space = dl.Subset(6, min=1, max=2)
    found = facts(space, [[0, 2], [0, 3], [0]])
    assert found[0] == "x: always with 0"
    assert set(found[1:]) == {f"x: never with {item}" for item in (1, 4, 5)}


def test_what_orders_share_is_told_by_places_and_neighbours():
    """Two orders that begin alike, and keep 4 between 2 and 5."""
    found = facts(dl.Permutation(6), [[0, 1, 2, 4, 5, 3], [0, 3, 1, 5, 4, 2]])
    assert found[0] == "x: item 0 at place 0"
    assert set(found[1:]) == {"x: 2 next to 4", "x: 4 next to 5"}


def test_precedences_are_told_where_chance_does_not_explain_them():
    """Twelve orders with 3 before 1 before 0; that 3 is before 0 follows."""
    rng, orders = np.random.default_rng(2), []
    while len(orders) < 12:
        order = rng.permutation(5)
        place = np.argsort(order)
        if place[3] < place[1] < place[0]:
            orders.append(order)
    assert set(facts(dl.Permutation(5), orders)) == {"x: 3 before 1", "x: 1 before 0"}
    assert not any("before" in fact for fact in facts(dl.Permutation(5), orders[:3]))


def test_what_is_first_is_not_told_to_be_before_all_others():
    """One fact is enough."""
    rng = np.random.default_rng(2)
    orders = [[0, *(1 + rng.permutation(4))] for _ in range(12)]
    assert facts(dl.Permutation(5), orders) == ["x: item 0 at place 0"]


def test_knobs_are_told_by_value_or_by_the_range_that_is_used():
    """Compared with what was declared."""
    space = dl.Composite(
        speed=dl.Integer(0, 9),
        kind=dl.Categorical("abcdef"),
        size=dl.Ordinal([1.5, 2.5]),
        on=dl.Binary(),
    )
    rows = [(2, "a"), (4, "b"), (3, "b")]
    values = [{"speed": s, "kind": k, "size": 2.5, "on": s > 2} for s, k in rows]
    assert facts(space, values) == [
        "speed: 2 to 4 of 0 to 9",
        "kind: 'a' or 'b'",
        "size = 2.5",
    ]


def test_a_share_of_the_designs_is_enough_if_one_says_so():
    """Two of three have the value."""
    space = dl.Composite(speed=dl.Integer(0, 9), kind=dl.Categorical("abc"))
    rows = [(2, "b"), (4, "b"), (9, "a")]
    values = [{"speed": s, "kind": k} for s, k in rows]
    assert facts(space, values, 0.6) == ["speed: 2 to 4 of 0 to 9", "kind = 'b'"]


def test_what_bits_and_parts_of_parts_share_is_told_by_their_names():
    """As the function receives them; lines keep those of one part together."""
    inner = dl.Composite(on=dl.Binary(3), kind=dl.Categorical("ab"))
    space = dl.Composite(left=inner, gears=dl.Integer(1, 5, n=2))
    first = {"left": {"on": [True, False, True], "kind": "a"}, "gears": [1, 5]}
    second = {"left": {"on": [True, True, True], "kind": "b"}, "gears": [1, 4]}
    codes = np.array([space.encode(value) for value in (first, second)])
    lines = common_facts(space, codes).lines
    assert lines[0].startswith("gears[0] = 1 (")
    assert lines[1].startswith("gears[1] 4 to 5 of 1 to 5 (")
    assert lines[2].startswith("left.on[")
    assert lines[2].count("] = True (") == 2


def test_common_of_a_result_survives_its_file(tmp_path):
    """With the shares of random designs, as a list, a table and words."""
    space = dl.Composite(a=dl.Integer(0, 3), b=dl.Categorical("xyz"))
    result = dl.Result(
        [{"a": 1, "b": "x"}, {"a": 3, "b": "x"}],
        [[1, 2], [2, 1]],
        objectives=["f", "g"],
        learned={"space": space.describe()},
    )
    (b, a) = result.common()
    assert (b.part, b.words, b.share) == ("b", "= 'x'", 1.0)
    assert b.random == pytest.approx(1 / 3, abs=0.05)
    assert a.words == "1 to 3 of 0 to 3"
    result.save(tmp_path / "front.json")
    loaded = dl.load(tmp_path / "front.json").common()
    assert (str(loaded), list(loaded)) == (str(result.common()), [b, a])
    assert len(loaded.to_dataframe()) == 2


def test_one_solution_shares_nothing_and_an_unknown_space_is_told():
    """Neither is an empty answer without a word."""
    one = dl.Result(
        [3], [[1]], objectives=["f"], learned={"space": dl.Integer(0, 5).describe()}
    )
    assert "fewer than two" in str(one.common())
    with pytest.raises(dl.InputError, match="what solutions share is not known"):
        dl.Result(["a", "b"], [[1, 2], [2, 1]], objectives=["f", "g"]).common()


def test_a_changed_insight_is_refused_in_words():
    """Files come from anyone."""
    result = dl.Result([3], [[1]], objectives=["f"], insights={"common": {"facts": 3}})
    with pytest.raises(dl.InputError, match="insights\\['common'\\] cannot be read"):
        result.common()


def test_what_exists_only_sometimes_is_told_where_it_exists():
    """Two of three designs have a cache, all of them the same."""
    space = dl.Composite(
        kind=dl.Categorical(["cpu", "gpu"]),
        cache=dl.If(kind="cpu", then=dl.Ordinal([16, 32, 64])),
        order=dl.If(kind="gpu", then=dl.Permutation(3)),
        rate=dl.Real(1e-4, 1.0, log=True),
    )
    values = [
        {"kind": "cpu", "cache": 32, "rate": 0.001},
        {"kind": "cpu", "cache": 32, "rate": 0.1},
        {"kind": "gpu", "order": [1, 0, 2], "rate": 0.01},
    ]
    assert facts(space, values) == [
        "cache (where there is one) = 32",
        "rate: 0.001 to 0.1 of 0.0001 to 1.0",
    ]


def test_what_is_demanded_is_no_news():
    """Forced items, declared precedences; things of which there are two."""
    space = dl.Composite(
        parts=dl.Subset(5, 2, forced=[1]),
        order=dl.Permutation(3, before=[(0, 2)]),
        jobs=dl.Permutation(counts=[2, 2]),
    )
    rows = [([1, 3], [0, 2, 1], [1, 0, 0, 1]), ([1, 4], [1, 0, 2], [1, 0, 1, 0])] * 9
    values = [{"parts": p, "order": o, "jobs": j} for p, o, j in rows]
    found = facts(space, values)
    assert {"jobs: thing 1 at place 0", "jobs: thing 0 at place 1"} <= set(found)
    assert not any("always with 1" in fact or "0 before 2" in fact for fact in found)
