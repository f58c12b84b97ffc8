"""A space that is searched to its end, and how many solutions a space has."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.problems import get
from divlearn.spaces.counting import count_solutions, list_solutions
from tests.study.conftest import same_front


def ends(x):
    """Two of three numbers."""
    return float(x[0]), float(x[2])


def counted(function):
    """A function, and the list of what it was called with."""
    calls = []

    def counting(x):
        calls.append(tuple(x))
        return function(x)

    return counting, calls


@pytest.mark.parametrize("method", ["dl", "paper-ts", "random"])
def test_a_search_of_six_permutations_stops_when_all_are_evaluated(method):
    """Ninety more evaluations of the same six would tell nothing."""
    evaluate, calls = counted(ends)
    problem = dl.Problem(dl.Permutation(3), evaluate, ["first", "last"])
    result = dl.solve(problem, 100, method=method)
    assert result.stopped == "all 6 solutions evaluated"
    assert set(calls) == set(itertools.permutations(range(3)))
    assert result.evaluations == len(calls) < 100
    assert sorted(result.F.tolist()) == [[0.0, 1.0], [1.0, 0.0]]


def test_the_compiled_loop_stops_at_the_same_evaluation():
    """It is the same search, whoever runs it."""
    problem = get("bitsp-5")
    compiled = dl.solve(problem, 10_000, seed=3)
    by_hand = dl.solve(problem, 10_000, seed=3, callbacks=lambda *_: None)
    # Five starts and two directions of a tour are one.
    assert compiled.stopped == by_hand.stopped == "all 12 solutions evaluated"
    assert same_front(compiled, by_hand)


def test_a_study_stops_when_all_are_evaluated(tmp_path):
    """Also one that is resumed, and one with a failure among them."""

    def evaluate(x):
        if x[0] == 2:
            raise OSError("no licence")
        return ends(x)

    problem = dl.Problem(dl.Permutation(3), evaluate, ["first", "last"])
    with dl.Study(problem, tmp_path / "s.db") as study:
        study.run(budget=2, workers=0)
    with dl.Study(problem, tmp_path / "s.db") as study:
        result = study.run(budget=100, workers=0)
        assert result.stopped == "all 6 solutions evaluated"
        designs = {tuple(trial.x) for trial in study.trials()}
        assert len(designs) == 6
        assert study.verify()
    with dl.Study(problem, tmp_path / "drawn.db", method="random") as study:
        assert "answered by earlier ones)" in str(study.run(budget=20, workers=0))
    with dl.Study(problem, tmp_path / "again.db") as study:
        result = study.run(budget=30, workers=0, duplicates="rerun")
        assert result.stopped == "all 30 evaluations made"


def test_a_noisy_problem_goes_on():
    """Its solutions are worth another measurement."""
    problem = dl.Problem(dl.Permutation(3), ends, ["first", "last"], noise=True)
    assert dl.solve(problem, 100).evaluations == 100


def test_a_budget_that_ends_first_is_the_reason():
    """As ever."""
    problem = dl.Problem(dl.Permutation(3), ends, ["first", "last"])
    assert dl.solve(problem, 6).stopped == "all 6 evaluations made"
    assert dl.solve(problem, seconds=60).stopped == "all 6 solutions evaluated"


def test_solutions_that_a_repair_puts_out_of_reach_are_not_waited_for_for_ever():
    """The end is not noticed, but the budget is made."""
    problem = dl.Problem(
        dl.Binary(3), lambda x: (x.sum(), -x.sum()), ["a", "b"], repair=lambda x: x | 1
    )
    assert dl.solve(problem, 300).stopped == "all 300 evaluations made"


def test_large_spaces_are_searched_as_before():
    """Nobody counts them."""
    assert dl.solve(get("bitsp-10"), 50).stopped == "all 50 evaluations made"


PARTS = st.one_of(
    st.integers(1, 4).map(dl.Permutation),
    st.integers(1, 4).map(dl.Binary),
    st.just(dl.Binary()),
    st.tuples(st.integers(1, 5), st.integers(0, 5), st.integers(0, 5))
    .filter(lambda t: t[1] <= t[2] <= t[0])
    .map(lambda t: dl.Subset(t[0], min=t[1], max=t[2])),
    st.tuples(st.integers(1, 3), st.integers(1, 2)).map(
        lambda t: dl.Categorical(range(t[0]), n=t[1])
    ),
    st.tuples(st.integers(1, 3), st.integers(1, 2)).map(
        lambda t: dl.Integer(1, t[0], n=t[1])
    ),
)


@given(st.lists(PARTS, min_size=1, max_size=2), st.integers(1, 600))
def test_the_number_of_solutions_is_that_of_a_list_of_them(parts, most):
    """Of all vectors of codes those that are solutions."""
    space = dl.Composite(**{f"p{i}": part for i, part in enumerate(parts)})
    segments = space.segments()
    arities = [a for _, row, *_ in segments for a in row]
    every = [codes for codes in _vectors(arities) if _is_solution(codes, segments)]
    number = len(every)
    assert sorted(list_solutions(segments)) == every
    assert count_solutions(segments, most) == (number if number <= most else None)


def _vectors(arities):
    """Every vector of codes."""
    return itertools.product(*(range(arity) for arity in arities))


def _is_solution(codes, segments):
    """Whether codes keep to what the segments say."""
    start = 0
    for kind, arities, least, most, *_ in segments:
        part = codes[start : start + len(arities)]
        start += len(arities)
        if kind == 0 and len(set(part)) < len(part):
            return False
        if kind == 1 and not least <= sum(part) <= most:
            return False
    return True


def test_spaces_of_any_size_are_counted_at_once():
    """Where there are too many, nothing large is computed."""
    for space in (dl.Binary(2_000_000), dl.Subset(2_000_000, 1_000_000)):
        assert count_solutions(space.segments(), 5_000) is None
    assert count_solutions(dl.Subset(100_000, 0).segments(), 5_000) == 1
    assert count_solutions(dl.Subset(100_000, 100_000).segments(), 5_000) == 1
