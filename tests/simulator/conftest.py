from pathlib import Path

import pytest

from divlearn.simulator import load_toml

SIMULATOR = Path(__file__).parent / "sim.py"
DEEDS = """well exit garbage few nan text true list infeasible error flood hang family
orphan link file arguments seed huge twice spaced once
detached hangup"""


class Study:
    """A TOML file that a test changes a little before it is read."""

    def __init__(self, folder):
        self.path = folder / "chip.toml"
        self.evaluate = ""
        self.command = '["{python}", "{here}/sim.py"]'
        self.rest = ""
        (folder / "sim.py").write_text(SIMULATOR.read_text())

    def load(self):
        """Write and read it."""
        deeds = ", ".join(f'"{deed}"' for deed in DEEDS.split())
        self.path.write_text(
            f"""
extras = ["log"]
[space]
deed = {{type = "categorical", values = [{deeds}]}}
width = {{type = "ordinal", values = [1, 2, 4, 8]}}

[objectives]
time = "min"
area = "min"

[evaluate]
command = {self.command}
{self.evaluate}
{self.rest}
"""
        )
        return load_toml(self.path)

    def problem(self):
        """Only the problem."""
        return self.load()[0]

    @property
    def kept(self):
        """Directories of evaluations that are still there."""
        return sorted(self.path.parent.glob("chip-evaluations/*"))


@pytest.fixture
def study(tmp_path):
    """A study in a directory of its own."""
    return Study(tmp_path)
