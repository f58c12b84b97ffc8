"""File systems that several hosts share, as far as the system tells."""

from __future__ import annotations

import os
import re
from pathlib import Path

#: Types of file systems over a network, as Linux names them.
_SHARED = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|lustre|gpfs|beegfs|orangefs|ocfs2|gfs2|panfs|"
    r"glusterfs|fuse\.(sshfs|glusterfs|ceph|beegfs|s3fs|rclone|juicefs).*"
)
_MOUNTS = Path("/proc/self/mountinfo")


def network_type(path: str | Path, mounts: Path = _MOUNTS) -> str | None:
    """Type of the network file system that a path is on; None if it is on another.

    Parameters
    ----------
    path
        A file or directory, or where one could be made.
    mounts
        What is mounted where, as Linux lists it.
    """
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:  # another system, which does not tell
        return None
    place, longest, found = os.path.realpath(path), -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        if len(before.split()) < 5 or not after:
            continue
        # Spaces and the like stand there as octal numbers.
        point = re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), before.split()[4])
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:
            longest, found = len(point), after.split()[0]
    return found if _SHARED.fullmatch(found) else None
