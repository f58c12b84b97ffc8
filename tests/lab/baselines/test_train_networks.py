"""The script that trains all networks, each within a stated time, on a tiny scale."""

import pytest

pytest.importorskip("torch")

from benchmarks import train_networks
from divlearn.lab.baselines.pmoco import pace
from divlearn.lab.baselines.pmoco.files import read_network
from divlearn.lab.baselines.pmoco.plan import FAMILIES, Plan
from divlearn.lab.baselines.pmoco.shape import Shape

TINY = Shape(width=8, layers=1, heads=2, inner=8, codes=2)
#: One step, the fewest that an epoch has; no time for a second one.
WORDS = ["--minutes", "1e-9", "--steps", "1", "--width", "8", "--sizes", "4", "5"]


def test_every_family_is_trained_from_small_to_large(tmp_path):
    """A larger network begins with the smaller one; all by Tchebycheff rewards."""
    train_networks.main(["--out", str(tmp_path), *WORDS])
    names = {f"{family}-{size}.npz" for family in FAMILIES for size in (4, 5)}
    assert {file.name for file in tmp_path.glob("*.npz")} == names
    for family in FAMILIES:
        small, large = (
            read_network(tmp_path / f"{family}-{size}.npz").plan for size in (4, 5)
        )
        assert small.scalarization == "tchebycheff"
        assert not small.start
        assert large.start
        assert small.epochs == large.epochs == 1


def test_the_same_command_again_trains_nothing(tmp_path, capsys):
    """Finished networks stay as they are, byte for byte."""
    words = ["--out", str(tmp_path), "--families", "bikp", *WORDS]
    train_networks.main(words)
    before = (tmp_path / "bikp-5.npz").read_bytes()
    capsys.readouterr()
    train_networks.main(words)
    assert (tmp_path / "bikp-5.npz").read_bytes() == before
    assert "instances" not in capsys.readouterr().out


def test_the_paper_has_twelve_problems_with_a_batch_for_each():
    """What a step remembers stays about the same."""
    given = train_networks.read_arguments(["--out", "networks"])
    assert given.minutes == 180.0
    sizes = [n for f in given.families for n in train_networks.PAPER_SIZES[f]]
    assert len(sizes) == 12
    assert max(sizes) <= max(train_networks.BATCHES)


def test_epochs_fill_the_time_that_a_training_may_take(monkeypatch):
    """At two seconds a step: nine tenths of 100 seconds are 45 steps."""
    ticks = iter([0.0, 4.0])
    monkeypatch.setattr(pace.time, "process_time", lambda: next(ticks))
    plan = Plan("bitsp-4", steps=5, preferences=1, instances=1, shape=TINY)
    assert pace.planned_within(plan, 100.0).epochs == 9
