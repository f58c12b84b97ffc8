"""Moves of a user's own in a whole search: both loops, files, mistakes."""

import pickle

import numba
import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.random import below
from divlearn.methods.moves import custom_records
from divlearn.testing import check_move
from divlearn.testing.move import reverse
from tests.kernels.cases import ask_and_tell, differing_arrays

EVALUATIONS = 30 if JIT_DISABLED else 300


def rotate(x, positions, words):
    """Move all items of the subproblem some places on."""
    count = len(positions)
    for _ in range(1 + below(words, 2)):
        for k in range(count - 1):
            i, j = positions[k], positions[k + 1]
            x[i], x[j] = x[j], x[i]


rotate_compiled = rotate if JIT_DISABLED else numba.njit(rotate)


def by_a_list(x, positions, words):
    """What numba does not compile."""
    x[:] = sorted(x.tolist(), key=lambda item: (item + below(words, 3)) % len(x))


def too_far(x, positions, words):
    """Give a position a code that it does not have."""
    x[1] = len(x)


def twice(x, positions, words):
    """Give two positions the same item."""
    x[0] = x[1]


def rarely_wrong(x, positions, words):
    """Stay in the space with the first item elsewhere; leave it otherwise."""
    x[0], x[1] = x[1], x[0]
    if below(words, 200) == 0 and x[2] > x[3]:
        x[0] = -1


def another(x, positions, words):
    """Return a solution in place of changing it."""
    return x[::-1]


def broken(x, positions, words):
    """Raise, whatever it is given."""
    x[len(x)] = 0


COUNT = np.zeros(1, np.int64)


def counting(x, positions, words):
    """Remember something from call to call."""
    COUNT[0] += 1
    x[0], x[COUNT[0] % 2 + 1] = x[COUNT[0] % 2 + 1], x[0]


def still(x, positions, words):
    """Change nothing."""


def dl_with(*moves):
    """The default method with custom moves."""
    return dl.DL(initial=10, gp_candidates=0, pairing=False, custom_moves=moves)


def paper_with(*moves):
    """A method of the paper with custom moves."""
    changed = {"refinement.custom_moves": moves}
    return dl.DivideAndLearn().replace(initial=10, **changed)


METHODS = pytest.mark.parametrize("method_with", [dl_with, paper_with])
ROTATE = dl.Move("rotation", rotate)
IN_PYTHON = dl.Move("by a list", by_a_list, share=0.3, compiled=False)


@METHODS
def test_both_loops_agree_with_custom_moves(tiny_tour, method_with):
    """Everything that the search remembers is compared; one move is plain Python."""
    method = method_with(ROTATE, IN_PYTHON)
    ran, asked = (dl.Optimizer(tiny_tour, method, 5) for _ in range(2))
    ran.run(EVALUATIONS)
    ask_and_tell(asked, EVALUATIONS)
    assert differing_arrays(ran, asked) == []
    without = dl.Optimizer(tiny_tour, method_with(), 5)
    without.run(EVALUATIONS)
    assert differing_arrays(ran, without) != []


def test_a_compiled_function_may_be_given_as_it_is(tiny_tour):
    """The search is the same as with the function that was compiled."""
    moves = [ROTATE, dl.Move("rotation", rotate_compiled)]
    ran = [dl.Optimizer(tiny_tour, dl_with(move), 5) for move in moves]
    for optimizer in ran:
        optimizer.run(60)
    assert differing_arrays(*ran) == []


@METHODS
def test_a_search_with_custom_moves_survives_files_and_pickling(
    tmp_path, tiny_tour, method_with
):
    """Addresses are looked up again; a file needs the method that holds the move."""
    method = method_with(ROTATE)
    whole, half = (dl.Optimizer(tiny_tour, method, 5) for _ in range(2))
    whole.run(60)
    half.run(30)
    half.save(tmp_path / "half.npz")
    with pytest.raises(dl.InputError, match="move 'rotation' is not one of the built"):
        dl.Optimizer.load(tmp_path / "half.npz", tiny_tour)
    loaded = dl.Optimizer.load(tmp_path / "half.npz", tiny_tour, method)
    pickled = pickle.loads(pickle.dumps(half))
    for other in (loaded, pickled):
        other.run(30)
        assert differing_arrays(whole, other) == []


def test_a_study_goes_on_with_custom_moves(tmp_path):
    """It is given the method again, as with custom encodings."""
    problem = dl.Problem(dl.Permutation(5), lambda x: float(x[0] * x[1]), ["a"])
    for budget in (20, 30):
        with dl.Study(problem, tmp_path / "s.db", method=dl_with(IN_PYTHON)) as study:
            result = study.run(budget, workers=0, progress=False)
    assert result.evaluations == 30


@pytest.mark.parametrize(
    ("move", "space"),
    [
        (ROTATE, dl.Permutation(7)),
        (dl.Move("rotation", rotate_compiled), dl.Subset(8, 3)),
        (dl.Move("turn", reverse, share=1), dl.Integer(0, 4, n=5)),
        (IN_PYTHON, dl.Permutation(6)),
        (ROTATE, dl.Permutation(6, before=[(0, 3), (3, 5)])),
    ],
    ids=lambda value: getattr(value, "name", repr(value)),
)
def test_good_moves_pass_the_check(move, space):
    """Compiled, given compiled, plain Python; what breaks a rule is settled."""
    check_move(move, space)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (too_far, "the code 6, not one of 0 to 5"),
        (twice, "it made "),
        (another, "must change x in place and return nothing"),
        (broken, "it raised IndexError"),
    ],
)
def test_a_move_that_does_not_fit_is_refused_before_the_search(function, words):
    """With its name and what is wrong; the shared check finds the same."""
    problem = dl.Problem(dl.Permutation(6), lambda x: float(x[0]), ["a"])
    move = dl.Move("wrong", function)
    with pytest.raises(dl.InputError, match="custom_moves: 'wrong' .*" + words):
        dl.Optimizer(problem, dl_with(move))
    with pytest.raises(AssertionError, match=words):
        check_move(move, problem.space)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_what_does_not_compile_is_refused_with_a_way_out(tiny_tour):
    """The message says how to have it called as Python."""
    move, words = dl.Move("by a list", by_a_list), "'by a list' .* pass compiled=False"
    with pytest.raises(dl.InputError, match=words):
        custom_records((move,))
    with pytest.raises(AssertionError, match=words):
        check_move(move, tiny_tour.space)


@METHODS
def test_a_move_that_leaves_the_space_later_ends_the_search(tiny_tour, method_with):
    """By its name; whatever else it was given, nobody sees such a solution."""
    optimizer = dl.Optimizer(tiny_tour, method_with(dl.Move("rare", rarely_wrong)), 1)
    with pytest.raises(dl.SearchError, match="the custom move 'rare' left the space"):
        optimizer.run(20_000)
    assert all(len(set(x.tolist())) == len(x) for x in optimizer.result().X)


@pytest.mark.parametrize(
    ("function", "words"),
    [(counting, "all randomness must come from them"), (still, "changed none")],
)
def test_the_check_sees_more_than_a_search_does(function, words):
    """Moves that depend on more than the words, and those that do nothing."""
    with pytest.raises(AssertionError, match=words):
        check_move(dl.Move("odd", function, compiled=False), dl.Permutation(6))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("swap", "must be a list of divlearn.Move"),
        ([rotate], "must be a list of divlearn.Move"),
        ([ROTATE, ROTATE], "'rotation' twice"),
        ([dl.Move("swap", rotate)], "'swap' twice or as the name of a built-in"),
        ([ROTATE, dl.Move("b", reverse, share=0.6)], "add up to at most 1"),
    ],
)
def test_what_is_not_a_list_of_moves_is_refused(given, words):
    """A name or a function in place of a move is the usual mistake."""
    with pytest.raises(dl.InputError, match=words):
        dl.DL(custom_moves=given)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "name must be a text"),
        ({"function": "swap"}, "function must be a function"),
        ({"share": 2}, "share must be"),
        ({"compiled": 1}, "compiled must be True or False"),
    ],
)
def test_a_move_says_what_it_needs(changes, words):
    """Each argument by its name."""
    with pytest.raises(dl.InputError, match=words):
        dl.Move(**{"name": "mine", "function": rotate} | changes)
