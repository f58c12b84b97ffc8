import pytest

from divlearn.basics.errors import InputError
from divlearn.lab.bench import Case, Contender, Store, Suite, compare_methods
from divlearn.lab.bench.compare import pairing_grid, total_score
from divlearn.lab.bench.record import Outcome
from tests.lab.bench.conftest import fill, outcome

OURS, THEIRS = Contender("paper-ts", label="ours"), Contender("uniform", label="theirs")


def make(*names, **changes):
    """Make a suite of two methods."""
    cases = tuple(map(Case, names))
    return Suite("s", "", cases, (OURS, THEIRS), **{"budget": 10, **changes})


def test_two_methods_are_compared_pair_by_pair(store):
    """Differences 1, 2, 3, 4 and 0, by hand.

    Mean 2, deviation sqrt(10 / 4), error sqrt(10 / 4 / 5). Four wins and a tie; all
    four ranks on one side have a probability of 1 / 16, doubled for the other side.
    """
    suite = make("bitsp-8", instances=(0, 1, 2, 3, 4))
    ours, theirs = (2.0, 4.0, 6.0, 8.0, 3.0), (1.0, 2.0, 3.0, 4.0, 3.0)
    fill(
        store,
        suite,
        lambda t: (ours if t.contender == OURS else theirs)[t.instance],
    )
    (pairing,) = compare_methods(store, "ours", "theirs")
    found = pairing.comparison
    assert pairing.means == (23 / 5, 13 / 5)
    assert found.mean_difference == 2.0
    assert found.standard_error == pytest.approx((10 / 4 / 5) ** 0.5)
    assert found.p_value == 2 / 16
    assert (found.wins, found.ties, found.losses, found.count) == (4, 1, 0, 5)
    (back,) = compare_methods(store, "theirs", "ours")
    assert back.comparison.mean_difference == -2.0
    assert back.comparison.losses == 4


def test_only_what_both_have_finished_counts(store):
    """A failed run of one leaves no pair, nor does an instance of one alone."""
    suite = make("bitsp-8", instances=(0, 1, 2))
    for task in suite.tasks():
        if task.instance == 0:
            store.write(task, outcome(0.9 if task.contender == OURS else 0.5))
        if task.instance == 1:
            failed = Outcome("failed", "no licence")
            store.write(task, outcome(0.1) if task.contender == OURS else failed)
        if task.instance == 2 and task.contender == OURS:
            store.write(task, outcome(0.1))
    (pairing,) = compare_methods(store, "ours", "theirs")
    assert (pairing.comparison.count, pairing.comparison.mean_difference) == (1, 0.4)


def test_seeds_of_one_instance_are_one_pair(store):
    """Otherwise many seeds on two instances would prove anything."""
    suite = make("bitsp-8", instances=(0, 1), seeds=(0, 1, 2))
    fill(store, suite, lambda t: 0.5 + 0.1 * t.seed * (t.contender == OURS))
    (pairing,) = compare_methods(store, "ours", "theirs")
    assert pairing.comparison.count == 2
    assert pairing.comparison.mean_difference == pytest.approx(0.1)


def test_problems_and_budgets_are_kept_apart(store):
    """A method may win with few evaluations and lose with many."""
    short, long = make("bitsp-8", "bikp-10"), make("bitsp-8", budget=1000)
    fill(store, short, lambda t: 0.5 + 0.1 * (t.contender == OURS))
    fill(store, long, lambda t: 0.5 - 0.1 * (t.contender == OURS))
    pairings = compare_methods(store, "ours", "theirs")
    assert [(p.problem, p.limit, p.comparison.wins) for p in pairings] == [
        ("bikp-10", "10 evaluations", 1),
        ("bitsp-8", "10 evaluations", 1),
        ("bitsp-8", "1,000 evaluations", 0),
    ]
    assert total_score(pairings) == (2, 0, 1)


def test_knapsacks_are_compared_in_percent_of_the_exact_front(store):
    """As in tables."""
    suite = make("bikp-10", instances=(0, 1))
    for reference in suite.references():
        store.write(reference, outcome(0.5))
    fill(store, suite, lambda t: 0.4 if t.contender == OURS else 0.3)
    (pairing,) = compare_methods(store, "ours", "theirs")
    assert pairing.measure == "percent"
    assert pairing.means == (pytest.approx(80.0), pytest.approx(60.0))
    grid = pairing_grid([pairing], "ours", "theirs")
    assert [entry.text for entry in grid.rows[0][2:5]] == [
        "80.00 %",
        "60.00 %",
        "+20.00 ± 0.00",
    ]
    assert grid.rows[0][2].best
    assert not grid.rows[0][3].best


def test_a_method_that_is_not_in_the_store_is_refused_with_the_nearest(store):
    """Labels are typed by hand."""
    fill(store, make("bitsp-8"), lambda t: 0.5)
    with pytest.raises(InputError, match=r"'ourz'.*Did you mean 'ours'"):
        compare_methods(store, "ourz", "theirs")


def test_methods_without_a_common_run_are_told(store):
    """Rather than an empty table."""
    suite = make("bitsp-8", instances=(0, 1))
    for task in suite.tasks():
        if (task.contender == OURS) == (task.instance == 0):
            store.write(task, outcome(0.5))
    with pytest.raises(InputError, match="no instance and seed in common"):
        compare_methods(store, "ours", "theirs")


def test_an_empty_store_is_told(tmp_path):
    """Rather than an unknown method."""
    with (
        Store(tmp_path / "bench.db") as store,
        pytest.raises(InputError, match="holds no runs"),
    ):
        compare_methods(store, "ours", "theirs")
