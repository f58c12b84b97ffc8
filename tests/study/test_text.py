"""Whatever text comes along, a study keeps it and goes on."""

import os

import pytest

import divlearn as dl
from divlearn.study import StudyReader

SURROGATE = os.fsdecode(b"/data/caf\xe9.dat")
TEXTS = [SURROGATE, "\ud800", "a\0b", "\x1b[31mred\nnext", "x" * 10_000, "💥" * 10_000]


def fail_with(text):
    """Return a problem of which odd designs fail with a message."""

    def evaluate(x):
        if x % 2:
            raise FileNotFoundError(text)
        return x, -x

    return dl.Problem(dl.Integer(0, 9), evaluate, ["up", "down"])


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("text", TEXTS)
def test_a_message_of_any_text_is_a_failure_like_any_other(text, workers, study_at):
    """A file name that is no UTF-8 stopped a study for ever."""
    with study_at(fail_with(text)) as study:
        result = study.run(budget=10, workers=workers)
        assert result.evaluations == 10
        assert study.failures()
        for failure in study.failures():
            assert failure.message.encode()
            assert len(failure.message) < 1_300
        assert study.verify()


@pytest.mark.parametrize("text", TEXTS)
def test_names_and_categories_of_any_text_come_back_exactly(text, study_at, tmp_path):
    """They are what the user gave, in the file and out of it."""
    space = dl.Composite(**{text: dl.Categorical([text, "other"], n=4)})

    def evaluate(x):
        return {f"{text}0": x[text].count(text), "1": x[text].index(x[text][-1])}

    names = {f"{text}0": "min", "1": "max"}
    problem = dl.Problem(space, evaluate, names, name=text)
    with study_at(problem) as study:
        study.run(budget=5, workers=0)
    with study_at(problem) as study:
        study.run(budget=10, workers=0)
        assert study.verify()
        mine = [trial.x for trial in study.trials()]
    with StudyReader(tmp_path / "study.db") as reader:
        assert [trial.x for trial in reader.trials()] == mine
        assert reader.objectives == names
        assert reader.notes["name"] == text


def test_an_exception_that_cannot_be_told_is_a_failure_too(study_at):
    """Its words raise, and the study goes on."""

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    def evaluate(x):
        raise Mute

    problem = dl.Problem(dl.Integer(0, 9), evaluate, ["up"])
    with study_at(problem) as study:
        study.run(budget=3, workers=0)
        assert "Mute: (its message cannot be read)" in study.failures()[0].message
