"""What a page sees of a study: the same as others see, and never a trace."""

import json
import shutil
import sqlite3

import numpy as np
import pytest

import divlearn as dl
from divlearn.study import summary
from divlearn.study.store.glance import Glance
from divlearn.web.outcome import ResultWatch
from divlearn.web.room import Room
from divlearn.web.sources import find, watch_of
from divlearn.web.study import StudyWatch
from divlearn.web.view import as_text
from tests.web.conftest import mixed, run


def seen(path):
    """Look at a study once."""
    watch = StudyWatch(path)
    watch.look()
    assert not watch.error, watch.error
    return watch


def test_a_page_sees_the_same_as_divlearn_show(finished):
    """Two ways to read a study must not disagree."""
    watch, told = seen(finished), summary(finished)
    head, front = watch.head(), watch.front()
    assert head["evaluations"] == told.evaluations
    assert head["state"] == told.state
    assert sorted(front["numbers"]) == sorted(told.front.trials)
    order = np.argsort(front["numbers"])
    values = np.array(front["F"]).T[order]
    np.testing.assert_array_equal(values, told.front.F[np.argsort(told.front.trials)])
    assert head["hypervolume"] == pytest.approx(told.hypervolume)
    assert [(r["kind"], r["count"]) for r in watch.body()["reasons"]] == [
        (r["kind"], r["count"]) for r in told.reasons
    ]
    assert watch.designs([front["numbers"][0]])
    assert set(front["G"]) == {"limit"}
    assert set(front["extras"]) == {"noise"}


def test_looking_again_and_again_gives_what_one_look_gives(tmp_path):
    """Changes of the front, told one after the other, add up to the front."""
    path = tmp_path / "grows.db"
    watch = StudyWatch(path)
    watch.look()
    assert "does not exist" in watch.error
    have, rows = -1, {}
    for budget in (5, 20, 60):
        run(path, budget)
        assert watch.look()
        assert not watch.error
        news = watch.front(have)
        if "since" not in news:
            rows = {}
        rows = {n: v for n, v in rows.items() if n not in news.get("gone", [])}
        rows |= dict(zip(news["numbers"], zip(*news["F"], strict=True), strict=True))
        have = news["version"]
    whole = seen(path).front()
    assert rows == dict(
        zip(whole["numbers"], zip(*whole["F"], strict=True), strict=True)
    )
    assert not watch.look()  # nobody wrote, so there is nothing to read
    assert watch.head()["evaluations"] == seen(path).head()["evaluations"]


def test_failures_that_were_mended_leave_the_page(tmp_path):
    """A retry replaces outcomes at their old places, where nobody would look."""
    path = tmp_path / "mended.db"
    run(path, 60)
    watch = seen(path)
    assert watch.head()["counts"]["failed"] > 0
    plain = mixed()

    def mended(x):
        return {"cost": 1, "time": 1, "limit": -1, "noise": 0}

    problem = dl.Problem(
        plain.space,
        mended,
        plain.objectives,
        constraints=["limit"],
        extras=["noise"],
        reference=(20, 40),
        name="mixed",
    )
    with dl.Study(problem, path, method="random", seed=0) as study:
        study.run(60, workers=0, progress=False, retry_failed=True)
    watch.look()
    assert "failed" not in watch.head()["counts"]
    assert watch.front()["F"] == [[1.0], [1.0]]


def test_a_result_in_a_file_looks_like_a_study(tmp_path):
    """The same page shows both."""
    result = dl.Result(
        [{"a": 1, "o": np.array([1, 0])}, {"a": 2, "o": np.array([0, 1])}],
        [[1, 9], [2, np.float64(3)]],
        objectives={"cost": "min", "gain": "max"},
    )
    result.save(tmp_path / "front.json")
    (source,) = find([tmp_path])
    watch = watch_of(source.path)
    watch.look()
    assert isinstance(watch, ResultWatch)
    assert watch.front()["knobs"]["a"] == [1, 2]
    assert watch.designs([1]) == {1: {"a": 2, "o": [0, 1]}}
    assert json.loads(as_text(watch.body()))["front_size"] == 2


def _empty(path):
    path.write_bytes(b"")


def _text(path):
    path.write_text("no database")


def _foreign(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()


def _newer(path):
    run(path, 3)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()


def _cut(path):
    run(path, 30)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _changed(path):
    run(path, 3)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE outcomes SET objectives = '[1, \"x\"]'")
        file.execute("UPDATE study SET value = '3' WHERE key = 'problem'")
    file.close()


@pytest.mark.parametrize(
    "spoil", [_empty, _text, _foreign, _newer, _cut, _changed], ids=lambda f: f.__name__
)
def test_a_file_that_is_no_study_is_told_in_words(tmp_path, spoil):
    """A page shows a sentence, not a trace, and all the others go on."""
    path = tmp_path / "bad.db"
    spoil(path)
    watch = watch_of(path)
    assert watch.look()
    assert "bad.db" in watch.error
    assert json.loads(as_text(watch.body()))["error"] == watch.error


def test_a_study_that_vanishes_and_comes_back_is_seen_again(tmp_path, finished):
    """Somebody moves the file away while the page is open."""
    path = tmp_path / "here.db"
    shutil.copy(finished, path)
    watch = seen(path)
    path.rename(tmp_path / "away.db")
    assert watch.look()
    assert "does not exist" in watch.error
    (tmp_path / "away.db").rename(path)
    assert watch.look()
    assert not watch.error


def test_a_locked_study_is_told_and_seen_when_it_is_free(tmp_path, finished):
    """Another program may hold the file for itself."""
    path = tmp_path / "locked.db"
    shutil.copy(finished, path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    watch = StudyWatch(path)
    watch.look()
    assert "locked" in watch.error
    holder.execute("COMMIT")
    holder.close()
    watch.look()
    assert not watch.error


def test_a_study_that_ends_while_somebody_looks_is_whole_in_one_file(tmp_path):
    """Copied elsewhere without its log, it must not lack the last outcomes."""
    path = tmp_path / "seen.db"
    run(path, 3)
    with Glance(path) as looking:
        run(path, 40)
        assert looking.last_sequence < 40
    shutil.copy(path, tmp_path / "alone.db")
    assert seen(tmp_path / "alone.db").head()["evaluations"] == 40


def test_folders_are_searched_but_no_link_leads_out_of_them(tmp_path, finished):
    """What is shown lies below what was given."""
    inside = tmp_path / "runs" / "one"
    inside.mkdir(parents=True)
    shutil.copy(finished, inside / "a.db")
    (tmp_path / "runs" / "out.db").symlink_to(finished)
    (tmp_path / "runs" / ".hidden.db").write_bytes(b"")
    assert [s.label for s in find([tmp_path / "runs"])] == ["one/a.db"]


def test_a_large_study_is_read_in_slices_that_add_up(tmp_path):
    """The page shows something at once; what it shows in the end is the same."""
    path = tmp_path / "large.db"
    run(path, 60)
    slow, whole = StudyWatch(path), seen(path)
    looks = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("divlearn.study.store.glance.MANY", 7)
        patch.setattr("divlearn.web.study.MANY", 2)
        shares = []
        while slow.look(0.0) and looks < 100:
            looks += 1
            shares.append(slow.share)
            assert len(slow.front()["numbers"]) == len(slow.growth.numbers)
            if slow.share is None:
                break
    assert looks > 60 / 7
    assert shares[:-1] == sorted(shares[:-1])
    assert slow.front()["knobs"] == whole.front()["knobs"]
    for name in ("evaluations", "counts", "front_size", "hypervolume"):
        assert slow.head()[name] == whole.head()[name]
    assert not slow.look(0.0)


def test_a_study_that_vanishes_while_it_is_read_is_not_looked_for_in_haste(
    tmp_path, monkeypatch
):
    """Reading on without a pause is for files that are there."""
    monkeypatch.setattr("divlearn.study.store.glance.MANY", 7)
    monkeypatch.setattr("divlearn.web.room.MOMENT", 0.0)
    path = tmp_path / "large.db"
    run(path, 60)
    room = Room([path])
    room.look()
    assert room.reading
    path.unlink()
    room.look()
    assert not room.reading


def test_the_front_at_every_moment_can_be_seen_again(tmp_path):
    """Who came and who went, compared with the front of the first so many trials."""
    path = tmp_path / "grows.db"
    run(path, 80)
    told = seen(path).replay()
    with Glance(path) as file:
        (ended,) = file.ended_after(0, 2, 1)
    cost = np.array([state != "known" for state in ended.state])
    now = dict(zip(told["numbers"], told["since"], strict=True))
    past = told["past"]
    for evaluations in told["evaluations"][:: len(told["evaluations"]) // 10]:
        first = np.cumsum(cost) <= evaluations
        good = first & ~np.isnan(ended.f[:, 0]) & (ended.g[:, 0] <= 0)
        rows = ended.f[good]
        worse = [
            any((other <= row).all() and (other < row).any() for other in rows)
            for row in rows
        ]
        expected = {tuple(r) for r, bad in zip(rows, worse, strict=True) if not bad}
        there = {
            tuple(ended.f[ended.number == n][0])
            for n, since in now.items()
            if since <= evaluations
        }
        there |= {
            (a, b)
            for a, b, came, went in zip(
                *past["F"], past["came"], past["went"], strict=True
            )
            if came <= evaluations < went
        }
        assert there == expected
