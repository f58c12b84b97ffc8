import pytest

from divlearn.lab.bench.forecast import Forecast, guess, longest_first
from divlearn.lab.bench.task import Case, Contender, ReferenceTask, Task


def run(name, instance=0, method="uniform", **limit):
    """Make a task."""
    limit = limit or {"budget": 1000}
    return Task(Case(name), instance, Contender(method), 0, **limit)


def test_long_jobs_come_first_and_equal_ones_by_instance():
    """No long run may begin when all others are done."""
    jobs = [
        run("bitsp-20", 1),
        run("bitsp-20", 0, "paper-ts"),
        run("bitsp-20", 0),
        run("bicvrp-100", 0, budget=10**6),
        ReferenceTask(Case("bikp-200"), 0),
    ]
    ordered = longest_first(jobs)
    assert ordered[:2] == [jobs[3], jobs[4]]
    assert ordered[2:] == [jobs[1], jobs[2], jobs[0]]


def test_a_time_limit_is_its_own_guess():
    """Nothing else is known better."""
    assert guess(run("bitsp-20", seconds=7.5)) == 7.5


def test_nothing_is_foretold_before_anything_was_seen():
    """A number out of thin air is worse than none."""
    assert Forecast([run("bitsp-20")], 1).seconds_left() is None


def test_what_was_seen_outweighs_what_was_guessed():
    """Jobs of a kind that was seen take as long as those; others in proportion."""
    jobs = [run("bitsp-20", i) for i in range(3)] + [run("bitsp-20", 0, "paper-ts")]
    forecast = Forecast(jobs, workers=2)
    forecast.saw(jobs[0], 4.0)
    # Two of 4 s each, and another method that was guessed to take as long.
    assert forecast.seconds_left() == pytest.approx(12.0 / 2)
    for job in jobs[1:]:
        forecast.saw(job, 4.0)
    assert forecast.seconds_left() == 0.0
