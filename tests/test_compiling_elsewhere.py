"""A second process compiles half of what a first search needs."""

import os
import subprocess
import sys

import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods import elsewhere
from divlearn.methods.dl import compilation
from divlearn.methods.elsewhere import called_elsewhere, can_compile_elsewhere

compiles = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def test_a_function_is_called_with_its_arguments_and_waited_for(tmp_path):
    """When the block is left, what it compiled is on disk."""
    with called_elsewhere("os", "mkdir", str(tmp_path / "made")):
        pass
    assert (tmp_path / "made").is_dir()


@pytest.mark.parametrize("module", ["no_such_module", "os"])
def test_what_fails_there_is_of_no_consequence_here(module, capfd):
    """The code is compiled when it is called, only later."""
    with called_elsewhere(module, "mkdir", "/no/such/folder"):
        pass
    assert capfd.readouterr() == ("", "")


def test_without_another_process_everything_happens_here(monkeypatch):
    """A system may refuse to start one."""
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    done = []
    with called_elsewhere("os", "getcwd"):
        done.append(True)
    assert done


def test_ctrl_c_does_not_wait_for_it(monkeypatch):
    """Nor does it go on alone."""
    started = []
    make = subprocess.Popen

    def remember(*arguments, **options):
        started.append(make(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(elsewhere.subprocess, "Popen", remember)
    with (
        pytest.raises(KeyboardInterrupt),
        called_elsewhere("time", "sleep", 100_000),
    ):
        raise KeyboardInterrupt
    assert started[0].returncode is not None


@compiles
def test_it_takes_a_second_processor_and_an_ordinary_python(monkeypatch):
    """A program that holds a Python inside would start itself once more."""
    monkeypatch.setattr(elsewhere, "_processors", lambda: 2)
    assert can_compile_elsewhere()
    with monkeypatch.context() as patch:
        patch.setattr(elsewhere, "_processors", lambda: 1)
        assert not can_compile_elsewhere()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/usr/bin/server")
        assert not can_compile_elsewhere()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not can_compile_elsewhere()


@compiles
@pytest.mark.parametrize("space", [dl.Permutation(6), dl.Binary(6)], ids=str)
def test_both_processes_compile_for_the_same_types(space):
    """Otherwise the first one would not find what the second one made.

    What ``compile_gp`` calls is told by kernels that have signatures afterwards; the
    whole rehearsal must add none to them.
    """
    family = compilation.CHOICE if space == dl.Binary(6) else compilation.SEQUENCE
    script = f"""
import divlearn as dl
from divlearn.methods.dl import compilation as c
c.compile_gp({family!r})
search = c.find_best if {family!r} == c.CHOICE else c.find_best_order
tables = c.propose_choice if {family!r} == c.CHOICE else c.propose_sequence
first = [list(kernel.signatures) for kernel in (c.fit_model, search)]
print(len(first[0]), len(first[1]), len(tables.signatures))
c.rehearse(c.Needs({family!r}, steps=True, loop=False, gp=True))
print(first == [list(kernel.signatures) for kernel in (c.fit_model, search)])
"""
    said = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    ).stdout.split()
    assert said == ["1", "1", "0", "True"]


@compiles
def test_only_a_first_search_with_both_halves_missing_starts_one(monkeypatch):
    """Where one half is there already, a second process has nothing to do."""
    calls = []
    monkeypatch.setattr(compilation, "can_compile_elsewhere", lambda: True)
    problem = dl.Problem(dl.Binary(6), lambda x: 0.0, ["a"])
    needs = compilation.needs_of(
        compilation.completed(dl.DL(), problem, 60), problem, 60, compiled=False
    )
    for missing in (set(), {"gp"}, {"choice"}, {"gp", "choice"}):
        names = {
            compilation.fit_model: "gp",
            compilation.find_best: "gp",
            compilation.propose_choice: "choice",
            compilation.learn_choice: "choice",
        }
        monkeypatch.setattr(
            compilation,
            "are_cached",
            lambda *kernels, missing=missing, names=names: (
                not any(names.get(kernel) in missing for kernel in kernels)
            ),
        )
        calls.append(compilation._is_worth_two(needs))
    assert calls == [False, False, False, True]
