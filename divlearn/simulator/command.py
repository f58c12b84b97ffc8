"""An evaluation by a command: one process for each."""

from __future__ import annotations

import json
from typing import Any

from divlearn.basics.errors import AnswerError
from divlearn.basics.typing import Value
from divlearn.simulator.directory import Directory
from divlearn.simulator.metrics import Metrics, SimulatorFailure
from divlearn.simulator.process import SimulatorProcess
from divlearn.simulator.program import DESIGN_FILE, METRICS_FILE, Program
from divlearn.simulator.streams import Tail, last_lines
from divlearn.spaces.plain import as_plain
from divlearn.workers.base import OutOfTime
from divlearn.workers.system import how_it_ended


class Command:
    """An objective that starts a process and reads what it prints.

    The design is in ``design.json`` in the directory where the process works, and on
    its standard input.

    Parameters
    ----------
    program
        What to run, and how.
    metrics
        What to read from its output.
    """

    def __init__(self, program: Program, metrics: Metrics) -> None:
        self.program = program
        self.metrics = metrics

    def evaluate(self, x: Value) -> dict[str, Any]:
        """Return objectives, constraints and extra metrics by name."""
        directory = Directory(self.program.scratch)
        try:
            values = self._evaluate_in(directory, x)
        except (AnswerError, SimulatorFailure, OutOfTime) as error:
            hint = self._leave(directory, failed=True)
            raise type(error)(f"{error}{hint}") from None
        except BaseException:  # infeasible, or Ctrl-C
            self._leave(directory, failed=False)
            raise
        self._leave(directory, failed=False)
        return values

    def _evaluate_in(self, directory: Directory, x: Value) -> dict[str, Any]:
        """Run the program in a directory."""
        design = json.dumps(as_plain(x)).encode()
        directory.write(DESIGN_FILE, design)
        command = self.program.arguments(directory)
        process = SimulatorProcess(command, directory.path, self.program.variables())
        out = Tail(self.program.max_output, process.kill)
        process.read(out.read)
        try:
            self._run(process, out, design)
        finally:
            process.kill()
            process.close()
            if self.program.keep != "never":
                directory.keep(out.content, process.stderr)
        return self._read(directory, out.content)

    def _run(self, process: SimulatorProcess, out: Tail, design: bytes) -> None:
        """Let a process work until it is done, and raise if it did not do well."""
        call_off = process.end_after(self.program.timeout)
        try:
            process.feed(design)
            code = process.finish()
        finally:
            call_off()
        if out.overflow:
            raise SimulatorFailure(
                f"standard output has more than {self.program.max_output:,} bytes; "
                "print less, or raise max_output in [evaluate]"
            )
        if process.late:
            raise OutOfTime(
                f"the command took longer than {self.program.timeout:g} s and was "
                "ended, with every process that it had started"
            )
        if code != 0:
            said = last_lines(process.stderr) or last_lines(out.content)
            tail = f"; it said: {said}" if said else " and said nothing"
            raise SimulatorFailure(f"the command {how_it_ended(code)}{tail}")

    def _read(self, directory: Directory, stdout: bytes) -> dict[str, Any]:
        """Read the metrics."""
        if not self.program.metrics_in_file:
            return self.metrics.read(stdout, "standard output")
        content = directory.read(METRICS_FILE, self.program.max_output)
        return self.metrics.read(content, METRICS_FILE)

    def _leave(self, directory: Directory, failed: bool) -> str:
        """Keep or remove the directory, as was chosen; say where it is if it stays."""
        keep = self.program.keep
        if keep == "always" or (failed and keep == "failures"):
            return f"; its files are in {directory.path}"
        directory.remove()
        return ""
