import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.paper import studies
from divlearn.lab.paper.claims import Claim, judge, said
from divlearn.lab.paper.panels import bars, new_panels
from divlearn.lab.paper.study import Figure, Findings, Study, Table

METHODS = ("paper-ts", "random")
#: Runs of the tiny study.
RUNS = 8


def tiny_suites(short):
    """Two methods on four instances of an instant."""
    methods = tuple(map(Contender, METHODS))
    instances = tuple(range(4 if short else 9))
    problems = (Case("bitsp-8"),)
    return (Suite("tiny", "", problems, methods, budget=60, instances=instances),)


def tiny_findings(evidence):
    """A table, a figure, a claim, and times apart."""
    groups = [evidence.units("bitsp-8", name, "hypervolume") for name in METHODS]
    seconds = [evidence.units("bitsp-8", name, "cpu_seconds") for name in METHODS]
    apart = evidence.differences("bitsp-8", METHODS, "hypervolume")

    def draw():
        figure, (axes,) = new_panels(1, 1)
        bars(axes, METHODS, groups, [0, 1])
        return figure

    rule = "By the paired difference."
    verdict = judge(apart, above=0.0)
    return Findings(
        [Table("hv", "HV", [{"method": m} for m in METHODS])],
        [Figure("hv", "Hypervolume.", draw)],
        [Claim(7, "Experts beat chance.", "yes", said(apart), verdict, rule)],
        timed_tables=[Table("times-hv", "Time", [{"s": float(seconds[0].mean())}])],
    )


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """The only study there is takes an instant."""
    study = Study("tiny", "A tiny study", 7, tiny_findings, tiny_suites)
    monkeypatch.setattr(studies, "all_studies", lambda: {"tiny": study})


def content(folder):
    """All files that must not depend on the machine."""
    names = {path for path in Path(folder).rglob("*") if path.is_file()}
    kept = [p for p in names if "bench.db" not in p.name and "times" not in p.name]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


def test_a_study_runs_at_one_command_and_a_broken_one_ends_with_the_same_report(
    divlearn,
):
    """Half of the runs are taken away, as if the first sitting had been killed."""
    first = divlearn("bench", "paper", "--short", "--quiet", "--workers", 1)
    assert first.code == 0, first.err
    assert "tiny, line 7: Experts beat chance." in first.out
    assert "Of 1 claims," in first.out
    folder = "runs/bench-paper-short"
    written = content(folder)
    assert set(written) == {
        *("report.md", "report.html", "claims.csv"),
        *("tiny/hv.csv", "tiny/hv.png"),
    }
    with closing(sqlite3.connect(f"{folder}/bench.db")) as connection:
        connection.execute("DELETE FROM runs WHERE rowid % 2")
        connection.commit()
    command = ("bench", "paper-tiny", "--short", "--quiet", "--workers", 1, "--json")
    again = divlearn(*command)
    assert (again.json["made"], again.json["from_store"]) == (RUNS // 2, RUNS // 2)
    assert [claim["study"] for claim in again.json["claims"]] == ["tiny"]
    assert content(folder) == written


def test_options_that_would_make_another_study_of_it_are_refused(divlearn):
    """And so is the short form of what has none."""
    for option in (("--budget", 10), ("--methods", "dl"), ("--problems", "bitsp-8")):
        refused = divlearn("bench", "paper-tiny", *option)
        assert refused.code == 2
        assert "--instances" in refused.err
    refused = divlearn("bench", "smoke", "--short")
    assert refused.code == 2
    assert "--short is for the paper's studies" in refused.err


def test_the_list_of_suites_names_the_studies(divlearn):
    """With what each of them is about."""
    out = divlearn("bench", "--list").out
    assert "paper-tiny" in out
    assert "all of the paper's studies" in out
