"""What differs from what a study was begun with is said in a line each."""

import pytest

import divlearn as dl
from divlearn.problems import differences as problems
from divlearn.spaces.differences import differences as of_spaces
from divlearn.spaces.differences import in_words
from divlearn.study.differences import ChangedStudy, differences, plain
from divlearn.study.study import Study


def composite(**parts):
    """What a file says of a composite."""
    return plain(dl.Composite(**parts).describe())


def conditional(high, **when):
    """What a file says of a composite with a part that is there only sometimes."""
    return composite(**PARENTS, cache=dl.If(then=dl.Integer(1, high), **when))


PARENTS = {"kind": dl.Categorical(["cpu", "gpu", "npu"]), "n": dl.Integer(1, 9)}
INNER = {"n": dl.Integer(1, 2), "m": dl.Integer(1, 2)}

SPACES = [
    (
        composite(blades=dl.Integer(3, 9)),
        composite(blades=dl.Integer(3, 12)),
        ["blades: integer 3..9 -> 3..12"],
    ),
    (
        composite(blades=dl.Integer(3, 9)),
        composite(blades=dl.Integer(3, 12, n=2)),
        ["blades: integer 3..9 -> 3..12, n 1 -> 2"],
    ),
    (
        composite(metal=dl.Categorical(["tin", "zinc"])),
        composite(metal=dl.Categorical(["zinc", "steel"])),
        ["metal: values added 'steel', removed 'tin'"],
    ),
    (
        composite(metal=dl.Categorical(["tin", "zinc"])),
        composite(metal=dl.Categorical(["zinc", "tin"])),
        ["metal: values in another order"],
    ),
    (
        composite(a=dl.Integer(0, 1), b=dl.Integer(0, 1)),
        composite(b=dl.Integer(0, 1), a=dl.Integer(0, 1)),
        ["knobs in another order: b, a"],
    ),
    (
        composite(a=dl.Composite(**INNER), noise=dl.Integer(0, 1)),
        composite(a=dl.Composite(n=dl.Integer(1, 3)), angle=dl.Subset(5, 2)),
        [
            "a.n: integer 1..2 -> 1..3",
            "a.m: knob dropped",
            "noise: knob dropped",
            "angle: new knob, subset, n 5, min 2, max 2",
        ],
    ),
    (
        composite(w=dl.Integer(1, 8)),
        composite(w=dl.Ordinal([1, 2, 4])),
        ["w: integer 1..8 -> ordinal 1, 2, 4"],
    ),
    (
        dl.Permutation(5).describe(),
        dl.Permutation(7).describe(),
        ["space: permutation, n 5 -> 7"],
    ),
    (
        {"space": "own", "before": [[0, 1]], "open": False},
        {"space": "own", "before": [[0, 1], [2, 3]], "fixed": {"4": 1}},
        ["space: own, before added [2, 3], fixed added 4: 1"],
    ),
    (
        {"space": "own", "of": composite(w=dl.Integer(1, 8))},
        {"space": "own", "of": composite(w=dl.Integer(1, 9))},
        ["space.w: integer 1..8 -> 1..9"],
    ),
    (
        conditional(4, kind="cpu"),
        conditional(8, kind=("cpu", "gpu"), n={"max": 3}),
        [
            "cache: if kind is 'cpu' -> if kind is 'cpu' or 'gpu' and n is 1..3",
            "cache: integer 1..4 -> 1..8",
        ],
    ),
    (
        composite(**PARENTS, cache=dl.Integer(1, 4)),
        conditional(4, kind="cpu"),
        ["cache: always -> if kind is 'cpu'"],
    ),
    (
        composite(**PARENTS),
        conditional(4, kind="cpu"),
        ["cache: new knob, integer 1..4, if kind is 'cpu'"],
    ),
    (
        composite(order=dl.Permutation(4, before=[(0, 1)])),
        composite(order=dl.Permutation(4, before=[(0, 1), (2, 1)], fixed={0: 3})),
        ["order: permutation, before added [2, 1], fixed added [0, 3]"],
    ),
    (
        composite(a=dl.Real(0.1, 0.9), b=dl.Integer(1, 9)),
        composite(a=dl.Real(0.1, 2.0, log=True), b=dl.Real(1, 9, step=0.5)),
        [
            "a: real 0.1..0.9 -> 0.1..2.0, log false -> true",
            "b: integer 1..9 -> real 1.0..9.0, step 0.5",
        ],
    ),
    ("nonsense", [1], ["space: 'nonsense' -> [1]"]),
    ({"space": "own"}, {"space": "own", "closed": False, "rows": []}, []),
]


@pytest.mark.parametrize(("old", "new", "lines"), SPACES)
def test_spaces_that_differ_are_told_by_knob(old, new, lines):
    """Ranges, values, arguments, knobs that came or went, nested or not."""
    assert of_spaces(old, new) == lines
    assert of_spaces(old, old) == of_spaces(new, new) == []


def test_a_long_list_of_values_is_cut():
    """With the number of all."""
    words = in_words(dl.Ordinal(range(20)).describe())
    assert words == "ordinal 0, 1, 2, 3, 4, 5, 6, 7, ... (20 in all)"


def nobody(x):
    """Nobody is asked."""
    raise AssertionError


def problem(high=9, objectives=("cost", "mass"), constraints=(), **more):
    """A problem with one knob."""
    space = dl.Composite(blades=dl.Integer(3, high))
    return dl.Problem(space, nobody, objectives, constraints=constraints, **more)


def test_problems_that_differ_are_told_by_name():
    """Senses, objectives, constraints and limits."""
    old = plain(problem(constraints=["heat"]).describe())
    new = {"mass": "max", "noise": "min"}
    other = plain(problem(12, new, ["heat", "area_max"]).describe())
    limited = other | {"limits": {"heat": 3.0, "area_max": 40.0}}
    assert problems.differences(old | {"limits": {"heat": 2.0}}, limited) == [
        "blades: integer 3..9 -> 3..12",
        "cost: objective dropped",
        "mass: minimize -> maximize",
        "noise: new objective, minimize",
        "heat: limit 2.0 -> 3.0",
        "area_max: new constraint, limit 40.0",
    ]
    assert problems.differences(old, old) == []
    swapped = plain(problem(objectives=["mass", "cost"]).describe())
    assert problems.differences(old, swapped) == [
        "objectives in another order: mass, cost",
        "heat: constraint dropped",
    ]


def test_noise_and_data_of_an_instance_are_told_apart():
    """A digest says nothing to anybody."""
    old, new = {"instance": "ab with noise 0.1 of seed 2"}, {"instance": "ab"}
    assert problems.differences(old, new) == ["noise: 0.1 of seed 2 -> none"]
    assert "data" in problems.differences(new, {"instance": "cd"})[0]


def test_everything_that_differs_is_told_at_once(tmp_path):
    """Problem, reference, method, seed and order; then how to carry on."""
    path = tmp_path / "pump.db"
    Study(problem(reference=[1, 2]), path, seed=1).close()
    with pytest.raises(ChangedStudy) as refused:
        Study(problem(12), path, method="random", seed=2, lag=3, ordered=False)
    lines = [
        "blades: integer 3..9 -> 3..12",
        "reference: [1.0, 2.0] -> none",
        "method: dl -> random",
        "seed: 1 -> 2",
        "lag: 8 -> 3",
        "ordered: true -> false",
    ]
    assert refused.value.differences == lines
    message = str(refused.value)
    assert "\n".join(f"  {line}" for line in lines) in message
    assert f"fork({str(path)!r}, {str(tmp_path / 'pump-2.db')!r}, problem)" in message


@pytest.mark.parametrize(
    ("begun", "given", "lines"),
    [
        ("dl", dl.DL(window=5, kicks=3.0), ["kicks: 25.0 -> 3.0", "window: none -> 5"]),
        (dl.DL(window=5), "dl", ["window: 5 -> none"]),
        (dl.DL(), "dl", []),
        (
            "paper-ts",
            dl.DivideAndLearn(sweeps=3),
            [
                "mixture.experts: added",
                "learning.temperature_decay: 0.995 -> 0.98",
                "sweeps: 1 -> 3",
            ],
        ),
    ],
)
def test_options_of_a_method_are_told_one_by_one(tmp_path, begun, given, lines):
    """With the names by which they are set."""
    Study(problem(), tmp_path / "a.db", method=begun).close()
    with dl.study.StudyReader(tmp_path / "a.db") as reader:
        found = differences(reader.notes, problem(), given)
    assert len(found) == len(lines)
    assert all(
        f.startswith(f"option {line}") for f, line in zip(found, lines, strict=True)
    )
