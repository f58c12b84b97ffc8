"""What the kernel tests share: random spaces, random words, states of a search."""

import hashlib

import numpy as np
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.random import seed_words
from divlearn.kernels.records import saved_arrays
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.kernels.schedule import end_iteration
from divlearn.methods.paper.kernels.search import observe, propose
from divlearn.methods.paper.refinement import Refinement
from divlearn.optimizer.optimizer import state_of

SEEDS = st.integers(0, 2**63 - 1)
WEIGHTS = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]


def words_of(seed):
    """Random words of a seed, shape (4,)."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    return words


@st.composite
def subsets(draw, most=5):
    """Subsets with any limits that can be met."""
    n = draw(st.integers(1, most))
    low, high = sorted(draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    return dl.Subset(n, min=low, max=high)


def parts(most=4):
    """Spaces of one kind, small enough to be listed whole."""
    length = st.integers(1, most)
    return st.one_of(
        st.builds(dl.Permutation, length),
        st.builds(dl.Binary, length),
        subsets(most),
        st.builds(lambda a, n: dl.Categorical(range(a), n), length, st.integers(1, 3)),
        st.builds(lambda a, n: dl.Ordinal(range(a), n), length, st.integers(1, 3)),
        st.builds(lambda a, n: dl.Integer(-1, a, n), length, st.integers(1, 2)),
    )


def composites(most=4, num_parts=4):
    """One to some parts of any kinds side by side."""
    several = st.lists(parts(most), min_size=1, max_size=num_parts)
    return several.map(lambda s: dl.Composite(**{f"p{i}": p for i, p in enumerate(s)}))


@st.composite
def conditionals(draw, most=3):
    """Parts of any kinds, some of which exist only where others have certain values."""
    deciding = {
        "kind": dl.Categorical(range(draw(st.integers(2, 4)))),
        "size": dl.Integer(0, draw(st.integers(1, 3))),
        "on": dl.Binary(),
    }
    space = dict(deciding)
    for i in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from([n for n in space if not n.startswith("p")]))
        own, part = deciding[name.split("_")[0]], draw(parts(most))
        code = draw(st.integers(0, own.segments()[0].levels[0] - 1))
        then = part if i % 2 else dl.Composite(a=part, b=draw(parts(most)))
        space[f"p{i}"] = dl.If(**{name: own.decode(np.array([code]))}, then=then)
        if draw(st.booleans()):  # a chain: it decides on others, where it exists
            value = own.decode(np.array([code]))
            again = draw(st.sampled_from(sorted(deciding)))
            space[f"{again}_{i}"] = dl.If(**{name: value}, then=deciding[again])
    return dl.Composite(**space)


def hashed_objectives(space, num_objectives=2, levels=12):
    """An objective without any structure, the same for the same codes."""

    def evaluate(x):
        digest = hashlib.sha256(space.encode(x).tobytes()).digest()
        return [digest[j] % levels for j in range(num_objectives)]

    return evaluate


def hashed_problem(space, num_objectives=2, *, noise=False, **options):
    """A problem over any space that only a search can know; exact unless said."""
    names = [f"f{j}" for j in range(num_objectives)]
    function = hashed_objectives(space, num_objectives)
    return dl.Problem(space, function, names, noise=noise, **options)


def new_search(problem, settings="paper-ucb", seed=0, budget=None):
    """An optimizer and its state."""
    optimizer = dl.Optimizer(problem, settings, seed, budget=budget)
    return optimizer, state_of(optimizer)


def ask_and_tell(optimizer, evaluations):
    """Drive a search through Python, one evaluation at a time."""
    for _ in range(evaluations):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, optimizer.problem.evaluate(candidate.x))


def differing_arrays(one, other):
    """Names of the arrays in which two searches are not the same bits."""
    a, b = saved_arrays(state_of(one)), saved_arrays(state_of(other))
    return [name for name in a if a[name].tobytes() != b[name].tobytes()]


def small_settings(**changes):
    """Few weights and iterations, so that a short walk sees all of them."""
    base = dl.DivideAndLearn(
        weights=WEIGHTS,
        initial=5,
        iterations=3,
        patience=100,
        refinement=Refinement(steps=2),
        decomposition=Decomposition(size=4, overlap=3, decay=1.0),
    )
    return base.replace(**changes)


def walk(optimizer, state, evaluations):
    """Propose and observe; yields where the cursor was, the codes and the kind."""
    space, control = optimizer.problem.space, state.control[0]
    x, ticket = np.empty(space.num_positions, np.int64), np.empty(2, np.int64)
    for _ in range(evaluations):
        if control.end_of_iteration == 1:  # as propose itself would do
            end_iteration(state)
        cursor = {
            name: int(control[name])
            for name in ("weight", "iteration", "subproblem", "step", "centre")
        }
        propose(state, x, ticket)
        yield cursor, x.copy(), int(ticket[0])
        observe(state, x, optimizer.problem.evaluate(space.decode(x)), ticket)
