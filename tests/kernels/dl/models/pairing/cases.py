"""What the tests of the pair model share: states that hold one, and calls into it."""

import numpy as np

import divlearn as dl
from divlearn.kernels.archive import insert
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.arms import pairing as arm
from divlearn.methods.dl.kernels.arms.bandit import SAMPLE
from divlearn.methods.dl.kernels.models.pairing import fit, probe
from divlearn.methods.dl.kernels.models.pairing.model import IN_USE, SAMPLING
from divlearn.methods.dl.kernels.search import swap_prices, swaps
from tests.kernels.dl.cases import small, state_for
from tests.reference.pairing import pair_sum, symmetric

#: Of a random solution.
TICKET = np.array([SAMPLE, 0])


def state_with(n, m=2, limit=600):
    """The state of a search over ``n`` items that may learn a pair model."""
    settings = small(pairing_samples=limit)
    return state_for(dl.Permutation(n), m, settings)


def model_of(n, m, mode, seed=0):
    """Matrices of positions and of items, shape (m, n, n), shared as ``mode`` says."""
    rng = np.random.default_rng(seed)
    a = np.array([symmetric(rng, n) for _ in range(m)])
    b = np.array([symmetric(rng, n) for _ in range(m)])
    if mode == 0:
        b[:] = b[0]
    if mode == 1:
        a[:] = a[0]
    return a, b


def with_samples(n, rows, value, m=2, limit=600):
    """A state that has stored random solutions, whose values ``value(x)`` gives."""
    state, rng = state_with(n, m, limit), np.random.default_rng(7)
    for _ in range(rows):
        x = rng.permutation(n)
        state.pairing.record.phase = SAMPLING
        learn(state, x, np.array(value(x), float), TICKET)
    return state


def with_model(n, m, mode):
    """A state with a known model and one random member, and the matrices."""
    state = state_with(n, m)
    a, b = model_of(n, m, mode)
    state.pairing.positions[:], state.pairing.items[:] = a, b
    state.pairing.record.phase, state.pairing.record.mode = IN_USE, mode
    x = np.random.default_rng(3).permutation(n)
    y = np.array([pair_sum(x, a[k], b[k]) for k in range(m)])
    insert(state.archive, 0, x, y)
    state.control.archive_size = 1
    state.high[:] = 1.0
    return state, a, b


@lean_kernel
def write_probe(state):
    """Call the kernel by the state's address, as the search does."""
    probe.write_probe(state)


@lean_kernel
def take_answer(state, x, y):
    """Call the kernel by the state's address."""
    probe.take_answer(state, x, y)


@lean_kernel
def fit_model(state):
    """Call the kernel by the state's address."""
    fit.fit_model(state)


@lean_kernel
def start(state):
    """The spectral start for objectives that have the matrix of items in common."""
    pairing = state.pairing
    orders, inverses = pairing.solutions, pairing.inverses
    many, one = pairing.positions, pairing.items[0]
    fit._set_targets(state, True)
    fit._start(state, orders, inverses, many, one, 0, many.shape[0])


@lean_kernel
def ridge_of(state, known, a, ridge, times):
    """Improve ``a`` for the first target by so many calls of the regression."""
    for _ in range(times):
        fit._ridge(state, state.pairing.solutions, known, 0, 1, a, ridge)


@lean_kernel
def set_prices(state, x, together):
    """Call the kernel by the state's address."""
    return swap_prices.set_prices(state, x, together)


@lean_kernel
def price_swap(state, x, first, stop, i, j):
    """Call the kernel by the state's address."""
    return swap_prices.price_swap(state, x, first, stop, i, j)


@lean_kernel
def set_table(state, x, terms):
    """Call the kernel by the state's address."""
    swap_prices.set_table(state, x, terms)


@lean_kernel
def make_swap(state, x, terms, i, j):
    """Call the kernel by the state's address."""
    swap_prices.make_swap(state, x, terms, i, j)


@lean_kernel
def best_swap(state, n, now, wished):
    """Call the kernel by the state's address."""
    return swap_prices.best_swap(state, n, now, wished)


@lean_kernel
def note_change(state, x, i, j):
    """Call the kernel by the state's address."""
    return swaps.note_change(state, x, i, j)


@lean_kernel
def improve_swaps(state, slot, x, steps):
    """Call the kernel by the state's address."""
    return swaps.improve_swaps(state, slot, x, steps)


@lean_kernel
def best_neighbour(state, slot, x):
    """Call the kernel by the state's address."""
    return swaps.best_neighbour(state, slot, x)


@lean_kernel
def learn(state, x, y, ticket):
    """Tell the model the values of a solution."""
    for k in range(y.shape[0]):
        state.outputs[k] = y[k]
    arm.learn_pairing(state, x, ticket)
