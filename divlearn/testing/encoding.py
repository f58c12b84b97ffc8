"""What a search relies on in every encoding."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Integers
from divlearn.methods.dl.encodings import Encoding, fault_of
from divlearn.methods.dl.method import DL
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.testing.part import check_description
from divlearn.testing.require import require


class LastPair(Encoding):
    """An example: the last two positions together, with at most 9 values each."""

    name = "last pair"

    @staticmethod
    def list_actions(x: Codes, actions: Integers) -> int:
        """One action, whatever the solution."""
        actions[0] = 9 * x[-2] + x[-1]
        return 1

    def num_actions(self, space: Space) -> int:
        """All pairs of digits."""
        return 81


#: Number of random solutions whose actions are checked.
NUM_SOLUTIONS = 50


def check_encoding(encoding: Encoding, space: Space) -> None:
    """Check an encoding: that its lists are right, compile, and work in a search.

    The actions of random solutions must be numbers below ``num_actions``, no more of
    them than ``most_listed``, and the same compiled as in plain Python. The description
    must be plain data, the encoding must survive pickling, and a short search must run
    with it.

    Parameters
    ----------
    encoding
        The encoding to check.
    space
        A space that it is meant for.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.testing.encoding import LastPair
    >>> check_encoding(LastPair(), dl.Integer(0, 2, n=5))
    """
    require(isinstance(encoding, Encoding), f"{encoding!r} is not a divlearn Encoding.")
    check_description(encoding, "encoding")
    _check_lists(encoding, space)
    _check_short_search(encoding, space)


def _check_lists(encoding: Encoding, space: Space) -> None:
    """Compare compiled lists with plain ones."""
    from divlearn.methods.dl.kernels.models.custom import list_at, lister_address

    plain = type(encoding).list_actions
    try:
        address = np.uint64(lister_address(plain))
    except TypeError as error:
        raise AssertionError(f"list_actions of {encoding!r}: {error}") from error
    one, two = np.zeros((2, encoding.most_listed(space)), np.int64)
    for seed in range(NUM_SOLUTIONS):
        x = space.encode(space.sample(seed))
        fault = fault_of(encoding, space, x)
        require(fault is None, f"{encoding!r} at the codes {x}: {fault}.")
        found, expected = list_at(address, x, one), plain(x, two)
        require(
            one[:found].tolist() == two[:expected].tolist(),
            f"list_actions({x}) gives {one[:found]} compiled and {two[:expected]} in "
            "plain Python.",
        )


def _check_short_search(encoding: Encoding, space: Space) -> None:
    """Search a small problem with this encoding alone."""
    from divlearn.optimizer.optimizer import Optimizer

    def evaluate(x: object) -> tuple[float, float]:
        codes = space.encode(x)
        return float(codes[0]), float(codes[-1] - codes[0])

    problem = Problem(space, evaluate, ["first", "last"])
    alone = DL(encodings=(), custom_encodings=(encoding,), gp_candidates=0)
    optimizer = Optimizer(problem, alone, budget=150)
    for _ in range(min(150, 2 ** min(8, space.num_positions - 1))):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    require(optimizer.front_size > 0, f"a search with {encoding!r} found nothing.")
