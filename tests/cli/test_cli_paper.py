import sqlite3
from contextlib import closing
from pathlib import Path

TINY = ("--short", "--instances", 2, "--quiet")


def content(folder):
    """All files that must not depend on the machine."""
    names = {path for path in Path(folder).rglob("*") if path.is_file()}
    kept = [p for p in names if "bench.db" not in p.name and p.name != "times.md"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


def test_a_study_runs_at_one_command_and_a_broken_one_ends_with_the_same_report(
    divlearn,
):
    """Half of the runs are taken away, as if the first sitting had been killed."""
    first = divlearn("bench", "paper-exp3", *TINY)
    assert first.code == 0, first.err
    assert "exp3, line 1455: 80 % of EXP3 is worse than 50 %." in first.out
    folder = "runs/bench-paper-short"
    written = content(folder)
    assert {"report.md", "report.html", "claims.csv"} <= set(written)
    assert {"exp3/rewards.csv", "exp3/exp3.png"} <= set(written)
    with closing(sqlite3.connect(f"{folder}/bench.db")) as connection:
        connection.execute("DELETE FROM runs WHERE rowid % 2")
        connection.execute("DELETE FROM measures WHERE rowid % 3")
        connection.commit()
    again = divlearn("bench", "paper-exp3", *TINY, "--json")
    assert (again.json["made"], again.json["from_store"]) == (11, 11)
    assert len(again.json["claims"]) == 8
    assert content(folder) == written


def test_options_that_would_make_another_study_of_it_are_refused(divlearn):
    """And so is the short form of what has none."""
    for option in (("--budget", 10), ("--methods", "dl"), ("--problems", "bitsp-8")):
        refused = divlearn("bench", "paper-exp3", *option)
        assert refused.code == 2
        assert "--instances" in refused.err
    refused = divlearn("bench", "smoke", "--short")
    assert refused.code == 2
    assert "--short is for the paper's studies" in refused.err


def test_the_list_of_suites_names_the_studies(divlearn):
    """With what each of them is about."""
    out = divlearn("bench", "--list").out
    assert "paper-exp3" in out
    assert "all of the paper's studies" in out
