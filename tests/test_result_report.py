import numpy as np

from divlearn import Result


def result_with(**changes):
    """Make two solutions of a small problem."""
    fields = {
        "X": ["a", "b"],
        "F": [[1, 50], [3, 20]],
        "objectives": {"cost": "min", "mean quality": "max"},
        "problem": "jobs",
        "evaluations": 12_000,
        "seconds": 75.2,
        "method": "paper-ts",
        "seed": 7,
        "stopped": "all 12,000 evaluations made",
    }
    return Result(**{**fields, **changes})


def test_summary_says_what_was_found_and_what_it_cost():
    """A newcomer reads size, cost, reason, and the best of each objective."""
    lines = result_with().summary().splitlines()
    assert lines[0] == "jobs: 2 solutions on the front"
    assert lines[1] == "  12,000 evaluations in 1 min 15 s (paper-ts, seed 7)"
    assert lines[2] == "  stopped: all 12,000 evaluations made"
    assert lines[5].split() == ["cost", "min", "1", "3"]
    assert lines[6].split() == ["mean", "quality", "max", "50", "20"]
    assert "hypervolume" not in result_with().summary()


def test_summary_gives_the_hypervolume_where_there_is_a_reference():
    """Raw with a reference alone, a share of 1 with an ideal point."""
    raw = result_with(reference=(5, 0)).summary()
    assert "hypervolume: 200 above the reference point (5, 0)" in raw
    ratio = result_with(reference=(5, 0), ideal=(0, 100)).summary()
    assert "hypervolume: 0.4 of 1 between (5, 0) and (0, 100)" in ratio


def test_summary_of_an_empty_front_says_so():
    """And says what feasible means, where there are constraints."""
    text = result_with(X=[], F=[], constraints=("load",)).summary()
    assert text.startswith("jobs: no feasible solution found")
    assert "every constraint value is <= 0 (load)" in text


def test_summary_of_a_bare_result_works():
    """Fields that are not known are left out."""
    text = Result(["a"], [[1]], objectives=["cost"]).summary()
    assert text.startswith("result: 1 solution on the front\n  0 evaluations in 0 s\n")


def test_times_are_written_as_people_say_them():
    """Hours without seconds, seconds with three digits."""
    texts = [
        result_with(seconds=s).summary().splitlines()[1] for s in (0.1234, 59.96, 7384)
    ]
    assert "in 0.123 s" in texts[0]
    assert "in 60 s" in texts[1]
    assert "in 2 h 3 min" in texts[2]


def test_explain_describes_method_settings_and_what_was_learned():
    """In plain words, a line per group; what is not set is left out."""
    text = result_with(
        settings={
            "keep_better": False,
            "coordination": None,
            "mixture": {"experts": [{"expert": "ucb", "scale": 1.5}], "shares": []},
        },
        learned={
            "evaluations_by_kind": {"refined": 11_000},
            "accepted refinements": 0.123456,
            "undecided positions": list(range(20)),
            "prices": np.array([0.5, 1.0]),
        },
    ).explain()
    assert text.splitlines() == [
        "jobs: 2 solutions from 12,000 evaluations",
        "",
        "How the front was found",
        "  method: paper-ts (Divide and Learn with better moves: Thompson sampling,",
        "    EXP3), seed 7",
        "  refined: 11,000 evaluations",
        "  accepted refinements: 0.1235",
        "  undecided positions: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... (20 in all)",
        "  prices: 0.5, 1",
        "",
        "Settings",
        "  keep better no",
        "  mixture: experts (expert ucb, scale 1.5), shares none",
    ]


def test_explain_of_a_bare_result_says_that_nothing_is_known():
    """A front that was put together by hand has no method."""
    text = Result(["a"], [[1]], objectives=["cost"]).explain()
    assert text.splitlines() == [
        "result: 1 solution from 0 evaluations",
        "",
        "How the front was found",
        "  method: unknown",
        "",
        "What was learned",
        "  nothing was recorded",
    ]
