"""Which display a search gets, and that it is alive while others are busy."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
import types
from functools import partial

import pytest

import divlearn as dl
from divlearn.terminal import LiveProgress, LogProgress, Progress
from divlearn.terminal.display import Silent, display_for, patiently
from divlearn.terminal.places import Cell
from tests.search_cases import Recorder, bits, ones_and_zeros


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self):
        """Say so."""
        return True


def look_at(monkeypatch, stream):
    """Make a stream standard error for the displays; pytest has one of its own."""
    system = types.SimpleNamespace(stderr=stream, stdout=stream, modules=sys.modules)
    for module in ("places", "progress"):
        monkeypatch.setattr(f"divlearn.terminal.{module}.sys", system)


@pytest.fixture
def outside(monkeypatch):
    """No test runner, no switch, and nobody who looks."""
    monkeypatch.setattr("divlearn.terminal.display._is_tested", lambda: False)
    monkeypatch.delenv("DIVLEARN_PROGRESS", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    look_at(monkeypatch, io.StringIO())


@pytest.fixture
def terminal(outside, monkeypatch):
    """Standard error is a terminal."""
    look_at(monkeypatch, Terminal())


@pytest.fixture
def notebook(outside, monkeypatch):
    """A kernel of IPython, and what its cells show."""
    shown = []

    class Handle:
        def update(self, what):
            shown.append(("update", what))

    def display(what, display_id):
        shown.append(("display", what))
        return Handle()

    shell = types.SimpleNamespace(kernel=object())
    module = types.ModuleType("IPython")
    module.get_ipython = lambda: shell
    module.display = types.ModuleType("IPython.display")
    module.display.HTML, module.display.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", module.display)
    return shown


def test_progress_is_shown_by_default_in_a_terminal(terminal):
    """Four minutes without a character look like a program that hangs."""
    assert isinstance(display_for(None, "x"), LiveProgress)


def test_progress_is_not_shown_in_a_pipe(outside):
    """What a program reads, or a file keeps, is for the user to decide."""
    assert isinstance(display_for(None, "x"), Silent)


def test_progress_is_not_shown_without_any_standard_error(outside, monkeypatch):
    """As in programs without a console."""
    look_at(monkeypatch, None)
    assert isinstance(display_for(None, "x"), Silent)


def test_progress_is_not_shown_under_pytest(terminal, monkeypatch):
    """Tests of users have other things to show."""
    monkeypatch.undo()
    monkeypatch.delenv("DIVLEARN_PROGRESS", raising=False)
    look_at(monkeypatch, Terminal())
    assert isinstance(display_for(None, "x"), Silent)


def test_true_shows_log_lines_in_a_pipe_and_false_nothing_in_a_terminal(
    outside, monkeypatch
):
    """Who says what he wants gets it."""
    assert isinstance(display_for(True, "x"), LogProgress)
    look_at(monkeypatch, Terminal())
    assert isinstance(display_for(False, "x"), Silent)


@pytest.mark.parametrize(("switch", "shown"), [("0", Silent), ("1", LiveProgress)])
def test_an_environment_variable_switches_progress(
    terminal, monkeypatch, switch, shown
):
    """For programs whose lines one does not want to change."""
    monkeypatch.setenv("DIVLEARN_PROGRESS", switch)
    assert isinstance(display_for(None, "x"), shown)
    if switch == "1":
        look_at(monkeypatch, io.StringIO())
        assert isinstance(display_for(None, "x"), LogProgress)


def test_a_switch_that_is_neither_on_nor_off_is_refused(outside, monkeypatch):
    """A misspelt one would be silent about it."""
    monkeypatch.setenv("DIVLEARN_PROGRESS", "yes")
    with pytest.raises(dl.InputError, match=r"must be 0 .* or 1 .*, got 'yes'"):
        display_for(None, "x")


@pytest.mark.parametrize("wrong", ["yes", 1, print])
def test_progress_that_is_no_display_is_refused(wrong):
    """Before an evaluation is spent."""
    with pytest.raises(dl.InputError, match="progress must be True, False, None or"):
        dl.solve(bits(ones_and_zeros), 10, progress=wrong)


def test_progress_is_shown_in_a_notebook(notebook):
    """In one place that is kept up to date, and without widgets."""
    display = display_for(None, "bits <small>")
    assert isinstance(display, LiveProgress)
    assert isinstance(display._place, Cell)
    display._ticker = None
    display.compiling("permutations", 85.0)
    optimizer = dl.Optimizer(bits(ones_and_zeros))
    display.start(optimizer, 10, None)
    optimizer.tell(optimizer.ask(), [(1.0, 2.0)])
    display.finish()
    assert [kind for kind, _ in notebook][:2] == ["display", "update"]
    assert "compiling for permutations" in notebook[0][1]
    assert "bits &lt;small&gt;: 1 evaluations (10%)" in notebook[-1][1]


def test_plain_ipython_in_a_terminal_is_no_notebook(notebook, monkeypatch):
    """It has no kernel, and draws in the terminal."""
    module = sys.modules["IPython"]
    module.get_ipython = lambda: types.SimpleNamespace()
    assert isinstance(display_for(None, "x"), Silent)
    look_at(monkeypatch, Terminal())
    assert not isinstance(display_for(None, "x")._place, Cell)


def test_an_objective_that_solves_something_itself_shows_nothing_of_it(terminal):
    """One display is enough; two would overwrite each other."""
    inner = []

    def evaluate(x):
        inner.append(display_for(None, "inner"))
        return ones_and_zeros(x)

    dl.solve(bits(evaluate), 3)
    assert len(inner) == 3
    assert all(isinstance(display, Silent) for display in inner)
    assert Progress.current is None


def test_workers_show_nothing_of_what_an_objective_solves(terminal, tmp_path):
    """Their standard error is the terminal too."""
    kinds = []

    def evaluate(x):
        kinds.append(type(display_for(None, "inner")))
        return ones_and_zeros(x)

    with dl.Study(bits(evaluate), tmp_path / "x.db") as study:
        study.run(budget=3, workers=0, progress=False)
    assert kinds == [Silent] * 3


class DrawnByThread(LogProgress):
    """Says when a thread draws, not the search."""

    def __init__(self):
        super().__init__("x", io.StringIO())
        self.drawn = threading.Event()

    def tick(self):
        """Note it."""
        assert threading.current_thread() is not threading.main_thread()
        self.drawn.set()


def test_the_display_lives_while_an_objective_in_the_same_process_is_busy(monkeypatch):
    """The objective goes on only when the display has moved meanwhile."""
    monkeypatch.setattr("divlearn.terminal.progress.TICK_SECONDS", 0.001)
    display = DrawnByThread()

    def evaluate(x):
        assert display.drawn.wait(60)
        display.drawn.clear()
        return ones_and_zeros(x)

    assert dl.solve(bits(evaluate), 3, progress=display).evaluations == 3
    assert display._ticker._thread is None


def test_a_display_that_fails_while_it_waits_does_not_end_the_search(monkeypatch):
    """As when a terminal is closed under a running search."""
    monkeypatch.setattr("divlearn.terminal.progress.TICK_SECONDS", 0.001)
    failed = threading.Event()

    class Broken(LogProgress):
        def tick(self):
            failed.set()
            raise OSError("no such terminal")

    def evaluate(x):
        assert failed.wait(60)
        return ones_and_zeros(x)

    display = Broken("x", io.StringIO())
    assert dl.solve(bits(evaluate), 3, progress=display).evaluations == 3


def test_a_study_shows_how_many_evaluations_run(tmp_path):
    """A display asks the view of a study for it."""
    seen = []

    class Looks(Recorder):
        def start(self, optimizer, budget, seconds):
            self.view = optimizer

        def update(self, optimizer):
            seen.append(optimizer.running)

    with dl.Study(bits(ones_and_zeros), tmp_path / "x.db") as study:
        study.run(budget=3, workers=0, progress=Looks())
    assert seen == [1, 1, 1]


@pytest.mark.parametrize("study", [False, True])
def test_ctrl_c_while_kernels_are_compiled_waits_for_the_compiler_and_says_so(
    monkeypatch, tmp_path, study
):
    """An exception in its middle is lost, or leaves kernels that never work again."""
    done, recorder = [], Recorder()

    def compile_slowly(*_, **__):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)  # where the signal is noticed
        done.append("compiled")

    monkeypatch.setattr(dl.DL, "compile", compile_slowly)
    run = partial(dl.solve, bits(ones_and_zeros), 10, progress=recorder)
    with dl.Study(bits(ones_and_zeros), tmp_path / "x.db") as opened:
        if study:
            run = partial(opened.run, budget=10, workers=0, progress=recorder)
        with pytest.raises(KeyboardInterrupt) as stopped:
            run()
    assert done == ["compiled"]
    assert recorder.calls[-2][0] == "say"
    assert "press it again not to wait" in recorder.calls[-2][1]
    assert recorder.calls[-1] == "finish"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not study:
        assert stopped.value.result.evaluations == 0


def test_ctrl_c_pressed_twice_does_not_wait_for_the_compiler():
    """Who is in a hurry may leave."""

    def press():
        with patiently(Silent()):
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0)
            done.append("waited")

    done = []
    with pytest.raises(KeyboardInterrupt):
        press()
    assert done == []


def test_a_search_that_shows_nothing_does_not_load_what_draws():
    """``import divlearn`` and a script in a pipe stay quick."""
    script = (
        "import sys, divlearn as dl\n"
        "problem = dl.Problem(dl.Binary(3), lambda x: (x[0], x[1]), ['a', 'b'])\n"
        "dl.solve(problem, 3, method='random')\n"
        "print('rich' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (said.stdout, said.stderr) == ("False\n", "")
