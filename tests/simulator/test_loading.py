import json
import re

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.simulator import load_toml
from divlearn.spaces.plain import as_plain

FULL = """
name = "core"
noise = true

[space.width]
type = "ordinal"
values = [1, 2, 4]

[space]
order = {type = "permutation", n = 3}
units = {type = "subset", n = 4, min = 1, max = 2}
three = {type = "subset", n = 4, k = 3}
bits = {type = "binary", n = 2}
fast = {type = "binary"}
policy = {type = "categorical", values = ["lru", "fifo"], n = 2}
depth = {type = "integer", low = 2, high = 9}
size = {type = "integer", low = 1, high = 999, log = true}
volt = {type = "real", low = 0, high = 1.1}
rate = {type = "real", low = 1e-5, high = 0.1, log = true, n = 2}
angle = {type = "real", low = 0, high = 90, step = 0.5}

[objectives]
time = "min"
speed = "max"

[constraints]
area = {max = 10.0}
time = {min = 1, max = 5}

[reference]
speed = 0.0
time = 10.0

[ideal]
time = 0.0
speed = 99

[evaluate]
command = ["sh", "-c", "true"]

[run]
budget = 1_000
workers = 0
ordered = false
method = "dl"
store = "runs/core.db"
"""


def load(folder, text, *changes):
    """Read a changed text."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "core.toml"
    path.write_text(text)
    return load_toml(path)


def test_everything_that_a_file_may_say_arrives(tmp_path):
    """In the order of the file, with constraints named by metric and side."""
    problem, options = load(tmp_path, FULL)
    assert problem.space == dl.Composite(
        width=dl.Ordinal([1, 2, 4]),
        order=dl.Permutation(3),
        units=dl.Subset(4, min=1, max=2),
        three=dl.Subset(4, 3),
        bits=dl.Binary(2),
        fast=dl.Categorical([False, True]),
        policy=dl.Categorical(["lru", "fifo"], n=2),
        depth=dl.Integer(2, 9),
        size=dl.Integer(1, 999, log=True),
        volt=dl.Real(0, 1.1),
        rate=dl.Real(1e-5, 0.1, log=True, n=2),
        angle=dl.Real(0, 90, step=0.5),
    )
    assert problem.objectives == {"time": "min", "speed": "max"}
    assert problem.constraints == ("area_max", "time_min", "time_max")
    assert (problem.name, problem.noise) == ("core", True)
    assert problem.reference.tolist() == [10.0, 0.0]
    assert problem.ideal.tolist() == [0.0, 99.0]
    assert (options.budget, options.workers, options.ordered) == (1000, 0, False)
    assert options.store == tmp_path / "runs" / "core.db"
    assert options.of_study() == {"method": "dl", "ordered": False}
    assert options.of_run() == {"budget": 1000, "workers": 0}
    values = problem.metrics.read(b'{"time": 2, "speed": 3, "area": 12}', "it")
    assert list(values.values()) == [2.0, 3.0, 2.0, -1.0, -3.0, 12.0]


BASE = """
[space]
width = {type = "integer", low = 1, high = 4}
depth = {type = "integer", low = 1, high = 4}
[objectives]
time = "min"
[evaluate]
command = ["sh", "-c", "true"]
timeout = 5
[run]
budget = 10
"""


def test_structure_of_orders_and_sets_arrives(tmp_path):
    """Pairs and groups are lists, and positions the keys of a table."""
    problem, _ = load(
        tmp_path,
        FULL,
        ("n = 3}", "n = 3, before = [[0, 1]], fixed = {0 = 2}}"),
        ("min = 1, max = 2}", "max = 2, forced = [0], exclusive = [[1, 2]]}"),
        ('{type = "subset", n = 4, k = 3}', '{type = "permutation", counts = [2, 1]}'),
        (
            '{type = "binary", n = 2}',
            '{type = "partition", n = 3, groups = 2, sizes = [[1, 2], 1]}',
        ),
    )
    parts = problem.space.parts
    assert parts["order"] == dl.Permutation(3, before=[(0, 1)], fixed={0: 2})
    assert parts["units"] == dl.Subset(4, max=2, forced=[0], exclusive=[[1, 2]])
    assert parts["three"] == dl.Permutation(counts=[2, 1])
    assert parts["bits"] == dl.Partition(3, 2, sizes=[(1, 2), 1])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'depth = {type = "integer"',
            'depth = {type = "float"',
            "must be 'real' for numbers with a decimal point, got 'float'",
        ),
        ("timeout", "timout", "line 9: [evaluate] has the unknown key 'timout'. Did "
         "you mean 'timeout'? Allowed are command, protocol"),
        ("[run]", "[runs]", "line 10: the file has the unknown key 'runs'. Did"),
        ("budget = 10", "bugdet = 10", "line 11: [run] has the unknown key 'bugdet'"),
        ("budget = 10", 'budget = "many"', "line 11: budget in [run] must be a whole"),
        ("timeout = 5", "timeout = 0", "line 9: timeout in [evaluate] must be a nu"),
        ("low = 1, high = 4", "lo = 1, high = 4", "line 3: [space.width] has the "
         "unknown key 'lo'. Did you mean 'low'"),
        ("low = 1, ", "", "line 3: [space.width] of type 'integer' must have the key"),
        ("low = 1", "low = 9", "line 3: Integer needs low <= high"),
        ('"integer"', '"intger"', "line 3: type in [space.width] must be one of"),
        ("type =", "typ =", "line 3: [space.width] has the unknown key 'typ'. Did you "
         "mean 'type'? Allowed are type, low, high"),
        ('"integer", low = 1, high = 4', '"permutation", n = 1000000000', "line 3: "
         "a permutation may have up to 100,000 items, got 1,000,000,000"),
        ('"integer", low = 1, high = 4', '"binary", n = 1000000000', "use fewer posi"),
        ('"integer", low = 1, high = 4', '"permutation", n = 2, before = [[0, 1], '
         "[1, 0]]", "line 3: before contradicts itself: item 1 before item 0 before"),
        ('"integer", low = 1, high = 4', '"subset", n = 1000000000', "use fewer posi"),
        ("high = 4", "high = 4, n = 1000000000", "4,000,000,000 actions over all"),
        ('type = "integer", low = 1, high = 4', "a = " + "[" * 5000 + "]" * 5000,
         "has too many tables or lists in one another"),
        ("timeout = 5", 'inherit = "PATH"', "line 9: inherit in [evaluate] must be a"),
        ('type = "integer", ', "", "type in [space.width] must be one of"),
        ("width =", '"../width" =', "line 3: '../width' in [space] is not a name"),
        ("width =", '"wid th" =', "is not a name"),
        ('time = "min"', 'time = "least"', "line 6: time in [objectives] must be"),
        ('time = "min"', '"a b" = "min"', "line 6: 'a b' in [objectives] is not"),
        ('time = "min"', 'error = "min"', "line 6: 'error' in [objectives] cannot be"),
        ('time = "min"', "", "line 5: [objectives] must name at least one"),
        ('"sh"', '"no-such-program"', "line 8: the command 'no-such-program' was not "
         "found on the PATH; write './no-such-program'"),
        ('"sh"', '"./sim"', "/sim' is not there; compile it"),
        ('"sh"', '"./core.toml"', "/core.toml' is not a program; compile it"),
        ('["sh", "-c", "true"]', '"sh -c true"', "must be a list of texts"),
        ('["sh", "-c", "true"]', "[]", "must be a list of texts"),
        ('"true"', '"{desing}"', "unknown {desing}; allowed are {here}, {python}"),
        ("timeout = 5", "environment = {A = 1}", "A in [evaluate.environment] must be"),
        ("budget = 10", 'running = "go"', "running in [run] must be one of rerun, aba"),
        ("timeout = 5", 'keep = "some"', "keep in [evaluate] must be one of failures"),
        ("timeout = 5", 'protocol = "lines"\nmetrics = "file"', "metrics must be"),
        ("[run]", "[constraints]\narea = {mx = 1}\n[run]", "has the unknown key 'mx'"),
        ("[run]", "[constraints]\narea = 3\n[run]", "must have min or max, such as"),
        ("[run]", "[constraints]\narea = {}\n[run]", "must have min or max"),
        ("[run]", "[ideal]\n[run]", "[ideal] must have time"),
        ("[run]", "[run", "is not TOML"),
        ("[run]", "[units]\nweight = 'kg'\n[run]", "line 11: units must name outputs"),
        ("[run]", "[units]\ntime = 3\n[run]", "line 11: the unit of 'time' must be"),
        ("[objectives]", "[space.mode]\ntype = 'categorical'\nvalues = [2020-01-01]\n"
         "[objectives]", "line 7: values in [space.mode] must be a list of texts"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_and_what_is_allowed(tmp_path, old, new, words):
    """A misspelt limit that is ignored costs a night."""
    with pytest.raises(InputError) as caught:
        load(tmp_path, BASE, (old, new))
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "core.toml")) or "PATH" in words


def test_a_file_that_is_not_there_is_told(tmp_path):
    """Or that is not text."""
    with pytest.raises(InputError, match="cannot be read"):
        load_toml(tmp_path / "none.toml")
    (tmp_path / "core.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        load_toml(tmp_path / "core.toml")


def test_a_missing_table_is_told(tmp_path):
    """Three of them must be there."""
    for name in ("space", "objectives", "evaluate"):
        text = re.sub(rf"\[{name}\]\n(?:[^\[].*\n)+", "", BASE)
        with pytest.raises(InputError, match=rf"\[{name}\] must be given"):
            load(tmp_path, text)


def test_every_value_of_a_space_can_be_said_in_json():
    """As numbers, texts and lists, and read back as a solution of the space."""
    space = dl.Composite(
        order=dl.Permutation(4),
        gate=dl.Categorical(["nand", 2, True][:2]),
        bits=dl.Binary(3),
        some=dl.Subset(5, 2),
        width=dl.Ordinal([8, 16], n=2),
        inner=dl.Composite(depth=dl.Integer(0, 3, n=2)),
    )
    for seed in range(5):
        x = space.sample(seed=seed)
        again = json.loads(json.dumps(as_plain(x)))
        assert np.array_equal(space.encode(again), space.encode(x))


def test_a_budget_may_be_the_schedule_of_the_method(tmp_path):
    """What ends one of the paper's methods."""
    path = tmp_path / "chip.toml"
    text = BASE.replace("budget = 10", 'budget = "schedule"')
    path.write_text(text)
    _, options = load_toml(path)
    assert options.of_run()["budget"] == "schedule"


CONDITIONAL = """
[space]
kind = {type = "categorical", values = ["cpu", "gpu", "tpu"]}
cache = {type = "ordinal", values = [16, 32], when = {kind = "cpu"}}
lanes = {type = "integer", low = 1, high = 8, when = {kind = ["gpu", "tpu"]}}
burst = {type = "binary", when = {lanes = {min = 4}}}

[objectives]
keys = "min"

[evaluate]
command = ["{python}", "-c", "import json, sys; print(json.dumps({'keys': len(json.load(sys.stdin))}))"]
"""  # noqa: E501 - a line of TOML


def test_the_program_reads_only_the_variables_that_exist(tmp_path):
    """Conditions are those of If, and the design has no other keys."""
    problem, _ = load(tmp_path, CONDITIONAL)
    assert problem.space == dl.Composite(
        kind=dl.Categorical(["cpu", "gpu", "tpu"]),
        cache=dl.If(kind="cpu", then=dl.Ordinal([16, 32])),
        lanes=dl.If(kind=("gpu", "tpu"), then=dl.Integer(1, 8)),
        burst=dl.If(lanes=range(4, 9), then=dl.Categorical([False, True])),
    )
    assert problem.evaluate({"kind": "gpu", "lanes": 2}).tolist() == [2.0]
    design = {"kind": "tpu", "lanes": 5, "burst": True}
    assert problem.evaluate(design).tolist() == [3.0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('{kind = "cpu"}', '{knd = "cpu"}', "Did you mean 'kind'"),
        ('{kind = "cpu"}', '{kind = "npu"}', "line 4: part 'cache' exists if kind"),
        ('{kind = "cpu"}', '"cpu"', "line 4: when in \\[space.cache\\] must say"),
        ('{kind = "cpu"}', "{burst = true}", "declare 'burst' first"),
    ],
)
def test_a_wrong_condition_is_told_with_its_line(tmp_path, old, new, words):
    """A misspelt variable, a value it has not, a text, one that comes later."""
    with pytest.raises(InputError, match=words):
        load(tmp_path, CONDITIONAL, (old, new))
