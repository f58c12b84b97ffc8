"""Operation counts of Bayesian optimization and LKH: sizes, options, exact products."""

import pytest

from divlearn import problems
from divlearn.lab.baselines.bayes.bopr import BOPR
from divlearn.lab.baselines.bayes.qnehvi import QNEHVI
from divlearn.lab.baselines.bayes.qparego import QParEGO
from divlearn.lab.baselines.weighted_lkh import WeightedLKH
from divlearn.lab.bench.operations import operations, total
from divlearn.lab.bench.operations.gaussian import (
    answers_by_proposal,
    factor,
    fitted,
    num_boxes,
    predict,
    sizes_of,
)

pytest.importorskip("torch")
METHODS = ["qnehvi", "qparego", "bopr"]


def test_every_candidate_is_chosen_by_a_model_of_all_answers_before():
    """But for the design, and no model knows more than the limit."""
    assert answers_by_proposal(3, 6, 500) == {3: 1, 4: 1, 5: 1}
    assert answers_by_proposal(3, 10, 5) == {3: 1, 4: 1, 5: 5}
    assert answers_by_proposal(20, 20, 500) == {}
    assert answers_by_proposal(20, 5, 500) == {}


def test_constants_are_fitted_as_often_as_a_run_does():
    """The numbers of answers of a run of 60 evaluations, as they were observed."""
    asked = answers_by_proposal(20, 60, 500)
    assert fitted(QNEHVI(), asked) == [
        *(20, 21, 23, 25, 27, 29, 31, 33, 35),
        *(37, 39, 41, 44, 47, 50, 53, 56, 59),
    ]
    assert fitted(QNEHVI(refit=0.0), asked) == list(range(20, 60))


@pytest.mark.parametrize(("count", "m"), [(20, 2), (9, 3)])
def test_boxes_are_as_many_as_are_cut(count, m):
    """One more than the points for two objectives, twice as many for three."""
    import numpy as np

    from divlearn.lab.baselines.bayes.boxes import Boxes

    rows = np.random.default_rng(0).random((count, m))
    front = rows / np.linalg.norm(rows, axis=1, keepdims=True)  # none beats another
    boxes = Boxes(front[None], np.full(m, 2.0))
    assert len(boxes.bounds.upper) == num_boxes(count, m)


def test_a_factor_takes_the_cube_of_the_answers():
    """And a prediction the square."""
    sizes = sizes_of(problems.get("bitsp-20"), QNEHVI(), 10)
    assert factor(sizes, 2_000).total / factor(sizes, 1_000).total == pytest.approx(
        8, rel=0.01
    )
    few, many = predict(sizes, 10_000), predict(sizes, 20_000)
    assert 3.8 < many.total / few.total < 4


@pytest.mark.parametrize("method", METHODS)
def test_products_of_predictions_are_those_that_torch_makes(method):
    """Within a fifth of PyTorch's own count of the covariances of one batch."""
    import numpy as np
    from torch.utils.flop_counter import FlopCounterMode

    from divlearn.lab.baselines import BASELINES
    from divlearn.lab.baselines.bayes.model import (
        Data,
        Posterior,
        build,
        read_constants,
    )
    from divlearn.methods.others.sampling import Sampler

    problem = problems.get("bitsp-20")
    made = BASELINES[method].make()
    encoder = made.encoder(problem)
    codes = Sampler(problem.space.layout, 0).draw(60)
    outputs = np.random.default_rng(0).normal(size=(30, 2))
    data = Data(encoder(codes[:30]), outputs, noise=False)
    constants = read_constants(build(encoder.columns, data, None))
    posterior = Posterior(encoder.columns, data, constants)
    with FlopCounterMode(display=False) as counter:
        posterior.at(encoder(codes[30:]))
    # PyTorch does not count triangular solves: N^2 / 2 products per output.
    columns, k, n = encoder.columns, 2, 30
    width = sum(b - a for a, b in columns.similar)
    assert counter.get_total_flops() == pytest.approx(
        2 * 30 * (n * width + k * n), rel=0.2
    )


def test_parts_follow_the_options():
    """More draws cost improvements alone; more generations cost what is scored."""
    problem = problems.get("bitsp-20")
    usual = operations(problem, QNEHVI(), 60)
    drawn = operations(problem, QNEHVI(draws=128), 60)
    assert drawn["improvements"].total > 1.8 * usual["improvements"].total
    assert drawn["fits"] == usual["fits"]
    long = operations(problem, QParEGO(generations=80), 60)
    short = operations(problem, QParEGO(), 60)
    assert long["predictions"].total == pytest.approx(2 * short["predictions"].total)
    steps = [operations(problem, BOPR(steps=n), 60)["candidates"] for n in (30, 60)]
    assert steps[1].total > 1.8 * steps[0].total


def test_boxes_make_hypervolumes_dearer_than_scalarizations():
    """The more so with more objectives."""
    share = []
    for name in ("bitsp-20", "tritsp-20", "mixed-20"):
        problem = problems.get(name)
        counts = [operations(problem, m, 60)["improvements"].total for m in METHODS[:2]]
        share.append(counts[0] / counts[1])
    assert 1 < share[0] < share[1] < share[2]


@pytest.mark.parametrize("method", METHODS)
def test_an_evaluation_of_a_model_based_search_costs_more_the_later_it_is(method):
    """A model of more answers takes longer to fit and to ask."""
    problem = problems.get("bitsp-20")
    at = [total(operations(problem, method, n)) for n in (20, 100, 200)]
    assert at[2] - at[1] > 1.3 * (at[1] - at[0])


def test_calls_of_lkh_cost_the_same_each_and_grow_with_the_square():
    """Of the cities: as many trials as there are, in which each has its turn."""
    problem = problems.get("bitsp-50")
    once, many = (total(operations(problem, "ws-lkh", n)) for n in (1, 40))
    assert many == pytest.approx(40 * once)
    trials = [
        operations(problems.get(f"bitsp-{n}"), WeightedLKH(), 1)["trials"].total
        for n in (50, 100)
    ]
    assert trials[1] == pytest.approx(4 * trials[0])
    twice = operations(problem, WeightedLKH(runs=2), 1)
    assert twice["trials"].total == 2 * trials[0]
