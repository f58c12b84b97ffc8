"""State files that somebody altered on purpose: refused before a kernel sees them."""

import io
import json

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.arrays import pack_described
from divlearn.kernels.records import saved_arrays
from divlearn.methods.dl.kernels.arms.bandit import ARMS
from divlearn.optimizer.checkpoint import differences, experts
from divlearn.optimizer.checkpoint.file import pack
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import Noisy
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.study.conftest import SPACES, tiny


def searched(problem, method, told, budget=None):
    """The content of a state file, with candidates under way."""
    optimizer = dl.Optimizer(problem, method, seed=2, budget=budget)
    ask_and_tell(optimizer, told)
    optimizer.ask(2)
    return problem, pack(optimizer)


_KINDS = {
    "tour": lambda: searched(dl.problems.get("bitsp-8"), "dl", 60, 5000),
    "subset": lambda: searched(tiny("subset"), "dl", 60, 5000),
    "small": lambda: searched(tiny("integer"), "dl", 25, 60),
    "pairs": lambda: searched(dl.problems.get("qap-8"), "dl", 130, 300),
    "noisy": lambda: searched(Noisy(dl.problems.get("bitsp-8")), "dl", 60, 5000),
    "experts": lambda: searched(dl.problems.get("bitsp-8"), "paper-ts", 60, 2000),
    "traced": lambda: searched(
        dl.problems.get("bitsp-8"), dl.DivideAndLearn(trace=True), 200, 2000
    ),
    "nsga2": lambda: searched(tiny("subset"), "nsga2", 30),
}
_MADE = {}


@pytest.fixture
def altered(tmp_path):
    """Load a state file in which some arrays and words are others."""

    def load(kind, change=lambda arrays: None, **about):
        if kind not in _MADE:
            _MADE[kind] = _KINDS[kind]()
        problem, content = _MADE[kind]
        with np.load(io.BytesIO(content)) as file:
            arrays = {name: file[name] for name in file.files}
        change(arrays)
        words = json.dumps(json.loads(str(arrays.pop("about"))) | about)
        (tmp_path / "state.npz").write_bytes(pack_described(arrays, words))
        return dl.Optimizer.load(tmp_path / "state.npz", problem)

    return load


def put(name, value, at=0):
    """A change that writes a value; a name after a colon is that of a field."""
    array, _, field = name.partition(":")

    def change(arrays):
        part = arrays[array][field] if field else arrays[array]
        part.reshape(-1)[at] = value

    return change


# --- every number has a rule


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
def test_every_array_and_field_of_a_state_has_a_rule(method):
    """Whoever adds one says what it may be; a file could not be loaded else."""
    table = differences.TABLE if method == "dl" else experts.TABLE
    state = state_of(dl.Optimizer(tiny("composite"), method))
    arrays = saved_arrays(state)
    assert set(arrays) == set(table)
    for name, array in arrays.items():
        rule = table[name]
        if isinstance(rule, dict):
            assert set(array.dtype.names) == set(rule)


INDICES = [
    ("tour", "control:archive_size", 257, "from 0 to 256"),
    ("tour", "control:archive_size", -1, "from 0 to 256"),
    ("tour", "control:proposed", -(2**62), "control.proposed must"),
    ("tour", "control:num_seen", 0, "number of seen"),
    ("tour", "control:num_seen", 2**40, "number of seen"),
    ("tour", "control:first", 1, "problem and the settings"),
    ("tour", "control:kicks", 1e300, "problem and the settings"),
    ("tour", "layout.places:offset", 10**6, "problem and the settings"),
    ("tour", "layout.segments:kind", 3, "problem and the settings"),
    ("tour", "archive.order", -1, "archive.order must"),
    ("tour", "archive.order", 300, "list every slot once"),
    ("tour", "archive.solutions", 8, "code that its position does not have"),
    ("tour", "archive.outputs", np.nan, None),
    ("tour", "open", -1, "open must be from 0"),
    ("tour", "near", 8, "near must be from -1 to 7"),
    ("tour", "tables.chosen", 4, "tables.chosen must be from 0 to 3"),
    ("tour", "tables.variance", -1.0, "tables.variance must"),
    ("tour", "ring.parents", -1, "ring.parents must"),
    ("tour", "ring.children", 8, "ring.children has a code"),
    ("tour", "parents.serials", 10**6, "numbers of parents"),
    ("tour", "parents.solutions", 9, "parents.solutions has a code"),
    ("tour", "weights", np.inf, "weights must be finite"),
    ("tour", "pending.codes", 8, "pending.codes has a code"),
    ("tour", "pending.codes", -1, "pending.codes has a code"),
    ("tour", "pending.tickets", len(ARMS), "must name an arm"),
    ("tour", "pending.ids", 62, "must be different, below 62"),
    ("tour", "pending.ids", 61, "must be different"),
    ("subset", "values.pairs.feature", 999, "problem and the settings"),
    ("subset", "values.outputs:seen", -1.0, "values.outputs.seen must"),
    ("subset", "plan.control:points", 10**6, "plan.control.points must"),
    ("subset", "plan.control:level", 9, "plan.control.level must"),
    ("subset", "plan.archive.order", 5, "list every slot once"),
    ("small", "gp.control:num_pending", 65, "num_pending must"),
    ("small", "gp.control:num_rows", 9999, "num_rows must"),
    ("small", "gp.outputs:num_pairs", 41, "num_pairs must be from 0 to 40"),
    ("small", "gp.pairs", 99, "gp.pairs must"),
    ("small", "gp.points", -1, "gp.points must"),
    ("small", "gp.pending", 99, "gp.pending has a code"),
    ("pairs", "pairing.record:stored", 10**4, "stored must"),
    ("pairs", "pairing.record:phase", 4, "phase must"),
    ("pairs", "pairing.solutions", 2**63, "pairing.solutions must"),
    ("pairs", "pairing.inverses", 8, "pairing.inverses has a code"),
    ("pairs", "pairing.parents", 0, "pairing.parents must be earlier ones"),
    ("pairs", "pairing.worths", -1.0, "pairing.worths must"),
    ("noisy", "repeats.contenders:serial", 3, "contenders must be numbered"),
    ("noisy", "repeats.counts", -1, "repeats.counts must"),
    ("experts", "control:weight", 99, "control.weight must be from 0"),
    ("experts", "control:iteration", 0, "control.iteration must be from 1"),
    ("experts", "control:stride", 0, "control.stride must be from 1"),
    ("experts", "control:num_windows", 99, "num_windows must cover"),
    ("experts", "control:subproblem", 99, "control.subproblem must"),
    ("experts", "control:centre", 8, "control.centre must be from 0 to 7"),
    ("experts", "control:radius", 1e18, "control.radius must be from 1 to 3"),
    ("experts", "control:radius", np.nan, "control.radius must be finite"),
    ("experts", "neighbours", 8, "neighbours must be from 0 to 7"),
    ("experts", "known", 3, "known must be from 0 to 2"),
    ("experts", "incumbents", 8, "incumbents has a code"),
    ("experts", "actions:visits", -1.0, "actions.visits must"),
    ("experts", "pending.tickets", 5, "must name a kind and a weight"),
    ("experts", "trace.words", 0, None),
    ("experts", "control:traced", 1, "control.traced must be from 0 to 0"),
    ("traced", "control:traced", 2000, "control.traced must be from 0 to 1024"),
    ("traced", "trace.rows", 99.0, "must name weights"),
    ("traced", "trace.rows", np.nan, "must count iterations"),
    ("traced", "trace.rows", -1.0, "must count iterations"),
    ("traced", "trace.choices", -1, "trace.choices must"),
    ("nsga2", "events", 3, "of a known kind"),
    ("nsga2", "codes", 2, "codes has a code"),
    ("nsga2", "outputs", np.inf, "outputs must be finite"),
    ("nsga2", "pending.tickets", 1, "candidates that were proposed"),
]


@pytest.mark.parametrize(("kind", "name", "value", "words"), INDICES)
def test_a_number_that_leads_out_of_an_array_is_refused(
    altered, kind, name, value, words
):
    """The message names the file, the array, and what it may hold."""
    if words is None:  # what nobody uses may be anything
        change = put(name, value, at=-1)
        altered(kind, change).ask(5)
        return
    with pytest.raises(dl.InputError, match=words) as caught:
        altered(kind, put(name, value))
    assert "state.npz" in str(caught.value)


def test_random_numbers_that_stand_still_are_refused(altered):
    """All zero they would draw zero for ever, and some loops wait for another."""
    for kind, name in (("tour", "rng"), ("experts", "words")):
        with pytest.raises(dl.InputError, match=f"{name} must not be all zero"):
            altered(kind, lambda arrays, name=name: arrays[name].fill(0))


def test_an_order_that_is_none_is_refused(altered):
    """An item twice, in the archive and under way."""

    def twice(name, row):
        def change(arrays):
            arrays[name][row, 0] = arrays[name][row, 1]

        return change

    with np.load(io.BytesIO(_made("tour"))) as file:
        member = file["archive.order"][0]
    for name, row in (("archive.solutions", member), ("pending.codes", 0)):
        with pytest.raises(dl.InputError, match=f"{name} has a row that is no sol"):
            altered("tour", twice(name, row))


def _made(kind):
    """The content of a good file."""
    if kind not in _MADE:
        _MADE[kind] = _KINDS[kind]()
    return _MADE[kind][1]


# --- what a search wrote itself is always let in


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("method", ["dl", "paper-ts"])
@pytest.mark.parametrize("space", SPACES)
def test_a_state_of_any_space_at_any_moment_is_let_in(tmp_path, space, method, noise):
    """Rules that are too narrow would lose what was found."""
    problem = tiny(space, noise=noise)
    optimizer = dl.Optimizer(problem, method, seed=4, budget=5000)
    for count in (1, 9, 50, 140):
        ask_and_tell(optimizer, count)
        optimizer.ask()
        optimizer.save(tmp_path / "state.npz")
        loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
        assert differing_arrays(loaded, optimizer) == []


# --- shapes and types


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("tour", "layout.places"),
        ("tour", "control"),
        ("tour", "archive.keys"),
        ("tour", "parents.serials"),
        ("tour", "seen"),
        ("experts", "incumbents"),
        ("experts", "weights"),
        ("experts", "words"),
        ("nsga2", "codes"),
    ],
)
def test_an_array_of_another_length_is_refused(altered, kind, name):
    """One row less, as long again, or an axis more."""
    changes = (
        lambda a: a[:-1],
        lambda a: np.concatenate([a, a[:1]]),
        lambda a: a[None],
        lambda a: a[:0],
    )
    for change in changes:

        def alter(arrays, change=change):
            arrays[name] = change(arrays[name])

        with pytest.raises(dl.InputError, match=f"{name} has the shape|events must be"):
            altered(kind, alter)


def test_an_array_in_the_order_of_columns_is_refused(altered):
    """Kernels would read it as rows."""

    def turn(arrays):
        arrays["archive.solutions"] = np.asfortranarray(arrays["archive.solutions"])

    with pytest.raises(dl.InputError, match="not a plain array"):
        altered("tour", turn)


def test_arrays_that_are_missing_or_too_many_are_of_another_version(altered):
    """Nothing is read from such a file."""
    for change in (lambda a: a.pop("near"), lambda a: a.update(more=np.zeros(1))):
        with pytest.raises(dl.InputError, match="other arrays or settings than this"):
            altered("tour", change)


# --- descriptions


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"history": {}}, "history"),
        ({"history": [1]}, "history"),
        ({"seed": "1"}, "seed"),
        ({"seed": 10**30}, "seed"),
        ({"next_id": -1}, "next_id"),
        ({"num_failed": None}, "num_failed"),
        ({"seconds": float("nan")}, "seconds"),
        ({"budget": 1.5}, "budget"),
        ({"name": ["x"]}, "name"),
        ({"problem": {}}, "another problem"),
        ({"problem": 5}, "problem"),
        ({"settings": None}, "settings"),
        ({"settings": {}}, "settings that|settings leave"),
        ({"settings": {"method": "nonsense"}}, "none that is known by name"),
        ({"settings": {"method": ["x"]}}, "damaged"),
        ({"settings": {"method": "pmoco", "model": "/dev/zero"}}, "in one go"),
        ({"settings": {"method": "nsga2", "population": 10**12}}, "ask for popul"),
    ],
)
def test_a_description_with_something_else_in_it_is_refused(altered, about, words):
    """Never by the name of a missing key alone."""
    with pytest.raises(dl.InputError, match=words):
        altered("tour", **about)


@pytest.mark.parametrize(
    "setting",
    [
        {"memory": 10**12},
        {"gp_candidates": 10**12},
        {"pairing_samples": 10**9},
        {"replays": 10**15},
        {"kicks": 1e300},
        {"exploring_moves": 10**15},
        {"refinement": {"max_radius": 1e15}},
    ],
    ids=repr,
)
def test_settings_in_a_file_cannot_ask_for_all_memory_or_time(altered, setting):
    """They may ask for what the file holds, and for a usual number of steps."""
    about = json.loads(str(np.load(io.BytesIO(_made("tour")))["about"]))
    settings = about["settings"] | setting
    with pytest.raises(dl.InputError, match="its settings ask for"):
        altered("tour", settings=settings)


def test_a_budget_in_a_file_cannot_ask_for_all_memory(tmp_path):
    """Where the settings are a user's own, which are filled in for a budget."""
    problem, content = searched(tiny("permutation"), "paper-ts", 5, 100)
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(str(arrays.pop("about"))) | {"budget": 10**17}
    (tmp_path / "state.npz").write_bytes(pack_described(arrays, json.dumps(about)))
    with pytest.raises(dl.InputError, match="its budget is too large"):
        dl.Optimizer.load(tmp_path / "state.npz", problem, method="paper-ts")


@pytest.mark.parametrize("depth", [90, 900, 100_000])
def test_a_description_nested_without_end_is_refused(altered, tmp_path, depth):
    """No error of Python's own about its stack."""
    problem, content = _MADE.setdefault("tour", _KINDS["tour"]())
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    text = str(arrays["about"]).replace('"space"', '"other"', 1)
    nested = '{"space": ' + "[" * depth + "]" * depth + ", "
    text = text.replace('"problem": {', '"problem": ' + nested, 1)
    np.savez(tmp_path / "state.npz", **arrays | {"about": np.array(text)})
    with pytest.raises(dl.InputError, match=r"another problem|damaged"):
        dl.Optimizer.load(tmp_path / "state.npz", problem)


def test_a_long_description_is_not_quoted_in_full(altered):
    """A message fits a screen."""
    with pytest.raises(dl.InputError, match="another problem") as caught:
        altered("tour", name="x" * 10**6, problem={"space": ["y" * 10**6] * 5})
    assert len(str(caught.value)) < 3000


# --- checksums


def test_a_state_that_was_changed_without_its_checksums_is_refused(altered, tmp_path):
    """What rules cannot see: other random numbers, another seed."""
    altered("tour")
    path, problem = tmp_path / "state.npz", _MADE["tour"][0]
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(path, **arrays | {"rng": arrays["rng"] + np.uint64(1)})
    with pytest.raises(dl.InputError, match="rng was changed after it was written"):
        dl.Optimizer.load(path, problem)
    about = json.loads(str(arrays["about"])) | {"seed": 9}
    np.savez(path, **arrays | {"about": np.array(json.dumps(about))})
    with pytest.raises(dl.InputError, match="description was changed after it was"):
        dl.Optimizer.load(path, problem)


def test_a_state_of_the_first_version_is_read_without_checksums(altered, tmp_path):
    """They came later."""
    altered("tour")
    path, problem = tmp_path / "state.npz", _MADE["tour"][0]
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(str(arrays["about"]))
    del about["digests"], about["seal"]
    np.savez(path, **arrays | {"about": np.array(json.dumps(about))})
    assert dl.Optimizer.load(path, problem).evaluations == 60


# --- baselines


def test_events_that_cannot_have_been_are_refused(altered):
    """Told twice, told before asked for, a billion candidates proposed at once."""

    def first_of(kind, number):
        def change(arrays):
            events = arrays["events"]
            events[np.flatnonzero(events[:, 0] == kind)[0], 1] = number

        return change

    for number in (0, 10**9):
        with pytest.raises(dl.InputError, match="events must propose"):
            altered("nsga2", first_of(0, number))
    for number in (5, -2, 99):
        with pytest.raises(dl.InputError, match="events must tell"):
            altered("nsga2", first_of(1, number))


def test_many_candidates_under_way_are_no_reason_to_refuse(tmp_path):
    """A baseline may be asked for as many as one likes."""
    problem = tiny("permutation")
    optimizer = dl.Optimizer(problem, "random")
    optimizer.ask(20_000)
    optimizer.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    assert len(loaded.pending) == 20_000
