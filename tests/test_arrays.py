"""Archives of arrays that somebody else packed."""

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from divlearn.basics.arrays import MOST_LISTED, ArrayFile, pack_arrays


def opened(content):
    """Read an archive."""
    return ArrayFile(io.BytesIO(content))


def archive(members, compression=zipfile.ZIP_STORED):
    """A zip file of given contents."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as file:
        for name, member in members:
            file.writestr(name, member)
    return content.getvalue()


def npy(shape=(3,), dtype="<f8", data=bytes(24), by_columns=False):
    """An array whose header says what it likes."""
    stream = io.BytesIO()
    header = {"descr": dtype, "fortran_order": by_columns, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue() + data


def test_arrays_come_back_as_they_were():
    """Numbers, records, text; of any shape."""
    records = np.zeros(2, [("a", "i8"), ("b", "f8")])
    arrays = {"x": np.eye(3), "r": records, "t": np.array("é"), "e": np.zeros((0, 4))}
    file = opened(pack_arrays(arrays))
    assert list(file.headers) == list(arrays)
    for name, array in arrays.items():
        assert file.headers[name] == (array.shape, array.dtype)
        np.testing.assert_array_equal(file.read(name), array, strict=True)
    assert file.read_text("t") == "é"


def test_an_archive_that_unpacks_to_much_is_refused_without_unpacking():
    """A small file must not become gigabytes."""
    member = npy((2**23,), data=bytes(2**26))
    content = archive([("a.npy", member)], zipfile.ZIP_DEFLATED)
    assert len(content) < 100_000
    tracemalloc.start()
    with pytest.raises(ValueError, match="'a' is compressed"):
        opened(content)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("member", "words"),
    [
        (npy((10**9,)), "not as long as it says"),
        (npy((10**15, 10**15)), "not as long as it says"),
        (npy((2,)), "not as long as it says"),
        (npy((-1,)), "not a plain array"),
        (npy((1, 3), by_columns=True), "not a plain array"),
        (npy((3,), "|O"), "not a plain array"),
        (npy((3,), [("a", "<f8", (10**8,))]), "not as long as it says"),
        (npy((3,), [("a", "<f8", (10**9,))]), "must fit into a C int"),
        (b"\x93NUMPY\x09\x00" + bytes(50), "we only support|unknown format"),
        (b"nothing", "EOF|magic"),
        (npy()[:40], "EOF"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(member, words):
    """Eight gigabytes promised, a negative length, objects, another order."""
    with pytest.raises(ValueError, match=words):
        opened(archive([("a.npy", member)]))


def test_what_is_listed_twice_or_is_no_array_is_refused():
    """The same bytes listed a thousand times are a bomb as well."""
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = archive([("a.npy", npy()), ("a.npy", npy())])
    for content in (twice, archive([("a.txt", b"x")])):
        with pytest.raises(ValueError, match="not the only array"):
            opened(content)


def test_members_that_overlap_are_refused():
    """More is listed than the file has bytes."""
    content = archive([("a.npy", npy((2000,), data=bytes(16_000)))])
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    entry = content[start:end]
    more = b"".join(entry.replace(b"a.npy", b"%c.npy" % c) for c in range(98, 108))
    tail = bytearray(content[end:])
    struct.pack_into("<HHI", tail, 8, 11, 11, len(entry) + len(more))
    with pytest.raises(ValueError, match="more than it holds"):
        opened(content[:end] + more + bytes(tail))


def test_a_list_of_arrays_that_takes_much_memory_is_refused():
    """Before a program makes an object of every entry."""
    content = bytearray(archive([("a.npy", npy())]))
    end = content.index(b"PK\x05\x06")
    struct.pack_into("<I", content, end + 12, MOST_LISTED + 1)
    with pytest.raises(ValueError, match="list of arrays is too long"):
        opened(bytes(content))


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x05\x06", bytes(100)])
def test_what_is_no_archive_is_refused(content):
    """Whatever it is."""
    with pytest.raises(ValueError, match="not a NumPy archive"):
        opened(content)


def test_damage_inside_of_an_array_is_found_when_it_is_read():
    """By the checksum of the zip file."""
    content = bytearray(pack_arrays({"a": np.arange(100_000)}))
    content[-1000] ^= 1
    file = opened(bytes(content))
    with pytest.raises(ValueError, match="a: Bad CRC-32"):
        file.read("a")


def test_a_text_that_is_none_is_refused():
    """Numbers, lists of texts, nothing."""
    file = opened(pack_arrays({"a": np.arange(3), "b": np.array(["x", "y"])}))
    for name in ("a", "b", "c"):
        with pytest.raises(ValueError, match=f"no text '{name}'"):
            file.read_text(name)
