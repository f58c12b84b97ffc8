"""Stores on file systems that several hosts share."""

import pytest

import divlearn as dl
from divlearn.basics import lock
from divlearn.basics.errors import InputError
from divlearn.basics.mounts import network_type

PROBLEM = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
MOUNTS = """21 1 0:20 / / rw - ext4 /dev/sda rw
22 21 0:21 / /home rw - nfs4 server:/home rw
23 22 0:22 / /home/me/my\\040disk rw - ext4 /dev/sdb rw
24 21 0:23 / /homes rw - tmpfs tmpfs rw
nonsense
25 21 0:24 / /far rw shared:3 - fuse.sshfs me@host: rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc/study.db", None),
        ("/home/me/study.db", "nfs4"),
        ("/home/me/my disk/study.db", None),
        ("/homes/study.db", None),
        ("/far/a/study.db", "fuse.sshfs"),
    ],
)
def test_the_innermost_mount_says_what_a_file_is_on(tmp_path, path, kind):
    """A local disk may be mounted within a network file system, and its name alike."""
    (tmp_path / "mounts").write_text(MOUNTS)
    assert network_type(path, tmp_path / "mounts") == kind
    assert network_type(path, tmp_path / "none") is None


def test_a_study_on_a_network_file_system_says_what_is_safe(tmp_path, monkeypatch):
    """It works from one host, and nobody would know why it broke from two."""
    monkeypatch.setattr("divlearn.basics.store.network_type", lambda path: "nfs4")
    with (
        pytest.warns(
            UserWarning, match=r"network file system \(nfs4\).*this host only"
        ),
        dl.Study(PROBLEM, tmp_path / "a.db") as study,
    ):
        assert study.run(5, workers=0).evaluations == 5


def test_a_file_system_that_grants_a_lock_twice_is_refused(tmp_path, monkeypatch):
    """As one without locks does: two coordinators would write the same file."""
    monkeypatch.setattr(lock, "_hold", lambda number: None)
    with pytest.raises(InputError, match="does not keep locks"):
        dl.Study(PROBLEM, tmp_path / "a.db")
    monkeypatch.undo()
    with dl.Study(PROBLEM, tmp_path / "a.db") as study:
        assert study.run(5, workers=0).evaluations == 5
