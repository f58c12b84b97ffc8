"""Machine code that comes with the package."""

import json
import platform
import sys
from types import ModuleType

import pytest

from divlearn.kernels import jit, shipped
from divlearn.kernels.jit import JIT_DISABLED

compiles = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
NOTE = {"magic": ["here", "v3", ""], "needs": ["avx2", "fma"]}


def test_machine_code_of_another_system_or_processor_is_left_alone():
    """It would end in a signal."""
    assert shipped.fitting_magic(NOTE, "here", {"avx2", "fma", "sse"})
    assert shipped.fitting_magic(NOTE, "elsewhere", {"avx2", "fma"}) is None
    assert shipped.fitting_magic(NOTE, "here", {"avx2"}) is None


def test_a_source_tree_has_no_machine_code():
    """There all kernels are compiled for the processor at hand."""
    assert not shipped.NOTE.exists()
    assert shipped.shipped_magic() is None


@pytest.fixture
def double(tmp_path, monkeypatch):
    """A function whose machine code lies beside its file, for a kind of processor."""
    source = tmp_path / "tiny.py"
    source.write_text("def double(x):\n    return 2.0 * x\n")
    tiny = ModuleType("tiny")
    monkeypatch.setitem(sys.modules, "tiny", tiny)  # to load machine code into
    exec(compile(source.read_text(), str(source), "exec"), vars(tiny))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    made = jit.kernel(tiny.double)
    assert made(2.0) == 4.0
    index = made._cache._cache_file
    (key,) = index._load_index()
    data = index.load(key)
    index.flush()
    magic = ("system", "kind", "")
    index.save((key[0], magic, key[2]), data)
    monkeypatch.setattr(shipped, "shipped_magic", lambda: magic)
    return tiny.double


def require_found(found):
    """Nothing is compiled."""
    assert jit.is_cached(found)
    assert found(4.0) == 8.0
    assert found._cache_hits
    assert not found._cache_misses


@compiles
def test_a_kernel_is_found_in_machine_code_made_for_a_kind_of_processor(
    double, tmp_path, monkeypatch
):
    """With an empty cache nothing is compiled, whenever its files were written."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "empty"))
    require_found(jit.kernel(double))


@compiles
def test_it_is_found_where_no_folder_can_be_written(double, monkeypatch):
    """A container that is read only; other arguments are compiled and not kept."""
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    found = jit.kernel(double)
    require_found(found)
    assert found(3) == 6.0
    assert len(found._cache._cache_file.shipped._load_index()) == 1


@compiles
def test_an_older_text_of_a_file_is_not_taken_for_the_present_one(tmp_path):
    """The text counts, not the time at which it was written."""
    file = tmp_path / "a.py"
    file.write_text("first")
    first = jit.text_stamp.__wrapped__(str(file))
    file.write_text("other")
    assert jit.text_stamp.__wrapped__(str(file)) != first
    assert jit.text_stamp.__wrapped__(str(tmp_path / "none.py"))


def test_the_note_of_a_package_is_read(tmp_path, monkeypatch):
    """As the tool that builds packages writes it."""
    note = tmp_path / "machine_code.json"
    note.write_text(json.dumps(NOTE))
    monkeypatch.setattr(shipped, "NOTE", note)
    monkeypatch.setattr(shipped, "host_features", lambda: {"avx2", "fma"})
    monkeypatch.setattr(shipped.binding, "get_process_triple", lambda: "here")
    assert shipped.shipped_magic.__wrapped__() == ("here", "v3", "")


def test_the_processor_at_hand_is_asked():
    """Every x86-64 has SSE2; others have something of their own."""
    assert shipped.host_features()
    assert ("sse2" in shipped.host_features()) == (platform.machine() == "x86_64")
