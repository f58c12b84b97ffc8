"""Options of Bayesian optimization that the paper names: kernel, operators, batches."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from tests.lab.baselines.test_bayes_methods import quick

torch = pytest.importorskip("torch")

TOURS = dl.problems.get("bitsp-8")


def covariance(kernel, rows):
    """Covariances of permutations under a kernel with weights 1 and reach 1."""
    from divlearn.lab.baselines.bayes.features import Encoder
    from divlearn.lab.baselines.bayes.kernel import SolutionKernel

    encode = Encoder(dl.Permutation(4).layout, kernel=kernel)
    made = SolutionKernel(encode.columns, torch.Size([]))
    made.double().set_constant("weight", 1.0)
    if kernel != "kendall":
        made.set_constant("reach", 1.0)
    x = torch.as_tensor(encode(np.array(rows)))
    return made.forward(x, x).detach().numpy()


def test_a_kernel_is_the_similarity_its_exponential_or_their_sum():
    """Kendall's tau by hand: one of six pairs differs, then all of them."""
    rows = [[0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 1, 0]]
    tau = np.array([[1, 2 / 3, -1], [2 / 3, 1, -2 / 3], [-1, -2 / 3, 1]])
    np.testing.assert_allclose(covariance("kendall", rows), tau, atol=1e-12)
    mallows = np.exp(tau - 1.0)
    np.testing.assert_allclose(covariance("mallows", rows), mallows, atol=1e-12)
    np.testing.assert_allclose(covariance("both", rows), tau + mallows, atol=1e-12)


@pytest.mark.parametrize("name", ["qnehvi", "qparego", "bopr"])
def test_a_kernel_changes_what_is_proposed(name):
    """After the design, which knows no model."""
    found = {
        kernel: dl.solve(TOURS, 9, method=quick(name, kernel=kernel), seed=1)
        for kernel in ("both", "kendall", "mallows")
    }
    fronts = {one.F.tobytes() for one in found.values()}
    assert len(fronts) > 1


def test_a_kernel_works_in_a_space_of_several_parts():
    """The similarity is then a factor of the product of all parts."""
    space = dl.Composite(order=dl.Permutation(4), size=dl.Integer(0, 5))
    problem = dl.Problem(
        space, lambda x: (x["order"][0] + x["size"], -x["size"]), ["a", "b"]
    )
    for kernel in ("kendall", "mallows"):
        method = quick("qnehvi", kernel=kernel)
        assert dl.solve(problem, 7, method=method).evaluations == 7


def test_a_kernel_of_permutations_needs_permutations():
    """Else it would be ignored in silence."""
    with pytest.raises(InputError, match=r"kernel='kendall'.*has none; leave it out"):
        dl.solve(
            dl.problems.get("bikp-10"), 5, method=quick("qnehvi", kernel="kendall")
        )


@pytest.mark.parametrize("problem", ["bitsp-8", "bikp-10", "bicvrp-8", "mixed-8"])
def test_crossover_makes_solutions_of_every_space(problem):
    """Valid ones: a search checks what it evaluates."""
    method = quick("qparego", operators="crossover")
    assert dl.solve(dl.problems.get(problem), 8, method=method, seed=3).evaluations == 8


def test_children_of_two_parents_have_what_both_have():
    """Every bit on which the parents agree, but for rare flips."""
    from divlearn.lab.baselines.bayes.search import Variation, children

    problem = dl.Problem(dl.Binary(40), lambda x: x.sum(), ["ones"])
    parents = np.zeros((2, 40), np.int64)
    parents[1, 20:] = 1
    variation = Variation(problem, 0, crossed=True)
    rows = children(variation, parents, np.random.default_rng(0), 100)
    assert len(rows) == 100
    bred = np.array(rows)[:90]
    assert bred[:, :20].mean() < 0.05
    assert 0.2 < bred[:, 20:].mean() < 0.8


def test_operators_that_are_not_used_are_refused():
    """Draws of a distribution have no parents."""
    with pytest.raises(InputError, match="bopr draws its candidates"):
        quick("bopr", operators="crossover")
    with pytest.raises(InputError, match="operators"):
        quick("qnehvi", operators="ox")


def test_a_reference_point_lies_a_tenth_beyond_the_worst_values():
    """Of all that is known, not of the front, and whatever the problem says."""
    from divlearn.lab.baselines.bayes.proposer import BayesProposer

    values = np.array([[0.0, 5.0], [2.0, 1.0], [10.0, 11.0]])
    worst = BayesProposer(quick("qnehvi", reference="worst"), TOURS, 10, 0)
    np.testing.assert_allclose(worst._reference(values, None), [11.0, 12.0])
    with pytest.raises(InputError, match="reference"):
        quick("qnehvi", reference="best")


@pytest.mark.parametrize("name", ["qnehvi", "qparego", "bopr"])
def test_a_batch_is_what_so_many_workers_would_be_given(name):
    """One by one in batches of three, or three at a time: the same candidates."""
    alone = dl.Optimizer(TOURS, quick(name, batch=3), seed=5)
    rows = []
    for _ in range(12):
        (candidate,) = alone.ask()
        rows.append(tuple(candidate.x))
        alone.tell(candidate, TOURS.evaluate(candidate.x))
    together = dl.Optimizer(TOURS, quick(name), seed=5)
    expected = []
    for _ in range(4):
        candidates = together.ask(3)
        expected += [tuple(candidate.x) for candidate in candidates]
        for candidate in candidates:
            together.tell(candidate, TOURS.evaluate(candidate.x))
    assert rows == expected
    assert len(set(rows[4:])) == 8


def test_a_batch_that_was_interrupted_goes_on_as_it_was(tmp_path):
    """In the middle of a batch: what was chosen is given out, nothing else."""
    method = quick("qparego", batch=4)
    whole = dl.Optimizer(TOURS, method, seed=2)
    whole.run(12)
    half = dl.Optimizer(TOURS, method, seed=2)
    half.run(6)
    half.save(tmp_path / "half.npz")
    again = dl.Optimizer.load(tmp_path / "half.npz", TOURS)
    again.run(6)
    np.testing.assert_array_equal(whole.result().F, again.result().F)
