import builtins
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

pytest.importorskip("sklearn")

import divlearn as dl
from divlearn import InputError, InvalidDesign, MissingExtra
from divlearn.lab.codesign import HDnnPIM, images
from divlearn.lab.codesign.problem import METRICS
from divlearn.problems import get
from divlearn.problems.draws import Draws


@pytest.fixture
def problem():
    """The large space."""
    return HDnnPIM("large")


def test_objectives_are_the_error_and_logarithms_of_the_metrics(problem, good):
    """The search sees decades, the engineer units."""
    f = problem.evaluate_seeded(good, 3)
    metrics = problem.metrics(good, seed=3)
    assert tuple(metrics) == METRICS
    assert_allclose(problem.in_units([f])[0], list(metrics.values()))
    assert_allclose(f[1:], np.log10([problem.costs(good)[:3]])[0])
    assert 0 <= metrics["error"] < 0.6
    assert (f < problem.reference).all()
    assert (f > problem.ideal).all()


def test_noise_is_in_the_error_alone_and_comes_from_the_seed(problem, good):
    """New draws by evaluation, the same ones by seed; costs never change."""
    one = np.array([problem.evaluate(good) for _ in range(3)])
    assert len(set(one[:, 0])) > 1
    assert (one[:, 1:] == one[0, 1:]).all()
    problem.restart()
    assert_array_equal(problem.evaluate(good), one[0])
    assert_array_equal(
        problem.evaluate_seeded(good, 5), problem.evaluate_seeded(good, 5)
    )
    assert HDnnPIM("large", seed=1).evaluate(good)[0] != one[0, 0]


def test_results_are_the_same_bits_in_another_process_with_other_threads(good):
    """Sums of whole numbers do not depend on the order in which BLAS adds them."""
    designs = [good, {**good, "encoder": "pim"}, {**good, "extractor": "conv2"}]
    code = (
        "from divlearn.lab.codesign import HDnnPIM; p = HDnnPIM('large');"
        f"print([p.evaluate_seeded(x, 7).tolist() for x in {designs!r}])"
    )
    threads = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    output = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **threads},
    ).stdout
    problem = HDnnPIM("large")
    here = [problem.evaluate_seeded(x, 7).tolist() for x in designs]
    assert output.strip() == repr(here)


def test_an_invalid_design_raises_its_reason(problem, good):
    """A search goes on; a person reads what to change."""
    wrong = {**good, "frequency": 800, "reram_size": 512}
    with pytest.raises(InvalidDesign, match="512 rows takes 128 cycles"):
        problem.evaluate(wrong)
    assert problem.invalid_reason(good) is None
    with pytest.raises(InvalidDesign):
        problem.noise_free([wrong])
    with pytest.raises(InputError, match="dict with the keys"):
        problem.design({"rows": 8})


def test_designs_of_one_meaning_have_one_canonical_form_and_the_same_noise(good):
    """Else repeating a design under another name would be a way to draw again."""
    problem = HDnnPIM("large")
    x = {**good, "extractor": "none", "encoder": "pim", "am_bits": 2, "cell_bits": 2}
    same = {**x, "rows": 32, "dataflow": "os", "stride_2": 2, "cell_bits": 4}
    assert problem.canonical(x) == problem.canonical(same)
    assert problem.canonical(problem.canonical(x)) == problem.canonical(x)
    assert problem.space.contains(problem.canonical(x))
    assert_array_equal(problem.evaluate_seeded(x, 1), problem.evaluate_seeded(same, 1))
    both = {**good, "extractor": "conv2"}
    assert problem.canonical(both) == both
    assert "rows, cols, dataflow" in problem.explain(x)


def test_a_front_is_judged_by_fresh_draws(problem, good):
    """The mean of draws that no search meets, the same whoever asks."""
    judged = problem.noise_free([good, good])
    assert_array_equal(judged[0], judged[1])
    assert_array_equal(HDnnPIM("large").noise_free([good]), judged[:1])
    single = [
        HDnnPIM("large", redraws=k).noise_free([good])[0, 0] * k for k in range(1, 5)
    ]
    draws = np.diff([0.0, *single])
    assert_allclose(draws.mean(), judged[0, 0])
    assert len(set(draws.round(6))) > 1
    codes = problem.space.encode(good)
    fresh = {Draws(0).judge(codes, k).integers(2**63) for k in range(8)}
    search = Draws(0)
    assert not fresh & {search.next(codes).integers(2**63) for _ in range(8)}


def test_full_fidelity_is_far_less_noisy(good):
    """At most half the standard deviation, about the same mean."""
    small = {**good, "hd_dim": 256, "retrain": 0}
    fast, full = (
        [p.evaluate_seeded(small, s)[0] for s in range(n)]
        for p, n in ((HDnnPIM("large"), 30), (HDnnPIM("large", "full"), 4))
    )
    assert np.std(full, ddof=1) < 0.5 * np.std(fast, ddof=1)
    assert abs(np.mean(full) - np.mean(fast)) < 3 * np.std(fast) / np.sqrt(30)


def test_a_search_of_the_problem_runs_repeats_and_meets_invalid_designs(problem):
    """The normal user's call; invalid designs count as evaluations."""
    one, other = (dl.solve(problem, budget=25, seed=1) for _ in range(2))
    assert one.evaluations == 25
    assert_array_equal(one.F, other.F)
    assert 0 < one.hypervolume() < 1
    assert all(problem.invalid_reason(x) is None for x in one.X)


def test_the_catalogue_knows_both_names():
    """Names without a size; an instance is a seed of the noise."""
    paper, large = get("codesign-paper"), get("codesign-large", instance=4, redraws=2)
    assert (paper.name, paper.design_space, paper.seed) == (
        "codesign-paper", "paper", 0,
    )  # fmt: skip
    assert (large.instance, large.seed, large.redraws) == (4, 4, 2)
    assert paper.fixed["frequency"] == 100_000_000
    x = paper.space.sample(seed=0)
    assert paper.evaluate(x).shape == (4,)
    assert paper.canonical(x) == x


def test_a_problem_travels_to_workers_and_says_what_it_is(problem, good):
    """A study sends it, and refuses to go on with another one."""
    twin = pickle.loads(pickle.dumps(problem))
    assert_array_equal(twin.evaluate_seeded(good, 1), problem.evaluate_seeded(good, 1))
    assert twin.describe() == problem.describe()
    assert HDnnPIM("large", "full").describe() != problem.describe()
    again = HDnnPIM(**problem.arguments())
    assert again.describe() == problem.describe()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"space": "small"}, "space must be one of"),
        ({"fidelity": "slow"}, "fidelity must be one of"),
        ({"redraws": 0}, "redraws must be a whole number of at least 1"),
        ({"technology": {}}, "technology must be a Technology"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_wrong_arguments_are_refused_with_what_there_is(arguments, message):
    """Before anything is computed."""
    with pytest.raises(InputError, match=message):
        HDnnPIM(**arguments)


def test_without_scikit_learn_the_install_command_is_named(monkeypatch):
    """At once, not after the first evaluation."""
    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *rest, **more)

    images.load.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[codesign\]"'):
        HDnnPIM()
