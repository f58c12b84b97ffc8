import enum
import json
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.basics.arrays import pack_described
from divlearn.kernels.archive import MOST_LISTED
from divlearn.methods.names import OWN_METHODS
from divlearn.methods.paper.experts import EXP3, UCB, Expert, Mixture
from divlearn.problems import TSP, Knapsack, Noisy
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.search_cases import memory, nobody


def assert_same_search(one, other):
    """Compare all that decides how two searches go on."""
    assert differing_arrays(one, other) == []
    assert memory(one) == memory(other)


def rewrite(path, arrays=None, **about):
    """Change arrays of a state file, and what it says of itself."""
    with np.load(path) as file:
        content = {name: file[name] for name in file.files} | (arrays or {})
    words = json.loads(str(content.pop("about"))) | about
    path.write_bytes(pack_described(content, json.dumps(words)))


@pytest.fixture(params=["dl", "paper-ts"])
def method(request):
    """A method of each family."""
    return request.param


@pytest.fixture
def saved(tmp_path, tiny_mixed, method):
    """A state file of a search over the tiny mixed problem."""
    optimizer = dl.Optimizer(tiny_mixed, method, seed=3, budget=200)
    ask_and_tell(optimizer, 70)
    optimizer.ask(2)
    optimizer.save(tmp_path / "state.npz")
    return tmp_path / "state.npz"


# --- a saved search goes on as if it had never stopped


STEPS = st.lists(
    st.tuples(
        st.integers(1, 6),  # candidates asked for
        st.lists(st.integers(0, 20), max_size=6),  # which of the pending are told
        st.sampled_from(["told", "told", "failed", "saved"]),
    ),
    min_size=1,
    max_size=25,
)


def follow(steps, optimizer, path=None):
    """Ask, tell and fail by a list of steps; save and load where a path is given."""
    problem = optimizer.problem
    for count, chosen, what in steps:
        optimizer.ask(count)
        for k in chosen:
            if k < len(optimizer.pending):
                candidate = optimizer.pending[k]
                values = None if what == "failed" else problem.evaluate(candidate.x)
                optimizer.tell(candidate.id, values)
        if what == "saved" and path is not None:
            optimizer.save(path)
            optimizer = dl.Optimizer.load(path, problem)
    return optimizer


@given(
    steps=STEPS,
    method=st.sampled_from(["dl", "paper-ts"]),
    seed=st.integers(0, 2**63 - 1),
    budget=st.none() | st.integers(1, 99),
)
def test_save_and_load_at_any_point_changes_nothing(
    steps, method, seed, budget, tmp_path_factory
):
    """With candidates pending, late, failed; every array is compared bit for bit."""
    path = tmp_path_factory.getbasetemp() / "state.npz"
    space = dl.Composite(order=dl.Permutation(4), bits=dl.Subset(4, min=1, max=3))
    problem = dl.Problem(
        space,
        lambda x: (x["order"][0] + len(x["bits"]), x["bits"].sum(), x["order"][1] - 2),
        {"a": "max", "b": "min"},
        constraints=["c"],
    )
    whole, cut = (dl.Optimizer(problem, method, seed, budget=budget) for _ in "ab")
    assert_same_search(follow(steps, whole), follow(steps, cut, path))


@pytest.mark.parametrize("method", OWN_METHODS)
def test_a_compiled_search_goes_on_bit_for_bit(tmp_path, tiny_tour, method):
    """Cut after any number of evaluations, by the compiled loop and by ask/tell."""
    whole = dl.Optimizer(tiny_tour, method, seed=5, budget=600)
    whole.run(600)
    for k in (1, 49, 50, 51, 333):
        first = dl.Optimizer(tiny_tour, method, seed=5, budget=600)
        first.run(k)
        first.save(tmp_path / "state.npz")
        second = dl.Optimizer.load(tmp_path / "state.npz", tiny_tour)
        second.run(500 - k)
        ask_and_tell(second, 100)
        assert differing_arrays(second, whole) == []
        assert second.method == method


def _many_costs():
    """An order under six costs, of which few orders dominate another."""
    costs = np.random.default_rng(0).random((6, 12, 12))

    def evaluate(x):
        return tuple(float(cost[np.arange(12), x].sum()) for cost in costs)

    return dl.Problem(dl.Permutation(12), evaluate, list("abcdef"))


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
def test_a_search_with_a_large_front_goes_on_bit_for_bit(tmp_path, method):
    """The tree of its archive is in no file: what it answers follows from the rest."""
    tours = dl.problems.get("tritsp-20", instance=0)
    problem = tours if method == "dl" else _many_costs()
    whole = dl.Optimizer(problem, method, seed=1, budget=4_000)
    ask_and_tell(whole, 1_500)
    assert whole.front_size > MOST_LISTED
    whole.save(tmp_path / "state.npz")
    again = dl.Optimizer.load(tmp_path / "state.npz", problem)
    for optimizer in (whole, again):
        ask_and_tell(optimizer, 200)
    assert differing_arrays(whole, again) == []


def test_a_search_is_continued_by_solve(tmp_path, tiny_knapsack):
    """History and clock go on, and the result is that of one run."""
    whole = dl.solve(tiny_knapsack, 900, seed=1)
    optimizer = dl.Optimizer(tiny_knapsack, seed=1, budget=900)
    dl.solve(tiny_knapsack, 400, optimizer=optimizer)
    optimizer.save(tmp_path / "state.npz")
    spent = optimizer.seconds
    loaded = dl.Optimizer.load(tmp_path / "state.npz", tiny_knapsack)
    time.sleep(0.02)
    assert loaded.seconds == spent > 0
    np.testing.assert_equal(loaded.history, optimizer.history)
    result = dl.solve(tiny_knapsack, 900, optimizer=loaded)
    assert result.F.tolist() == whole.F.tolist()
    assert result.X.tolist() == whole.X.tolist()
    assert result.settings == whole.settings
    # Its course has one more row, where it was stopped.
    first, second = ({**r.learned, "course": None} for r in (result, whole))
    assert first == second
    assert result.history["evaluations"][-1] == 900
    assert result.history["seconds"] == sorted(result.history["seconds"])


def test_a_noisy_search_goes_on_with_new_errors(tmp_path):
    """To load is not to begin anew: what was measured before is not repeated."""
    problem = Noisy(dl.problems.get("bitsp-8"))
    optimizer = dl.Optimizer(problem)
    x = optimizer.ask()[0].x
    before = problem.evaluate(x)
    optimizer.save(tmp_path / "state.npz")
    dl.Optimizer.load(tmp_path / "state.npz", problem)
    assert (problem.evaluate(x) != before).all()


def test_pending_candidates_are_there_again(saved, tiny_mixed):
    """By number and as values, to be told after all; the failed stay failed."""
    optimizer = dl.Optimizer.load(saved, tiny_mixed)
    assert [c.id for c in optimizer.pending] == [70, 71]
    for candidate in optimizer.pending:
        optimizer.tell(candidate.id, tiny_mixed.evaluate(candidate.x))
    assert optimizer.evaluations == 72


def test_candidates_from_before_a_save_may_be_told_after_it(tmp_path, tiny_mixed):
    """The objects of the first optimizer mean the same solutions."""
    first = dl.Optimizer(tiny_mixed)
    batch = first.ask(3)
    first.save(tmp_path / "state.npz")
    second = dl.Optimizer.load(tmp_path / "state.npz", tiny_mixed)
    for optimizer in (first, second):
        optimizer.tell(batch, [tiny_mixed.evaluate(c.x) for c in batch])
    assert_same_search(first, second)


def test_an_enlarged_archive_is_saved_whole(tmp_path):
    """More members than a new archive has slots."""
    problem = dl.Problem(dl.Integer(0, 999), lambda x: (x, -x), ["up", "down"])
    optimizer = dl.Optimizer(problem)
    for x in range(300):
        optimizer.add(x, (x, -x))
    optimizer.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    for each in (optimizer, loaded):
        for x in range(300, 600):
            each.add(x, (x, -x))
    assert_same_search(optimizer, loaded)
    assert loaded.front_size == 600


@pytest.mark.parametrize("seed", [0, 2**53 + 1, 2**63 - 1])
def test_any_seed_comes_back(tmp_path, tiny_mixed, seed):
    """Also one that a float cannot hold."""
    dl.Optimizer(tiny_mixed, seed=seed).save(tmp_path / "state.npz")
    assert dl.Optimizer.load(tmp_path / "state.npz", tiny_mixed).seed == seed


def test_settings_come_back_as_they_were_resolved(tmp_path, tiny_tour):
    """Parts switched off, weights by hand, moves with shares."""
    settings = dl.DivideAndLearn(
        coordination=None, weights=[[0.25, 0.75], [1, 0]], scalarization="tchebycheff"
    ).replace(
        **{"refinement.moves": {"swap": 2, "reversal": 1}, "decomposition.size": "rule"}
    )
    whole, cut = (dl.Optimizer(tiny_tour, settings, budget=300) for _ in range(2))
    cut.run(100)
    cut.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", tiny_tour)
    assert loaded.settings.describe() == cut.settings.describe()
    loaded.run(200)
    whole.run(300)
    assert differing_arrays(whole, loaded) == []


# --- files


def test_a_state_file_holds_no_code(saved):
    """Plain arrays and JSON, readable without running anything."""
    with np.load(saved, allow_pickle=False) as file:
        about = json.loads(str(file["about"]))
        assert file["archive.solutions"].dtype == np.int64
    assert about["divlearn"] == dl.__version__
    assert about["problem"]["objectives"] == [["cost", "min"], ["gain", "max"]]


def test_any_name_will_do_and_no_folders_are_made(tmp_path, tiny_mixed):
    """The file is where it was asked for, without a suffix of its own."""
    path = tmp_path / "new" / "folder" / "state"
    with pytest.raises(dl.InputError, match=r"directory '.*folder' does not exist"):
        dl.Optimizer(tiny_mixed).save(str(path))
    assert not list(tmp_path.iterdir())
    path.parent.mkdir(parents=True)
    dl.Optimizer(tiny_mixed).save(str(path))
    assert [p.name for p in path.parent.iterdir()] == ["state"]
    assert dl.Optimizer.load(str(path), tiny_mixed).evaluations == 0


@pytest.mark.parametrize("below", ["file/state.npz", "file/deeper/state.npz", "folder"])
def test_a_path_that_cannot_be_written_is_named(tmp_path, tiny_mixed, below):
    """Below a file, or a folder itself; and nothing is left behind."""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(dl.InputError, match=f"path .*{below}'"):
        dl.Optimizer(tiny_mixed).save(tmp_path / below)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("path", [None, 3, b"x\0", "", [1]], ids=repr)
def test_what_is_no_path_is_refused(path, tiny_mixed):
    """For writing as for reading."""
    optimizer = dl.Optimizer(tiny_mixed)
    with pytest.raises(dl.InputError, match="path"):
        optimizer.save(path)
    with pytest.raises(dl.InputError, match="path"):
        dl.Optimizer.load(path, tiny_mixed)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999])
def test_a_truncated_file_is_refused(saved, tiny_mixed, share):
    """As after a full disk."""
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    with pytest.raises(dl.InputError, match=r"not a state file .* or it is damaged"):
        dl.Optimizer.load(saved, tiny_mixed)


def test_a_damaged_file_is_refused_or_harmless(saved, tiny_mixed):
    """A flipped bit is found by a checksum, or lies where nothing is read."""
    content, loaded = saved.read_bytes(), dl.Optimizer.load(saved, tiny_mixed)
    refused = 0
    for position in np.random.default_rng(0).integers(0, len(content), 80):
        damaged = bytearray(content)
        damaged[position] ^= 1 << int(position % 8)
        saved.write_bytes(bytes(damaged))
        try:
            again = dl.Optimizer.load(saved, tiny_mixed)
        except dl.InputError:
            refused += 1
        else:
            assert_same_search(again, loaded)
    assert refused > 60


@pytest.mark.parametrize("content", ["text", "npy", "npz", "json", "missing", "folder"])
def test_a_file_of_another_kind_is_refused(tmp_path, tiny_mixed, content):
    """Whatever it is, the message names it and says what was expected."""
    path = tmp_path / "file"
    if content == "text":
        path.write_text("a,b\n1,2\n")
    elif content == "npy":
        with path.open("wb") as file:
            np.save(file, np.ones(3))
    elif content in ("npz", "json"):
        about = "[1]" if content == "json" else json.dumps({"format": "other"})
        with path.open("wb") as file:
            np.savez(file, about=np.array(about))
    elif content == "folder":
        path.mkdir()
    with pytest.raises(dl.InputError, match=r"file.*") as caught:
        dl.Optimizer.load(path, tiny_mixed)
    assert str(path) in str(caught.value)


def test_a_result_file_is_not_a_state_file(tmp_path, tiny_mixed):
    """The two are easily mixed up on the command line."""
    dl.solve(tiny_mixed, 10).save(tmp_path / "front.json")
    with pytest.raises(dl.InputError, match=r"written by Optimizer\.save"):
        dl.Optimizer.load(tmp_path / "front.json", tiny_mixed)


# --- another version, another problem


def test_a_state_of_another_format_version_is_refused(saved, tiny_mixed):
    """Both versions are named, and what to do."""
    rewrite(saved, format_version=7, divlearn="9.1")
    with pytest.raises(
        dl.InputError,
        match=r"format version 7, written by divlearn 9\.1; .* start anew",
    ):
        dl.Optimizer.load(saved, tiny_mixed)


def test_a_state_with_other_fields_is_refused(saved, tiny_mixed):
    """Even where a version forgot to change its number."""
    with np.load(saved) as file:
        dtype = np.dtype([*file["control"].dtype.descr, ("novelty", "f8")])
    rewrite(saved, {"control": np.zeros(1, dtype)}, divlearn="9.1")
    with pytest.raises(dl.InputError, match=r"divlearn 9\.1, whose states this .*"):
        dl.Optimizer.load(saved, tiny_mixed)


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "divide-and-learn", "unheard": "of"},
        {"method": "divide-and-learn", "refinement": {"unheard": 1}},
        {"method": "dl", "of": 2},
    ],
    ids=repr,
)
def test_a_state_with_settings_of_another_version_is_refused(
    saved, tiny_mixed, settings
):
    """A message rather than the name of a missing argument."""
    rewrite(saved, divlearn="9.1", settings=settings)
    with pytest.raises(dl.InputError, match=r"divlearn 9\.1, whose states this .*"):
        dl.Optimizer.load(saved, tiny_mixed)


OTHERS = {
    "space: permutation, n 5 -> 6": dl.Problem(dl.Permutation(6), nobody, ["a", "b"]),
    "b: minimize -> maximize": dl.Problem(
        dl.Permutation(5), nobody, {"a": "min", "b": "max"}
    ),
    "c: new constraint": dl.Problem(
        dl.Permutation(5), nobody, ["a", "b"], constraints=["c"]
    ),
}


@pytest.mark.parametrize("line", OTHERS)
def test_a_state_of_another_problem_is_refused(tmp_path, line):
    """The part that differs is named with both its values."""
    mine = dl.Problem(dl.Permutation(5), nobody, ["a", "b"], name="mine")
    dl.Optimizer(mine).save(tmp_path / "state.npz")
    wanted = rf"another problem \(mine\), .*\n  {line}\nLoad it with"
    with pytest.raises(dl.InputError, match=wanted):
        dl.Optimizer.load(tmp_path / "state.npz", OTHERS[line])


def test_a_state_of_another_instance_is_refused(tmp_path):
    """Same kind and size, other cities."""
    dl.Optimizer(dl.problems.get("bitsp-20", instance=1)).save(tmp_path / "state.npz")
    same, other = (dl.problems.get("bitsp-20", instance=i) for i in (1, 2))
    assert dl.Optimizer.load(tmp_path / "state.npz", same).evaluations == 0
    with pytest.raises(dl.InputError, match="instance: its data"):
        dl.Optimizer.load(tmp_path / "state.npz", other)


def test_a_state_under_another_repair_is_refused(tmp_path):
    """The same items, but a search that would go on differently."""
    rng = np.random.default_rng(0)
    items = (rng.random(8), rng.random((8, 2)), 2.0)
    dl.Optimizer(Knapsack(*items, repair="efficiency")).save(tmp_path / "state.npz")
    with pytest.raises(dl.InputError, match="instance: its data"):
        dl.Optimizer.load(
            tmp_path / "state.npz", Knapsack(*items, repair="random-drop")
        )


def test_a_table_of_another_shape_is_another_instance():
    """The same numbers in other rows."""
    numbers = np.arange(12.0)
    digests = {
        dl.Compiled(nobody, numbers.reshape(shape)).digest
        for shape in ((3, 4), (4, 3), (12, 1))
    }
    assert len(digests) == 3


@pytest.mark.parametrize("problem", [None, 5, TSP], ids=repr)
def test_loading_needs_a_problem(saved, problem):
    """The file knows what the problem was, not how to evaluate it."""
    with pytest.raises(dl.InputError, match=r"problem must be the divlearn\.Problem"):
        dl.Optimizer.load(saved, problem)


# --- custom experts and values


class Newest(Expert):
    """Chooses at random, but not quite."""

    name = "newest"

    def __init__(self, weight=0.5):
        self.weight = weight

    @staticmethod
    def score(known, options):
        """Few visits and luck."""
        return known.u - options.weight * known.visits


class RenamedNot(UCB):
    """Derived from a built-in expert, with the name of that one."""

    @staticmethod
    def score(known, options):
        """Something else."""
        return known.u


@pytest.mark.parametrize("expert", [Newest(0.25), RenamedNot()], ids=["own", "derived"])
def test_a_custom_expert_is_asked_for(tmp_path, tiny_tour, expert):
    """A file holds no code: method= brings it, and the search goes on bit for bit."""
    settings = dl.DivideAndLearn(mixture=Mixture((expert, EXP3())), construct_every=3)
    whole, cut = (dl.Optimizer(tiny_tour, settings, budget=300) for _ in range(2))
    whole.run(300)
    cut.run(120)
    cut.save(tmp_path / "state.npz")
    with pytest.raises(dl.InputError, match=r"not one of the built-in .*; pass met"):
        dl.Optimizer.load(tmp_path / "state.npz", tiny_tour)
    loaded = dl.Optimizer.load(tmp_path / "state.npz", tiny_tour, method=settings)
    assert loaded.settings.describe() == cut.settings.describe()
    loaded.run(180)
    assert_same_search(whole, loaded)


@pytest.mark.parametrize(
    ("method", "other", "named"),
    [
        ("paper-ts", "paper-ucb", "method: paper-ts -> paper-ucb"),
        ("paper-ts", dl.DivideAndLearn(), "method: paper-ts -> paper-ucb"),
        ("paper-ts", "dl", "method: paper-ts -> dl"),
        ("dl", "paper-ts", "method: dl -> paper-ts"),
        ("dl", dl.DL(kicks=1), r"differs:\n  option kicks: 25.0 -> 1$"),
        ("dl", "nonsense", "method must be one of"),
        ("paper-ts", 5, "method must be one of"),
    ],
    indirect=["method"],
)
def test_other_settings_than_the_search_began_with_are_refused(
    saved, tiny_mixed, other, named
):
    """They would not be those of the numbers in the file."""
    with pytest.raises(dl.InputError, match=named):
        dl.Optimizer.load(saved, tiny_mixed, method=other)


def test_the_same_method_may_be_named(saved, tiny_mixed, method):
    """It changes nothing."""
    named = dl.Optimizer.load(saved, tiny_mixed, method=method)
    assert_same_search(named, dl.Optimizer.load(saved, tiny_mixed))


class Metal(enum.Enum):
    """Values that JSON has no word for."""

    COPPER = 1
    GOLD = 2


@pytest.mark.parametrize(
    "values",
    [list(Metal), [None, 0.5], [(1, 2), (3, 4)], [frozenset([1]), b"x"], [1, "1"]],
    ids=repr,
)
def test_a_space_of_any_values_can_be_saved(tmp_path, values):
    """Whatever is hashable may be chosen from, so it must be possible to save it."""
    problem = dl.Problem(dl.Categorical(values), lambda x: (1, 2), ["a", "b"])
    optimizer = dl.Optimizer(problem)
    asked = optimizer.ask(4)
    optimizer.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    assert [c.x for c in loaded.pending] == [c.x for c in asked]
    other = dl.Problem(dl.Categorical([*values, "more"]), nobody, ["a", "b"])
    with pytest.raises(dl.InputError, match="space: values added 'more'"):
        dl.Optimizer.load(tmp_path / "state.npz", other)
