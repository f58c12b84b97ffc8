"""Operation counts: a model of size and settings, held against measured time."""

import pytest

import divlearn as dl
from divlearn import problems
from divlearn.lab.bench.operations import (
    Count,
    evaluation,
    operations,
    total,
    validate,
)
from divlearn.methods.names import method_for


def test_counts_add_and_scale_by_kind():
    """An exponential is worth ten of the others in the total."""
    count = Count(1, 2, 3, 4, 5) + 2 * Count(additions=10)
    assert count == Count(21, 2, 3, 4, 5)
    assert count.total == 21 + 2 + 3 + 40 + 5


def test_a_tour_costs_an_addition_per_objective_and_city():
    """Plus one multiplication and one addition for the place in the table."""
    assert evaluation(problems.get("bitsp-20")) == Count(60, 20, 0, 0, 20)
    assert evaluation(problems.get("tritsp-20")) == Count(80, 20, 0, 0, 20)


def test_what_is_not_built_in_is_left_out():
    """Nobody knows what a function of one's own costs."""
    problem = dl.Problem(dl.Binary(5), lambda x: x.sum(), ["ones"])
    assert evaluation(problem) == Count()


def test_twice_the_evaluations_cost_twice():
    """But for the constructions, one per weight vector."""
    problem = problems.get("bitsp-50")
    once, twice = (operations(problem, "paper-ucb", n) for n in (100_000, 200_000))
    assert twice["construction"] == once["construction"]
    for name in ("refinement", "evaluation", "archive", "acceptance"):
        assert twice[name].total == pytest.approx(2 * once[name].total, rel=1e-2)


def test_a_part_that_is_switched_off_costs_nothing():
    """The model follows the settings."""
    settings = method_for("paper-ucb").replace(
        **{"coordination": None, "learning.update": "never"}
    )
    counts = operations(problems.get("bitsp-20"), settings, 10_000)
    assert counts["coordination"].total == counts["experts"].total == 0
    assert total(counts) < total(
        operations(problems.get("bitsp-20"), "paper-ucb", 10_000)
    )


def test_known_constructions_replace_the_guess():
    """A run tells how often its experts built a solution."""
    problem = problems.get("bitsp-20")
    few, many = (
        operations(problem, "paper-ts", 10_000, tally={"constructed": n})
        for n in (10, 1000)
    )
    assert many["construction"].total == 100 * few["construction"].total


def test_predicted_and_measured_shares_are_shares():
    """Of the same components; no bound on the error, which depends on the machine."""
    validation = validate(problems.get("bitsp-20"), "paper-ucb", 2_000)
    assert set(validation.predicted) == set(validation.measured)
    for shares in (validation.predicted, validation.measured):
        assert sum(shares.values()) == pytest.approx(1)
        assert min(shares.values()) > 0
    assert 0 <= validation.mean_absolute_error <= 1
    assert "mean absolute error" in str(validation)


def test_validation_needs_a_compiled_objective():
    """Else the time of a Python function would drown all else."""
    problem = dl.Problem(dl.Binary(5), lambda x: x.sum(), ["ones"])
    with pytest.raises(dl.InputError, match="compiled objective"):
        validate(problem, "paper-ucb")
