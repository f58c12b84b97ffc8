"""A study whose saved state was altered: what was asked and told is the truth."""

import io
import json

import numpy as np
import pytest

from divlearn.basics.arrays import pack_described
from divlearn.basics.errors import InputError
from divlearn.study import replay
from tests.study.conftest import same_front, tiny


@pytest.fixture
def saved(study_at):
    """A study of 30 outcomes, with the state of its search after 20 of them."""
    with study_at(tiny("subset"), seed=5, lag=2) as study:
        study.run(budget=20, workers=0)
        replay.save(study._opened.rebuilt(), study._opened.store)
        state = study._opened.store.checkpoint(replay.stamp())
        study.run(budget=30, workers=0)
    return state


@pytest.fixture
def whole(study_at):
    """The front of the study that nobody touched."""
    with study_at(tiny("subset"), "whole.db", seed=5, lag=2) as study:
        study.run(budget=20, workers=0)
        return study.run(budget=40, workers=0)


def altered(content, name, change):
    """The state with another array."""
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    arrays[name] = change(arrays[name])
    return pack_described(arrays, str(arrays.pop("about")))


def _other_words(about, **words):
    """Another description."""
    return np.array(json.dumps(json.loads(str(about)) | words))


CHANGES = {
    "a short array": ("layout.places", lambda a: a[:-1]),
    "an index": ("archive.order", lambda a: a + 1),
    "other random numbers": ("rng", lambda a: a + np.uint64(1)),
    "another seed": ("about", lambda a: _other_words(a, seed=6)),
    "another budget": ("about", lambda a: _other_words(a, budget=7)),
    "another number": ("about", lambda a: _other_words(a, next_id=99)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_study_whose_saved_state_does_not_fit_goes_on_from_its_outcomes(
    study_at, saved, whole, change
):
    """Without a word, and to the same front; its checksum was made to fit."""
    asked, taken, content = saved
    content = altered(content, *CHANGES[change])
    with study_at(tiny("subset")) as study:
        study._opened.store.write_checkpoint(asked, taken, replay.stamp(), content)
    with study_at(tiny("subset")) as study:
        assert same_front(study.run(budget=40, workers=0), whole)
        assert study.verify()


@pytest.mark.parametrize("place", [(19, 18), (21, 20), (20, -5), (10, 10)])
def test_a_saved_state_of_another_moment_is_left_alone(study_at, saved, whole, place):
    """The file says that it is of another candidate than it is."""
    with study_at(tiny("subset")) as study:
        study._opened.store.write_checkpoint(*place, replay.stamp(), saved[2])
    with study_at(tiny("subset")) as study:
        assert same_front(study.run(budget=40, workers=0), whole)


@pytest.mark.parametrize("setting", ["memory", "gp_candidates", "replays"])
def test_settings_in_a_study_cannot_ask_for_all_memory_or_time(study_at, setting):
    """Those of a study from somewhere else; one's own may be passed."""
    with study_at(tiny("subset")) as study:
        study.run(budget=5, workers=0)
        settings = study._opened.store.notes()["settings"]
        settings[setting] = 10**12
        study._opened.store.note(method="custom", settings=settings)
    with pytest.raises(InputError, match=rf"ask for {setting} .*Pass method="):
        study_at(tiny("subset"))
