"""What the Bayesian baselines know: features, covariances, predictions, draws."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.lab.baselines.bayes.features import Encoder, edge_rows, pair_rows
from divlearn.lab.baselines.bayes.memory import MAX_PENDING, Memory
from tests.reference import layout as slow

torch = pytest.importorskip("torch")
pytest.importorskip("botorch")

from divlearn.lab.baselines.bayes import model  # noqa: E402
from divlearn.lab.baselines.bayes.draws import Draws  # noqa: E402
from divlearn.lab.baselines.bayes.kernel import SolutionKernel  # noqa: E402
from divlearn.lab.baselines.bayes.running import own_torch  # noqa: E402

MIXED = dl.Composite(
    order=dl.Permutation(5),
    team=dl.Subset(4, min=1, max=3),
    colour=dl.Categorical(["red", "green", "blue"], n=2),
    size=dl.Integer(1, 9, n=2),
)


def codes_of(space, count, seed=0):
    """Random codes, shape (count, n)."""
    return np.array([space.encode(space.sample(seed + i)) for i in range(count)])


def data_over(space, count, outputs=2, noise=True, seed=0):
    """Features of random solutions, with outputs of mean 0 and variance 1."""
    encode = Encoder(space.layout)
    features = encode(codes_of(space, count, seed))
    rng = np.random.default_rng(seed)
    values = features @ rng.normal(size=(features.shape[1], outputs))
    values += 0.1 * rng.normal(size=values.shape)
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    return encode.columns, model.Data(features, values, noise)


@pytest.mark.parametrize(
    ("name", "edges", "order"),
    [
        ("bikp-50", False, "C"),
        ("bitsp-20", False, "C"),
        ("bitsp-20", True, "C"),
        ("tritsp-20", True, "C"),
        ("bicvrp-20", False, "F"),
        ("bicvrp-20", True, "F"),
        ("mixed-20", False, "C"),
    ],
)
def test_features_lie_in_memory_as_when_the_tables_were_measured(name, edges, order):
    """Sums over them depend on it in their last bits, and runs on these."""
    space = dl.problems.get(name, instance=0).space
    for count in (2, 7, 64):
        features = Encoder(space.layout, edges=edges)(codes_of(space, count))
        assert features.flags[f"{order}_CONTIGUOUS"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.permutations(range(6)), min_size=2, max_size=5))
def test_products_of_pairs_in_order_are_the_kendall_kernel(orders):
    """Against counting the pairs one by one; a kernel has no negative eigenvalue."""
    rows = pair_rows(np.array(orders))
    kernel = rows @ rows.T
    for (i, a), (j, b) in itertools.product(enumerate(orders), repeat=2):
        assert kernel[i, j] == pytest.approx(1.0 - 2.0 * slow.kendall_tau(a, b) / 15.0)
    assert np.linalg.eigvalsh(kernel).min() > -1e-12


def test_edges_do_not_know_where_a_tour_begins_nor_its_direction():
    """Unless the way back may be longer than the way there."""
    tour = np.array([[0, 3, 1, 4, 2]])
    same = np.array([np.roll(tour[0], 2), tour[0, ::-1]])
    assert (edge_rows(same) @ edge_rows(tour).T).round(12).tolist() == [[1.0], [1.0]]
    directed = edge_rows(same, directed=True) @ edge_rows(tour, directed=True).T
    assert directed.round(12).tolist() == [[1.0], [0.0]]


def test_features_have_a_column_per_category_and_one_for_ordered_values():
    """Values of a single kind need no column: they explain nothing."""
    space = dl.Composite(
        colour=dl.Categorical(["r", "g", "b"]),
        size=dl.Integer(0, 4),
        on=dl.Binary(1),
        only=dl.Integer(3, 3),
    )
    encode = Encoder(space.layout)
    found = encode(np.array([[2, 1, 0, 0], [0, 4, 1, 0]]))
    assert found.tolist() == [[0.25, 0, 0, 0, 1], [1, 1, 1, 0, 0]]
    assert (encode.width, encode.columns.num_ordered) == (5, 2)
    assert encode.columns.num_categories == 1


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**31), tours=st.booleans())
def test_covariances_of_any_space_are_positive_semidefinite(seed, tours):
    """Whatever the constants are: sums and products of kernels are kernels."""
    encode = Encoder(MIXED.layout, edges=tours)
    kernel = SolutionKernel(encode.columns, torch.Size([2])).double()
    generator = torch.Generator().manual_seed(seed)
    for parameter in kernel.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator).double()
    x = torch.as_tensor(encode(codes_of(MIXED, 12, seed)))
    with torch.no_grad():
        matrix = kernel.forward(x, x)
        diagonal = kernel.forward(x, x, diag=True)
    assert matrix.shape == (2, 12, 12)
    assert torch.linalg.eigvalsh(matrix).min() > -1e-9
    assert torch.allclose(matrix.diagonal(dim1=1, dim2=2), diagonal, rtol=1e-5)


def test_predictions_equal_those_of_botorch():
    """The quick way, by one factor, is that of BoTorch's own model."""
    columns, data = data_over(MIXED, 25)
    test = Encoder(MIXED.layout)(codes_of(MIXED, 6, seed=99))
    with own_torch(0):
        constants = model.fit(columns, data, None)
        quick = model.Posterior(columns, data, constants)
        first, second = quick.at(test[:4]), quick.at(test[4:])
        exact = model.build(columns, data, constants).eval()
        joint = exact.posterior(torch.as_tensor(test)).distribution
        mean, covariance = joint.mean.mT, joint.covariance_matrix
    assert torch.allclose(first.mean, mean[:, :4], atol=1e-6)
    for k in range(2):
        block = covariance[6 * k : 6 * k + 6, 6 * k : 6 * k + 6]
        assert torch.allclose(first.variance[k], block.diagonal()[:4], atol=1e-6)
        between = quick.between(first, second)[k]
        assert torch.allclose(between, block[:4, 4:], atol=1e-6)


def test_a_fit_learns_from_the_data_and_goes_on_from_the_last_one():
    """Constants that stay where they began would look like a model and be none."""
    columns, data = data_over(dl.Integer(0, 9, n=3), 30)
    with own_torch(0):
        fresh = model.read_constants(model.build(columns, data, None))
        fitted = model.fit(columns, data, None)
        again = model.read_constants(model.build(columns, data, fitted))
    assert fitted.keys() == fresh.keys()
    assert all(np.isfinite(value).all() for value in fitted.values())
    moved = [np.abs(fitted[name] - fresh[name]).max() for name in fitted]
    assert max(moved) > 0.5
    for name in fitted:
        assert (again[name] == fitted[name]).all()


def test_a_fit_that_fails_leaves_the_constants(monkeypatch):
    """A search does not end because a matrix was difficult."""
    columns, data = data_over(dl.Binary(4), 8)

    def break_down(*_, **__):
        raise RuntimeError("not positive definite")

    monkeypatch.setattr(model, "fit_gpytorch_mll", break_down)
    fresh = model.read_constants(model.build(columns, data, None))
    kept = model.fit(columns, data, None)
    assert all((kept[name] == fresh[name]).all() for name in fresh)


def test_without_noise_the_unexplained_belongs_to_the_prediction():
    """Measurements are then exact: what the features miss is not an error of theirs."""
    columns, noisy = data_over(dl.Binary(6), 20)
    exact = noisy._replace(noise=False)
    with own_torch(0):
        constants = model.fit(columns, noisy, None)
        variances = [
            model.Posterior(columns, data, constants).at(noisy.features[:1]).variance
            for data in (noisy, exact)
        ]
    assert (variances[1] > variances[0]).all()


def test_draws_have_the_joint_distribution_of_the_posterior():
    """Of the solutions that are shared and of a further one, together."""
    columns, data = data_over(dl.Integer(0, 9, n=3), 12)
    test = Encoder(dl.Integer(0, 9, n=3).layout)(codes_of(dl.Integer(0, 9, n=3), 4, 70))
    with own_torch(0):
        constants = model.fit(columns, data, None)
        posterior = model.Posterior(columns, data, constants)
        draws = Draws(posterior, test[:3], 4096, seed=1)
        joint = np.concatenate([draws.shared, draws.at(test[3:])], axis=1)
        exact = model.build(columns, data, constants).eval()
        expected = exact.posterior(torch.as_tensor(test)).distribution
    assert np.allclose(joint.mean(axis=0), expected.mean.detach(), atol=0.02)
    for k in range(2):
        block = expected.covariance_matrix[4 * k : 4 * k + 4, 4 * k : 4 * k + 4]
        assert np.allclose(np.cov(joint[:, :, k].T), block.detach(), atol=0.02)


def test_torch_is_left_as_it_was():
    """Users have threads and random numbers of their own, and their own warnings."""
    threads, state = torch.get_num_threads(), torch.random.get_rng_state()
    with own_torch(3):
        assert torch.get_num_threads() == 1
        torch.rand(5)
        warnings.warn("not to be heard", stacklevel=1)
    assert torch.get_num_threads() == threads
    assert (torch.random.get_rng_state() == state).all()


def test_failures_teach_the_worst_and_are_not_forgotten():
    """A model that never hears of them would propose their neighbours for ever."""
    memory = Memory(2, 1)
    memory.expect(0, np.array([0, 0]))
    memory.expect(1, np.array([0, 1]))
    memory.expect(2, np.array([1, 1]))
    memory.answer(0, np.array([0, 0]), np.array([5.0, -1.0]))
    memory.answer(2, np.array([1, 0]), np.array([3.0, 2.0]))
    memory.fail(1, np.array([0, 1]))
    assert memory.num_pending == 0
    assert memory.lessons(10).outputs.tolist() == [[5.0, -1.0], [3.0, 2.0], [5.0, 2.0]]
    assert memory.lessons(10).codes.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert len(memory.seen) == 4


def test_models_are_fitted_to_the_front_and_the_newest():
    """Long runs stay affordable, and the front is always explained."""
    memory = Memory(1, 1)
    for i, value in enumerate([9.0, 1.0, 7.0, 6.0, 5.0, 8.0]):
        memory.answer(i, np.array([i]), np.array([value]))
    assert memory.lessons(3).codes[:, 0].tolist() == [1, 4, 5]


def test_candidates_that_never_return_are_given_up():
    """A worker that died must not be waited for until the end."""
    memory = Memory(1, 1)
    for i in range(MAX_PENDING + 5):
        memory.expect(i, np.array([i]))
    assert memory.pending()[:, 0].tolist() == list(range(5, MAX_PENDING + 5))
