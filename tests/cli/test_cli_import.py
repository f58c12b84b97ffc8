"""``divlearn import`` and ``[known]`` in a TOML file."""

import pytest

import divlearn as dl
from divlearn.study import StudyReader
from tests.cli.simulators import make_study, needs_shell

TABLE = "width,height,Time [s],area,heat,who\n3,4,304,12,4,me\n5,2,182,10,2,me\n"


@pytest.fixture
def python_study(tmp_path):
    """A study that was begun in Python."""
    problem = dl.Problem(
        dl.Composite(width=dl.Integer(1, 9)),
        lambda x: {"cost": x["width"], "gain": -x["width"], "note": "new"},
        ["cost", "gain"],
        extras=["note"],
    )
    with dl.Study(problem, tmp_path / "py.db") as study:
        study.run(3, workers=0)
    return "py.db"


@needs_shell
def test_a_table_is_imported_into_a_study(divlearn, tmp_path):
    """Limits are worked out from what was measured; a run goes on from there."""
    toml = make_study(tmp_path)
    (tmp_path / "old.csv").write_text(TABLE)
    assert divlearn("run", toml, "--budget", 2, "--workers", 0).code == 0
    words = ("import", "chip.db", "old.csv", "--column", "Time [s]=time")
    said = divlearn(*words, "--dry-run", "--json").json
    assert (said["known"], said["unused"]) == (2, ["who"])
    said = divlearn(*words, "--source", "last year")
    assert said.code == 0
    assert said.out == "last year: 2 known designs\n  columns not used: who\n"
    assert "2 there already" in divlearn(*words).out
    assert divlearn("resume", "chip.db", "--budget", 4).code == 0
    with StudyReader("chip.db") as reader:
        known = [t for t in reader.trials() if t.state == "known"]
        assert [t.g["heat_max"] for t in known] == [-21.0, -23.0]
        assert reader.counts() == {"known": 2, "ok": 4}
    shown = divlearn("show", "chip.db").out
    assert "2 known, 4 ok" in shown
    assert "last year" in shown


def test_a_study_of_python_is_imported_into_as_well(divlearn, python_study, tmp_path):
    """Its file says what a design is; mistakes name the options of the command."""
    (tmp_path / "old.csv").write_text("width,cost,gain,note\n8,8,-8,old\n12,1,1,\n")
    said = divlearn("import", python_study, "old.csv")
    assert said.code == 2
    assert "1 of 2 rows is wrong in old.csv" in said.err
    assert "line 3, column width: a value of Integer(1, 9) lies between" in said.err
    assert "Mend it, or leave such rows out" in said.err
    assert "--skip-bad" in said.err
    said = divlearn("import", python_study, "old.csv", "--skip-bad")
    assert "1 known design, 1 wrong and left out" in said.out
    with StudyReader(python_study) as reader:
        assert reader.trials()[3].extras == {"note": "old"}
    said = divlearn("import", python_study, "old.csv", "--column", "cost=price")
    assert "--column must say which of width, cost, gain, note" in said.err
    assert (
        "two names with = between them"
        in divlearn("import", python_study, "old.csv", "--column", "cost").err
    )


@needs_shell
def test_a_toml_file_names_what_is_known(divlearn, tmp_path):
    """One table or several, taken whenever there is something new in them."""
    toml = make_study(tmp_path)
    (tmp_path / "old.csv").write_text(TABLE)
    (tmp_path / "guess.csv").write_text("width,height,time,area,heat\n7,7,,,\n")
    known = '\n[[known]]\nfile = "old.csv"\ncolumns = {"Time [s]" = "time"}\n'
    toml.write_text(toml.read_text() + known + '[[known]]\nfile = "guess.csv"\n')
    said = divlearn("run", toml, "--budget", 3, "--workers", 0)
    assert "old.csv: 2 known designs" in said.err
    assert "guess.csv: 0 known designs, 1 enqueued" in said.err
    with StudyReader("chip.db") as reader:
        trials = reader.trials()
    assert [t.state for t in trials] == ["known", "known", "ok", "ok", "ok"]
    assert trials[2].x == {"width": 7, "height": 7}
    assert "known" not in divlearn("resume", "chip.db", "--budget", 4).err
    (tmp_path / "guess.csv").unlink()
    assert "guess.csv' cannot be read" in divlearn("resume", "chip.db").err


@needs_shell
def test_what_is_wrong_in_a_known_table_is_mended_by_keys_of_the_toml_file(
    divlearn, tmp_path
):
    """There is no option for it, so none is named."""
    toml = make_study(tmp_path)
    begun = toml.read_text()
    (tmp_path / "old.csv").write_text("width,height,time,area\n1,99,2,3\n")
    toml.write_text(f'{begun}\n[known]\nfile = "old.csv"\n')
    said = divlearn("run", toml, "--budget", 3, "--workers", 0).err
    assert 'by columns = {"theirs" = "ours"} in [known]' in said
    toml.write_text(f'{begun}\n[known]\nfile = "old.csv"\ncolumns = {{a = "heat"}}\n')
    said = divlearn("run", toml, "--budget", 3, "--workers", 0).err
    assert "columns in [known] must name columns of the table" in said
    (tmp_path / "old.csv").write_text("width,height,time,area,heat\n1,99,2,3,1\n")
    toml.write_text(f'{begun}\n[known]\nfile = "old.csv"\n')
    said = divlearn("run", toml, "--budget", 3, "--workers", 0).err
    assert "leave such rows out with skip_bad = true in [known]" in said


@needs_shell
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[known]\nfil = 'a'", "has the unknown key 'fil'. Did you mean 'file'"),
        ("[known]\nskip_bad = true", "[known] must have the key 'file'"),
        ("[known]\nfile = 'a'\ncolumns = 3", "columns in [known] must be names"),
        ("[known]\nfile = 'a'\nskip_bad = 3", "skip_bad in [known] must be"),
        ("[known.old]\nfile = 'a'", "unknown key 'old'"),
    ],
)  # fmt: skip
def test_a_mistake_in_known_is_told(divlearn, tmp_path, text, words):
    """With its line."""
    toml = make_study(tmp_path)
    toml.write_text(f"{toml.read_text()}\n{text}\n")
    said = divlearn("run", toml)
    assert said.code == 2
    assert words in said.err
    assert ", line " in said.err
