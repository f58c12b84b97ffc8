"""A study around a shell script that does what a file beside it says."""

import sys
from pathlib import Path

import pytest

needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")

#: Two metrics of a width and a height, without a tool that may not be there.
SCRIPT = r"""
read -r design
number() { rest=${design#*\"$1\": }; echo "${rest%%[,\}]*}"; }
answer() {
    w=$(number width); h=$(number height)
    echo "{\"time\": $((900 / w + h)), \"area\": $((w * h)), \"heat\": $h}"
}
case $(cat "$1/mood") in
    well)    answer ;;
    held)    : > "$1/begun"; until [ -e "$1/go" ]; do sleep 0.05; done; answer ;;
    exit)    echo "no licence left" >&2; exit 4 ;;
    garbage) echo "Segmentation fault" ;;
    few)     echo "{\"time\": 1, \"heat\": 2}" ;;
    hang)    sleep 600 ;;
    family)  sh -c "sleep 600; : $1" & sh -c "sleep 600; : $1" ;;
esac
"""

TEXT = """\
[space]
width = {type = "integer", low = 1, high = 30}
height = {type = "integer", low = 1, high = 30}

[objectives]
time = "min"
area = "min"

[constraints]
heat = {max = 25}

[evaluate]
command = ["sh", "{here}/sim.sh", "{here}"]
timeout = 20

[run]
budget = 12
workers = 1
seed = 3
"""


def make_study(folder, mood="well"):
    """Write chip.toml and its simulator into a folder; returns the TOML file."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    (folder / "sim.sh").write_text(SCRIPT)
    (folder / "mood").write_text(mood)
    path = folder / "chip.toml"
    path.write_text(TEXT)
    return path


def change(path, old, new):
    """Change a file's text in one place."""
    text = Path(path).read_text()
    assert text.count(old) == 1
    Path(path).write_text(text.replace(old, new))
