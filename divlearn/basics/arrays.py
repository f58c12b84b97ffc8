"""NumPy archives from any source: sizes are checked before memory is used.

An archive is a zip file of arrays that are stored uncompressed, so reading it takes no
more memory than it has bytes. Entries that are compressed, listed twice, overlapping or
longer than the file are refused before anything is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import struct
import zipfile
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Limits on the arrays of an archive, and on the bytes of its directory.
MOST_ARRAYS, MOST_LISTED = 1_000, 200_000
#: Most bytes of a description in JSON: four per character.
MOST_TEXT = 256 * 2**20
#: Name of the description, and of the checksums in it: of all arrays, and of itself.
ABOUT, DIGESTS, SEAL = "about", "digests", "seal"
#: The record that ends a zip file: its mark, its length, and the longest comment.
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 2**16
#: Size from which a zip file needs larger numbers than this record has.
_LARGE = 2**32 - 1
#: Exceptions by which a damaged zip file or array shows itself.
_DAMAGE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    OSError,
    OverflowError,
    MemoryError,
    RecursionError,
    NotImplementedError,
    SyntaxError,
    struct.error,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
)


class Header(NamedTuple):
    """What an array is, before it is read."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class ArrayFile:
    """The arrays of an archive, read one by one.

    Parameters
    ----------
    file
        The archive, open for reading as long as arrays are read.

    Attributes
    ----------
    headers
        Shape and type of every array by name.
    digests
        Checksums of arrays by name, if known.

    Raises
    ------
    ValueError
        If it is not an archive of stored arrays, or is shorter than it claims.

    Examples
    --------
    >>> file = ArrayFile(io.BytesIO(pack_arrays({"a": np.arange(3)})))
    >>> file.headers["a"].shape, file.read("a")
    ((3,), array([0, 1, 2]))
    """

    def __init__(self, file: BinaryIO) -> None:
        self.digests: dict[str, Any] = {}
        _require_short_directory(file)
        try:
            self._archive = zipfile.ZipFile(file)
            self._members = _by_name(self._archive, _size_of(file))
            self.headers: dict[str, Header] = {
                name: self._header(member) for name, member in self._members.items()
            }
        except _DAMAGE as error:
            raise ValueError(_reason(error)) from error

    def read(self, name: str) -> NDArray[Any]:
        """Read one array."""
        try:
            with self._archive.open(self._members[name]) as stream:
                array: NDArray[Any] = np.lib.format.read_array(
                    stream, allow_pickle=False
                )
        except _DAMAGE as error:
            raise ValueError(f"{name}: {_reason(error)}") from error
        if name in self.digests and self.digests[name] != digest_of(array):
            raise ValueError(f"{name} was changed after it was written")
        return array

    def read_text(self, name: str) -> str:
        """Read a text."""
        header = self.headers.get(name)
        if header is None or header.shape != () or header.dtype.kind != "U":
            raise ValueError(f"it has no text {name!r}")
        if header.dtype.itemsize > MOST_TEXT:
            raise ValueError(f"its {name} has more than {MOST_TEXT // 4:,} characters")
        return str(self.read(name))

    def _header(self, member: zipfile.ZipInfo) -> Header:
        """Read an array's header, and check that its length is the stored one."""
        with self._archive.open(member) as stream:
            version = np.lib.format.read_magic(stream)
            if version == (1, 0):
                header = np.lib.format.read_array_header_1_0(stream)
            elif version == (2, 0):
                header = np.lib.format.read_array_header_2_0(stream)
            else:
                raise ValueError(f"{member.filename} has an unknown format")
            shape, by_columns, dtype = header
            size = stream.tell() + math.prod(shape) * dtype.itemsize
        if dtype.hasobject or by_columns or any(length < 0 for length in shape):
            raise ValueError(f"{member.filename} is not a plain array")
        if size != member.file_size:
            raise ValueError(f"{member.filename} is not as long as it says")
        return Header(shape, dtype)


def _size_of(file: BinaryIO) -> int:
    """Number of bytes of a file."""
    return file.seek(0, io.SEEK_END)


def _require_short_directory(file: BinaryIO) -> None:
    """Refuse an archive whose directory alone would take much memory."""
    size = _size_of(file)
    file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        raise ValueError("not a NumPy archive")
    listed = int.from_bytes(tail[at + 12 : at + 16], "little")
    if listed > MOST_LISTED or (size < _LARGE and b"PK\x06\x07" in tail[:at]):
        raise ValueError("its list of arrays is too long")


def _by_name(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The arrays of an archive by name, each stored uncompressed and only once."""
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        stored = member.compress_type == zipfile.ZIP_STORED
        if name == member.filename or name in members:
            raise ValueError(f"{member.filename!r} is not the only array of its name")
        if not stored or member.compress_size != member.file_size:
            raise ValueError(f"{name!r} is compressed")
        members[name] = member
    if len(members) > MOST_ARRAYS or sum(m.file_size for m in members.values()) > size:
        raise ValueError("it promises more than it holds")
    return members


def _reason(error: BaseException) -> str:
    """What is wrong, in a few words."""
    return str(error)[:200] or type(error).__name__


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Pack arrays by name, without pickle."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


# --- a description next to the arrays, with checksums of everything


def pack_described(arrays: Mapping[str, NDArray[Any]], about: str) -> bytes:
    """Pack arrays with a description in JSON, and checksums of both."""
    described = json.loads(about)
    described.pop(SEAL, None)
    described[DIGESTS] = {name: digest_of(array) for name, array in arrays.items()}
    described[SEAL] = _seal_of(described)
    return pack_arrays({**arrays, ABOUT: np.array(json.dumps(described))})


def read_described(file: ArrayFile) -> dict[str, Any]:
    """Read the description of an archive; later reads check arrays against it.

    Raises
    ------
    ValueError
        If there is none, or the archive was changed after it was written. Files of
        version 0.1.0 have no checksums.
    """
    about = json.loads(file.read_text(ABOUT))
    if not isinstance(about, dict):
        raise ValueError("its description is not an object")
    seal, digests = about.pop(SEAL, None), about.get(DIGESTS, {})
    if seal is not None and seal != _seal_of(about):
        raise ValueError("its description was changed after it was written")
    if not isinstance(digests, dict):
        raise ValueError("its checksums are malformed")
    file.digests = digests
    about.pop(DIGESTS, None)
    return about


def digest_of(array: NDArray[Any]) -> str:
    """A checksum of an array, with its type and shape."""
    head = repr((array.shape, np.lib.format.dtype_to_descr(array.dtype)))
    digest = hashlib.blake2b(head.encode(), digest_size=16)
    digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def _seal_of(about: dict[str, Any]) -> str:
    """A checksum of a description."""
    text = json.dumps(about, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()
