import pytest

from divlearn.terminal.pace import Pace


def run(search, clock, *, evaluations, seconds):
    search.evaluations += evaluations
    search.seconds += seconds
    clock.now += seconds


def test_speed_share_and_time_left_follow_from_the_evaluations_made(clock, make_search):
    """200 of 1,000 evaluations in 4 seconds: 50 a second, 16 seconds to go."""
    search = make_search(reference=None)
    pace = Pace(search, budget=1_000, seconds=None, clock=clock)
    run(search, clock, evaluations=200, seconds=4.0)
    reading = pace.read(search)
    assert (reading.rate, reading.share, reading.seconds_left) == (50.0, 0.2, 16.0)


def test_evaluations_of_an_earlier_sitting_count_for_the_share_but_not_the_speed(
    clock, make_search
):
    """A resumed run would otherwise promise to be done at once."""
    search = make_search(reference=None)
    search.evaluations = 500
    pace = Pace(search, budget=1_000, seconds=None, clock=clock)
    run(search, clock, evaluations=100, seconds=10.0)
    reading = pace.read(search)
    assert (reading.rate, reading.share, reading.seconds_left) == (10.0, 0.6, 40.0)


def test_of_two_limits_the_nearer_one_is_shown(clock, make_search):
    """The search ends at whichever limit comes first."""
    search = make_search(reference=None)
    pace = Pace(search, budget=1_000, seconds=5.0, clock=clock)
    run(search, clock, evaluations=100, seconds=4.0)
    reading = pace.read(search)
    assert (reading.share, reading.seconds_left) == (0.8, 1.0)


def test_without_limits_nothing_is_promised(clock, make_search):
    """A search that stops by stagnation has no known end."""
    search = make_search(reference=None)
    pace = Pace(search, budget=None, seconds=None, clock=clock)
    run(search, clock, evaluations=100, seconds=4.0)
    reading = pace.read(search)
    assert (reading.share, reading.seconds_left) == (None, None)


def test_time_spent_compiling_does_not_count_as_slow_search(clock, make_search):
    """The first chunk takes a minute, the rest goes at 100 a second."""
    search = make_search(reference=None)
    pace = Pace(search, budget=1_000, seconds=None, clock=clock)
    run(search, clock, evaluations=100, seconds=60.0)
    pace.settle(search)
    assert pace.read(search).rate == 100 / 60
    run(search, clock, evaluations=200, seconds=2.0)
    reading = pace.read(search)
    assert (reading.rate, reading.seconds_left) == (100.0, 7.0)


def test_the_hypervolume_is_measured_when_there_is_a_reference(clock, make_search):
    """By hand: boxes of (1,4) (2,2) (4,1) below (5,5) cover 4 + 6 + 1 = 11."""
    search = make_search(reference=(5.0, 5.0))
    pace = Pace(search, budget=10, seconds=None, clock=clock)
    reading = pace.read(search)
    assert reading.hypervolume == pytest.approx(11.0)
    assert reading.measure == "hypervolume"


def test_without_a_reference_there_is_no_hypervolume(clock, make_search):
    """A number relative to an invented point would mean nothing."""
    search = make_search(reference=None)
    pace = Pace(search, budget=10, seconds=None, clock=clock)
    assert pace.read(search).hypervolume is None


def test_a_dear_hypervolume_is_measured_rarely(clock, make_search, monkeypatch):
    """With many objectives it costs seconds; it may take 3 % of the time at most."""
    search, calls = make_search(), []

    def slow(*_args, **_kwargs):
        clock.now += 3.0
        calls.append(clock.now)
        return 0.5

    monkeypatch.setattr("divlearn.metrics.hypervolume", slow)
    pace = Pace(search, budget=10, seconds=None, clock=clock)
    for _ in range(400):
        clock.now += 1.0
        pace.read(search)
    assert 2 <= len(calls) <= 6
    pace.read(search, exact=True)
    assert calls[-1] == clock.now
