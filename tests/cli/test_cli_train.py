"""``divlearn train``: a network from the command line."""

import json
import signal
import sys

import pytest

pytest.importorskip("torch")

from divlearn.lab.baselines.pmoco.files import read_network
from divlearn.lab.baselines.pmoco.training import Trainer

TINY = "--problem bitsp-5 --epochs 2 --set steps=3 --set width=8 --set layers=1 "
TINY = [*(TINY + "--set heads=2 --set inner=8").split(), "--out", "network.npz"]


@pytest.fixture
def ctrl_c(monkeypatch):
    """Let Ctrl-C come during the fourth step of a training."""
    step = Trainer.step

    def interrupted(trainer):
        if trainer.step_count == 3:
            signal.raise_signal(signal.SIGINT)
        return step(trainer)

    monkeypatch.setattr(Trainer, "step", interrupted)


def test_a_network_is_trained_and_used(divlearn):
    """A line per epoch, a file, its log, and the command that uses it."""
    trained = divlearn("train", "pmoco", *TINY)
    assert trained.code == 0
    assert "epoch 2 of 2" in trained.err
    command = trained.out.partition("Use it with: ")[2].split()
    assert command[0] == "divlearn"
    used = divlearn(*command[1:], "--quiet", "--json")
    assert used.code == 0
    assert used.json["method"] == "pmoco"
    with open("network.json") as file:
        log = json.load(file)
    assert log["command"].startswith("divlearn train pmoco --problem bitsp-5")
    assert log["plan"]["shape"]["width"] == 8


def test_ctrl_c_saves_and_the_same_file_goes_on(divlearn, ctrl_c):
    """The step that was under way is finished and kept."""
    stopped = divlearn("train", "pmoco", *TINY, "--json")
    assert stopped.code == 130
    assert stopped.json["finished"] is False
    assert read_network("network.npz").about["steps"] == 4
    again = divlearn("train", "pmoco", "--out", "network.npz", "--json")
    assert again.code == 0
    assert again.json["finished"] is True
    assert again.json["epoch"] == 2
    done = divlearn("train", "pmoco", *TINY)
    assert "was finished before" in done.out


def test_a_training_goes_on_from_a_network_for_another_size(divlearn):
    """The same command goes on here too, and the shape cannot be another one."""
    divlearn("train", "pmoco", *TINY)
    larger = "--problem bitsp-6 --epochs 1 --set steps=2 --from network.npz"
    asked = ["train", "pmoco", *larger.split(), "--out", "larger.npz", "--json"]
    trained = divlearn(*asked)
    assert trained.code == 0, trained.err
    assert read_network("larger.npz").plan.shape.width == 8
    assert json.loads(divlearn(*asked).out)["finished"]
    wide = divlearn(*asked, "--set", "width=16")
    assert wide.code == 2
    assert "--set width cannot be given with --from" in wide.err


def test_a_stopped_training_says_how_to_go_on(divlearn, ctrl_c):
    """The command is the one that was typed."""
    stopped = divlearn("train", "pmoco", *TINY)
    assert "Stopped after 4 of 6 steps" in stopped.out
    assert "divlearn train pmoco --problem bitsp-5" in stopped.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("pmoco --out x.npz", "--problem is needed"),
        ("pmoco --out x.pt --problem bitsp-5", "ends in .npz"),
        ("nsga2 --out x.npz --problem bitsp-5", "METHOD must be one of pmoco"),
        ("pmoco --out x.npz --problem qap-5", "bitsp-N, tritsp-N, bikp-N"),
        ("pmoco --out x.npz --problem bitsp-5 --epochs many", "--epochs 100"),
        ("pmoco --out x.npz --problem bitsp-5 --set depth=3", "Did you mean"),
        ("pmoco --out broken.npz", "not a network of divlearn"),
    ],
)
def test_wrong_requests_are_explained(divlearn, tmp_path, arguments, words):
    """Exit code 2, nothing written, and a message that says what to do."""
    (tmp_path / "broken.npz").write_bytes(b"nonsense")
    outcome = divlearn("train", *arguments.split())
    assert outcome.code == 2
    assert words in outcome.err
    assert not (tmp_path / "x.npz").exists()


def test_another_plan_for_the_same_file_is_refused(divlearn, ctrl_c):
    """A training goes on as it began."""
    divlearn("train", "pmoco", *TINY)
    outcome = divlearn("train", "pmoco", "--out", "network.npz", "--epochs", 9)
    assert outcome.code == 2
    assert "epochs = 2, not 9" in outcome.err


def test_without_pytorch_the_extra_is_named(divlearn, monkeypatch):
    """It is one command away."""
    monkeypatch.setitem(sys.modules, "torch", None)
    outcome = divlearn("train", "pmoco", *TINY)
    assert outcome.code == 1
    assert 'pip install "divlearn[neural]"' in outcome.err


def test_minutes_decide_the_number_of_epochs(divlearn):
    """No time is one epoch; the same command then goes on with that file."""
    short = [*TINY[:2], *TINY[4:], "--minutes", "1e-9"]
    trained = divlearn("train", "pmoco", *short, "--json")
    assert trained.code == 0
    assert trained.json["epochs"] == 1
    assert divlearn("train", "pmoco", *short, "--json").json["finished"] is True


def test_epochs_and_minutes_cannot_both_be_given(divlearn):
    """One of them would be ignored."""
    wrong = divlearn("train", "pmoco", *TINY, "--minutes", "5")
    assert wrong.code == 2
    assert "leave one of them out" in wrong.err
