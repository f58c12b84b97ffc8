from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn import HypervolumeStagnation, InputError, MaxEvaluations, MaxSeconds
from divlearn.optimizer.stop import AnyOf, Criterion


def progress(evaluations=0, seconds=0.0, front=((1.0, 2.0), (2.0, 1.0)), senses=None):
    """Make what a criterion sees of a search."""
    front = np.array(front, float)
    senses = tuple(senses or ["min"] * front.shape[1])
    problem = SimpleNamespace(senses=senses, reference=None, ideal=None)
    return SimpleNamespace(
        evaluations=evaluations,
        seconds=seconds,
        front_objectives=front,
        problem=problem,
    )


def stopping_point(criterion, front_at, until=10_000, senses=None):
    """Ask at every multiple of the interval; return when and why it stops."""
    for now in range(criterion.interval, until + 1, criterion.interval):
        reason = criterion.check(progress(now, front=front_at(now), senses=senses))
        if reason is not None:
            return now, reason
    return None, None


def test_evaluations_stop_at_their_number():
    """Not one earlier, and also when asked too late."""
    criterion = MaxEvaluations(1_000)
    assert criterion.interval == 1_000
    assert criterion.check(progress(999)) is None
    assert criterion.check(progress(1_000)) == "all 1,000 evaluations made"
    late = "the budget of 1,000 evaluations was used up before"
    assert criterion.check(progress(1_007)) == late


def test_seconds_stop_at_their_limit():
    """Time alone counts."""
    criterion = MaxSeconds(1.5)
    assert criterion.check(progress(10**9, seconds=1.4)) is None
    assert criterion.check(progress(1, seconds=1.5)) == "time limit of 1.5 s reached"


def test_seconds_are_asked_for_at_a_tenth_of_a_second():
    """Slow evaluations are watched one by one, fast ones are not held up."""
    criterion = MaxSeconds(10)
    assert criterion.interval == 1
    assert criterion.next_check(progress(0, 0.0)) == 1
    assert criterion.next_check(progress(5, 8.0)) == 6
    assert criterion.next_check(progress(500_000, 1.0)) == 550_000
    # 0.01 s is left, in which 1,000 of these evaluations can be made.
    assert 999_000 + 990 <= criterion.next_check(progress(999_000, 9.99)) <= 1_000_000


def test_constant_front_stops_after_start_and_patience():
    """Bounds are frozen at the start; growth is then measured over the patience."""
    criterion = HypervolumeStagnation(100, start=300)
    now, reason = stopping_point(criterion, lambda now: [[1, 2], [2, 1]])
    assert now == 400
    assert "grew by 0 % over 100 evaluations, less than 0.1 %" in reason


def test_start_defaults_to_the_patience():
    """The first stop can be after twice the patience."""
    assert HypervolumeStagnation(100).start == 100
    now, _ = stopping_point(HypervolumeStagnation(100), lambda now: [[1, 2], [2, 1]])
    assert now == 200


def test_growing_front_does_not_stop():
    """Improvement beyond the frozen best values counts without a bound."""

    def front_at(now):
        return [[1 - now, 2 - now], [2 - now, 1 - now]]

    assert stopping_point(HypervolumeStagnation(50), front_at, 3_000) == (None, None)


def test_search_stops_a_patience_after_its_last_improvement():
    """Improves by a tenth every 100 evaluations until 1,000, then stays."""

    def front_at(now):
        step = 0.1 * (min(now, 1_000) // 100)
        return [[1 - step, 2 - step], [2 - step, 1 - step]]

    now, _ = stopping_point(HypervolumeStagnation(200), front_at)
    assert now == 1_200


def test_growth_is_compared_with_the_given_share():
    """Volumes of .21 and 1.44, computed by hand: a share below 5.857 goes on."""

    def front_at(now):
        return [[0.0, 1.0], [1.0, 0.0]] if now < 150 else [[-0.1, -0.1]]

    # Reference (1.1, 1.1): .21 at first (two strips of .1 by 1.1, .01 shared), then
    # 1.44, so the growth is 1.44 / .21 - 1 = 5.857.
    assert stopping_point(HypervolumeStagnation(100, 5.85), front_at, 200)[0] is None
    assert stopping_point(HypervolumeStagnation(100, 5.86), front_at, 200)[0] == 200


def test_maximised_objectives_grow_upwards():
    """A front that gets larger is improving if it is maximised, else not."""

    def front_at(now):
        return [[1 + now, 2 + now], [2 + now, 1 + now]]

    def criterion():
        return HypervolumeStagnation(50)

    assert stopping_point(criterion(), front_at, 500, ["max", "max"])[0] is None
    assert stopping_point(criterion(), front_at, 500, ["min", "min"])[0] == 100


def test_nothing_is_measured_before_a_feasible_solution():
    """An empty front is no reason to stop; bounds are frozen by the first points."""

    def front_at(now):
        return np.empty((0, 2)) if now < 500 else [[1, 2], [2, 1]]

    now, _ = stopping_point(HypervolumeStagnation(100), front_at)
    assert now == 600


def test_a_single_point_at_the_origin_has_a_box_too():
    """Ranges of zero do not make the volume zero, so growth has a measure."""

    def front_at(now):
        return [[0.0, 0.0]] if now < 150 else [[-0.1, -0.1]]

    assert stopping_point(HypervolumeStagnation(100), front_at, 200)[0] is None
    now, _ = stopping_point(HypervolumeStagnation(100), lambda now: [[0.0, 0.0]])
    assert now == 200


def test_questions_in_between_change_nothing():
    """Another criterion may ask at any time; the stop stays where it was."""

    def front_at(now):
        step = min(now, 703) / 1_000
        return [[1 - step, 2 - step], [2 - step, 1 - step]]

    alone, _ = stopping_point(HypervolumeStagnation(100), front_at)
    criterion = HypervolumeStagnation(100)
    reasons = (
        (now, criterion.check(progress(now, front=front_at(now))))
        for now in range(1, 2_000)
    )
    assert next(now for now, reason in reasons if reason) == alone


def test_a_criterion_can_be_used_for_another_run():
    """What one run left behind does not stop or prolong the next."""
    criterion = HypervolumeStagnation(100)
    first = stopping_point(criterion, lambda now: [[1, 2], [2, 1]])
    second = stopping_point(criterion, lambda now: [[100, 200], [200, 100]])
    assert first == second


def test_fronts_are_not_changed():
    """The front belongs to the search."""
    seen = progress(200, senses=["max", "min"])
    before = seen.front_objectives.copy()
    HypervolumeStagnation(100).check(seen)
    assert (seen.front_objectives == before).all()


def test_any_of_several_stops_with_the_reason_of_the_first():
    """Combined by |, any number of them, in order."""
    criterion = MaxEvaluations(100) | MaxSeconds(5) | HypervolumeStagnation(10)
    assert isinstance(criterion, AnyOf)
    assert len(criterion.criteria) == 3
    assert criterion.check(progress(10, seconds=1)) is None
    assert criterion.check(progress(20, seconds=6)) == "time limit of 5 s reached"
    assert criterion.check(progress(100, seconds=6)) == "all 100 evaluations made"


def test_all_members_see_every_question():
    """A criterion that remembers must not miss what an earlier one answered."""
    seen = []

    class Watcher(Criterion):
        interval = 1

        def check(self, progress):
            seen.append(progress.evaluations)

    criterion = MaxEvaluations(3) | Watcher()
    for now in (1, 2, 3):
        criterion.check(progress(now))
    assert seen == [1, 2, 3]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=4), st.integers(0, 300))
def test_no_multiple_of_any_interval_is_skipped(numbers, now):
    """The next question is never later than the next one of each member."""
    criterion = AnyOf(*map(MaxEvaluations, numbers))
    upcoming = criterion.next_check(progress(now))
    expected = min(n * (now // n + 1) for n in numbers)
    assert upcoming == expected
    assert all(n % criterion.interval == 0 for n in numbers)
    assert upcoming % criterion.interval == 0


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), "10", True, None, 2.5, [3]])
def test_evaluations_must_be_a_positive_whole_number(wrong):
    """The error names the argument and what came."""
    with pytest.raises(InputError, match="n must be a whole number of at least 1"):
        MaxEvaluations(wrong)
    with pytest.raises(InputError, match="patience must be a whole number"):
        HypervolumeStagnation(wrong)
    if wrong is not None:
        with pytest.raises(InputError, match="start must be a whole number"):
            HypervolumeStagnation(10, start=wrong)


@pytest.mark.parametrize(
    "wrong", [0, -1, float("nan"), float("inf"), "10", True, None, [3]]
)
def test_seconds_and_shares_must_be_positive(wrong):
    """The error names the argument and what came."""
    with pytest.raises(InputError, match="seconds must be a finite number above 0"):
        MaxSeconds(wrong)
    with pytest.raises(InputError, match="relative must be a finite number above 0"):
        HypervolumeStagnation(10, wrong)


@pytest.mark.parametrize("other", [1_000, None, "MaxSeconds(5)"])
def test_only_criteria_can_be_combined(other):
    """A forgotten MaxEvaluations(...) around a number is explained, on either side."""
    with pytest.raises(InputError, match=r"criteria combined with \|"):
        MaxSeconds(5) | other
    with pytest.raises(InputError, match=r"criteria combined with \|"):
        other | MaxSeconds(5)
