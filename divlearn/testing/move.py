"""What a search relies on in every move."""

from __future__ import annotations

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Words
from divlearn.methods.dl.method import DL
from divlearn.methods.moves import (
    Move,
    custom_records,
    fault_of_move,
    read_custom_moves,
)
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.testing.part import check_description
from divlearn.testing.require import require

#: Random solutions that are moved, and evaluations of the short search.
NUM_SOLUTIONS, EVALUATIONS = 50, 60


def check_move(move: Move, space: Space) -> None:
    """Check a move: that it stays in the space, compiles, and works in a search.

    What it makes of random solutions must be solutions, the same compiled as in plain
    Python, and the same again for the same random words; some of them must be changed.
    The description must be plain data, the move must survive pickling, and a short
    search must run with it.

    Parameters
    ----------
    move
        The move to check.
    space
        A space that it is meant for.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.testing.move import reverse
    >>> check_move(dl.Move("turn", reverse), dl.Permutation(5))
    """
    require(isinstance(move, Move), f"{move!r} is not a divlearn Move.")
    check_description(move, "move")
    changed = 0
    for seed in range(NUM_SOLUTIONS):
        x = space.encode(space.sample(seed))
        fault = fault_of_move(move, space, x, seed)
        require(fault is None, f"{move.name!r}: {fault}.")
        changed += _check_twins(move, space, x, seed)
    require(
        changed > 0, f"{move.name!r} changed none of {NUM_SOLUTIONS} random solutions."
    )
    _check_short_search(move, space)


def _check_twins(move: Move, space: Space, x: Codes, seed: int) -> bool:
    """Compare a compiled move with the plain one, and that with itself."""
    plain = getattr(move.function, "py_func", move.function)
    moved = [x.copy() for _ in range(3)]
    for each in moved[:2]:
        plain(each, np.arange(len(x)), _words(seed))
    _call_compiled(move, moved[2], _words(seed))
    require(
        np.array_equal(moved[0], moved[1]),
        f"{move.name!r} makes {moved[0]} and {moved[1]} of {x} from the same words; "
        "all randomness must come from them.",
    )
    require(
        np.array_equal(moved[0], moved[2]),
        f"{move.name!r} makes {moved[2]} of {x} compiled and {moved[0]} in plain "
        "Python.",
    )
    return not np.array_equal(moved[0], x)


def _words(seed: int) -> Words:
    """Words of a random generator."""
    from divlearn.kernels.random import seed_words

    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    return words


def _call_compiled(move: Move, x: Codes, words: Words) -> None:
    """Make a move as kernels do."""
    from divlearn.kernels.custom_moves import move_at

    try:
        (record,) = custom_records(read_custom_moves((move,)))
    except InputError as error:
        raise AssertionError(str(error)) from error
    move_at(np.uint64(record.address), x, np.arange(len(x)), words)


def _check_short_search(move: Move, space: Space) -> None:
    """Search a small problem with this move alone."""
    from divlearn.optimizer.optimizer import Optimizer

    def evaluate(x: object) -> tuple[float, float]:
        codes = space.encode(x)
        return float(codes[0]), float(codes[-1] - codes[0])

    problem = Problem(space, evaluate, ["first", "last"])
    alone = DL(tables=False, gp_candidates=0, custom_moves=(move,), initial=5)
    optimizer = Optimizer(problem, alone, budget=EVALUATIONS)
    for _ in range(min(EVALUATIONS, 2 ** min(8, space.num_positions - 1))):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    require(optimizer.front_size > 0, f"a search with {move.name!r} found nothing.")


def reverse(x: Codes, positions: Codes, words: Words) -> None:
    """An example: turn the whole solution around."""
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]
