import csv
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from divlearn.lab.bench.store import Store

TINY = ("--instances", 2, "--budget", 100, "--problems", "bitsp-8,bikp-10")
FILES = {
    "bench.db",
    "bench.db.lock",
    "fronts.png",
    "hypervolume-evaluations.png",
    "hypervolume-seconds.png",
    "runs.csv",
    "table.csv",
    "table.md",
    "times.csv",
    "times.md",
}


def content(folder):
    """All files of a folder."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_a_suite_prints_its_table_and_leaves_all_files(divlearn):
    """The whole way, as a user goes it; and once more, which changes nothing."""
    command = ("bench", "smoke", *TINY, "--methods", "paper-ts,uniform")
    first = divlearn(*command)
    assert first.code == 0, first.err
    for text in (
        "bitsp-8 HV",
        "bikp-10 HV %",
        "CPU s",
        "W-T-L",
        "8 runs made",
        "runs/bench-smoke/table.md",
    ):
        assert text in first.out
    assert "10 of 10 runs and exact fronts" in first.err
    written = content("runs/bench-smoke")
    assert set(written) == FILES
    rows = list(csv.DictReader(written["runs.csv"].decode().splitlines()))
    assert len(rows) == 8
    again = divlearn(*command)
    assert "0 runs made, 8 taken from the store" in again.out
    assert content("runs/bench-smoke") == written
    more = divlearn(*command, "--seeds", 2, "--quiet", "--json")
    assert (more.json["made"], more.json["from_store"]) == (8, 8)
    assert more.err == ""


def test_json_holds_the_table_and_compare_the_differences(divlearn):
    """One object each, and nothing else, on standard output."""
    command = ("bench", "smoke", *TINY, "--out", "x", "--workers", 1, "--json")
    outcome = divlearn(*command)
    assert outcome.code == 0
    rows = {(row["problem"], row["method"]): row for row in outcome.json["table"]}
    means = [
        rows["bitsp-8", method]["hypervolume_mean"]
        for method in ("paper-ts", "uniform")
    ]
    assert outcome.json["files"]["table.md"] == "x/table.md"
    for where in (("--out", "x"), ("--store", "x/bench.db")):
        found = divlearn("bench", "compare", "paper-ts", "uniform", *where, "--json")
        (knapsack, tour) = found.json["comparisons"]
        assert (tour["problem"], tour["pairs"]) == ("bitsp-8", 2)
        assert tour["mean_difference"] == pytest.approx(means[0] - means[1])
        assert knapsack["measure"] == "percent"
    text = divlearn("bench", "compare", "paper-ts", "uniform", "--out", "x").out
    assert "In all paper-ts won" in text
    assert "bikp-10" in text


def test_a_failed_run_gives_code_1_and_is_repeated_only_on_request(divlearn):
    """Scripts notice, and nothing is run twice without being asked."""
    Path("mine.toml").write_text(
        'budget = 50\ninstances = 1\nproblems = ["bitsp-8"]\n'
        'methods = ["uniform", {name = "paper-ts", label = "bad", '
        "settings = {decomposition = {windows = false, neighbourhoods = 0}}}]"
    )
    outcome = divlearn("bench", "mine.toml", "--quiet")
    assert outcome.code == 1
    assert "1 run failed:" in outcome.out
    assert "bitsp-8 instance 0, bad, seed 0: InputError" in outcome.out
    again = divlearn("bench", "mine.toml", "--quiet", "--json")
    assert (again.code, again.json["made"]) == (1, 0)
    assert again.json["failures"][0]["method"] == "bad"
    retried = divlearn("bench", "mine.toml", "--quiet", "--json", "--retry-failed")
    assert (retried.code, retried.json["made"]) == (1, 1)


def test_the_suites_are_listed(divlearn):
    """With what each one is."""
    outcome = divlearn("bench", "--list")
    suites = ["smoke", "table1", "table1-all", "bitsp50-10k", "scaling", "scaling-long"]
    suites += ["ablation", "codesign", "engineering"]
    for name in suites:
        assert re.search(rf"^{name} +\w", outcome.out, re.MULTILINE)
    names = [entry["name"] for entry in divlearn("bench", "--list", "--json").json]
    assert names[: len(suites)] == suites
    assert all(name.startswith("paper") for name in names[len(suites) :])


@pytest.mark.parametrize(
    ("request_text", "words"),
    [
        ("", ["SUITE", "--list"]),
        ("tabel1", ["tabel1", "Did you mean 'table1'?"]),
        ("smoke table1", ["one name", "smoke table1"]),
        ("smoke --methods paper-tz", ["paper-tz", "Did you mean 'paper-ts'?"]),
        ("smoke --methods ,", ["--methods", "commas"]),
        ("smoke --problems bitps-20", ["bitps-20", "Did you mean bitsp-N?"]),
        ("smoke --instances 0", ["--instances", "'0'"]),
        ("smoke --first-instance -1", ["--first-instance", "'-1'"]),
        ("smoke --seeds none", ["--seeds", "'none'"]),
        ("smoke --budget 0", ["--budget", "'0'"]),
        ("smoke --seconds soon", ["--seconds", "'soon'"]),
        ("smoke --budget 5 --seconds 5", ["--budget", "--seconds", "leave one out"]),
        ("smoke --workers 0", ["--workers", "'0'"]),
        ("gone.toml", ["gone.toml"]),
        ("wrong.toml", ["wrong.toml", "'bugdet'", "Did you mean 'budget'?"]),
        ("smoke --out wrong.toml", ["--out must be a directory", "wrong.toml"]),
        ("smoke --store wrong.toml", ["wrong.toml", "not a store"]),
        ("compare paper-ts", ["two methods"]),
        ("compare paper-ts uniform", ["--store FILE or --out DIR"]),
        ("compare paper-ts uniform --out gone", ["gone/bench.db", "does not exist"]),
        ("compare a b --out gone --budget 3", ["--budget", "compare"]),
    ],
)
def test_a_wrong_request_gives_one_clear_message_and_code_2(
    divlearn, request_text, words
):
    """Each message names the argument and what came, and nothing is run."""
    Path("wrong.toml").write_text('bugdet = 5\nproblems = ["bitsp-20"]')
    outcome = divlearn("bench", *request_text.split())
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert all(word in outcome.err for word in words), outcome.err
    assert Path("wrong.toml").read_text().startswith("bugdet")


def test_a_store_in_use_is_refused(divlearn, tmp_path):
    """Two benchmarks in one directory would make every run twice."""
    (tmp_path / "x").mkdir()
    hold = (
        "import sys; from divlearn.lab.bench.store import Store; "
        "store = Store(sys.argv[1]); print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", hold, str(tmp_path / "x" / "bench.db")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as other:
        other.stdout.readline()
        outcome = divlearn("bench", "smoke", *TINY, "--out", "x")
        other.stdin.close()
    assert outcome.code == 5
    assert "in use by another benchmark" in outcome.err


def test_a_time_limit_ends_the_runs(divlearn):
    """The other way to compare methods."""
    request = ("--problems", "bitsp-8", "--instances", 1, "--methods", "uniform")
    outcome = divlearn("bench", "smoke", *request, "--seconds", 0.2, "--json", "-q")
    (row,) = outcome.json["table"]
    assert row["seconds_mean"] > 0.1
    assert row["evaluations_mean"] > 0


def test_ctrl_c_keeps_what_is_done_and_the_printed_command_completes_it(tmp_path):
    """The same from outside, as a shell and a person see it."""
    request = ["bench", "smoke", "--problems", "bitsp-20", "--methods", "uniform"]
    request += ["--instances", "200", "--budget", "5000", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "divlearn", *request],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    store = tmp_path / "runs/bench-smoke/bench.db"
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
        if store.exists() and store.with_name("bench.db-wal").exists():
            with Store(store, read_only=True) as reader:
                if len(reader.runs()) >= 3:
                    break
    os.killpg(process.pid, signal.SIGINT)  # as the keys do: to all of them
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, out + err
    assert "Traceback" not in out + err
    with Store(store, read_only=True) as reader:
        done = len(reader.runs())
    assert 3 <= done < 200
    assert f"{done} of 200 runs are kept in runs/bench-smoke/bench.db" in err
    command = re.search(r"^  (divlearn bench .*)$", err, re.MULTILINE)[1]
    assert shlex.split(command) == ["divlearn", *request]
