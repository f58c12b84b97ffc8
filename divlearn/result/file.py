"""Results as JSON files: plain text that any program can read and nothing executes.

A file holds the format's name and version and then every field. What JSON cannot
express is an object with one key: ``$array`` (with ``dtype`` and ``shape`` next to it),
``$tuple``, ``$float`` for NaN and infinities, and ``$dict`` for a dict whose keys are
not plain strings.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import as_json
from divlearn.result.fields import require_kinds

FORMAT = "divlearn result"
VERSION = 2
#: Name of the checksum; a file without one is not checked.
CHECKSUM = "checksum"
#: How deep the values of a result may be nested.
DEEPEST = 50


def write_fields(path: str | Path, fields: Mapping[str, Any]) -> None:
    """Write a result's fields; the file is either complete or absent."""
    document = {"format": FORMAT, "version": VERSION}
    for name, value in fields.items():
        document[name] = encode(value, exact=name == "X")
    document[CHECKSUM] = checksum_of(document)
    text = as_json(document, allow_nan=False)
    write_atomically(path, (text + "\n").encode())


def checksum_of(document: Mapping[str, Any]) -> str:
    """A checksum that shows whether the file was changed after writing."""
    fields = {name: document[name] for name in document if name != CHECKSUM}
    text = json.dumps(fields, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def read_fields(
    path: str | Path, expected: set[str], optional: set[str] | None = None
) -> dict[str, Any]:
    """Read what :func:`write_fields` wrote, or say why that is impossible.

    Fields that are ``optional`` may be missing in the file.
    """
    document = _read_document(path)
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _damaged(path, f"its version is {version!r}")
    if version > VERSION:
        raise InputError(
            f"path {str(path)!r} has format version {version}, newer than the "
            f"{VERSION} that this divlearn reads; upgrade divlearn."
        )
    if missing := sorted(expected - set(document)):
        raise _damaged(path, f"it lacks {', '.join(missing)}")
    try:
        names = sorted(expected | ((optional or set()) & set(document)))
        fields = {name: decode(document[name]) for name in names}
        require_kinds(fields)
        _require_unchanged(document)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise _damaged(path, str(error)[:300]) from error
    except (MemoryError, RecursionError) as error:
        raise _damaged(path, "it is too large or nested too deep") from error
    return fields


def _require_unchanged(document: Mapping[str, Any]) -> None:
    """Refuse a document that was changed after it was written."""
    if CHECKSUM in document and document[CHECKSUM] != checksum_of(document):
        raise ValueError(
            "it was changed after it was written; remove its checksum if that was you"
        )


def _read_document(path: str | Path) -> dict[str, Any]:
    """Read the JSON object in a file and check that it is one of ours."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"path {str(path)!r} cannot be read ({error.strerror}); give a file "
            "written by Result.save."
        ) from error
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        ours = FORMAT.encode() in content[:100]
        text = "breaks off or is damaged" if ours else "is not a divlearn result"
        raise InputError(
            f"path {str(path)!r} {text} ({error}); give a file written by Result.save."
        ) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(
            f"path {str(path)!r} is not a divlearn result; give a file written by "
            "Result.save."
        )
    return document


def _damaged(path: str | Path, reason: str) -> InputError:
    """Make the error for a damaged result file."""
    return InputError(
        f"path {str(path)!r} is a damaged divlearn result: {reason}; save it again."
    )


def encode(value: Any, exact: bool = True) -> Any:
    """Turn a value into what JSON can hold.

    Parameters
    ----------
    value
        Numbers, strings, None, arrays, and lists, tuples and dicts of these.
    exact
        Whether anything else is an error; otherwise it is written as text.
    """
    if isinstance(value, np.ndarray):
        return _encode_array(value, exact)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, tuple):
        return {"$tuple": [encode(item, exact) for item in value]}
    if isinstance(value, list):
        return [encode(item, exact) for item in value]
    if isinstance(value, Mapping):
        return _encode_mapping(value, exact)
    if exact:
        raise InputError(
            f"a solution with the value {value!r} cannot be saved; use numbers, "
            "strings, or tuples of these as values of the space."
        )
    return str(value)


def _encode_array(array: np.ndarray[Any, Any], exact: bool) -> Any:
    """Write an array of numbers or strings with its type."""
    if array.dtype.kind not in "biufU":
        return encode(array.tolist(), exact)
    entries = array.tolist()
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        entries = encode(entries)
    return {"$array": entries, "dtype": array.dtype.str, "shape": list(array.shape)}


def _encode_mapping(mapping: Mapping[Any, Any], exact: bool) -> Any:
    """Write a dict as an object if its keys allow it."""
    if all(isinstance(key, str) and not key.startswith("$") for key in mapping):
        return {key: encode(item, exact) for key, item in mapping.items()}
    pairs = [[encode(k, exact), encode(v, exact)] for k, v in mapping.items()]
    return {"$dict": pairs}


def decode(data: Any, depth: int = 0) -> Any:
    """Turn back what :func:`encode` made; ``depth`` is how deep it is nested."""
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    inner = depth + 1
    if isinstance(data, list):
        return [decode(item, inner) for item in data]
    if not isinstance(data, dict):
        return data
    if "$array" in data:
        return _decode_array(data, inner)
    if "$tuple" in data:
        return tuple(decode(data["$tuple"], inner))
    if "$float" in data:
        return float(data["$float"])
    if "$dict" in data:
        pairs = data["$dict"]
        return {decode(key, inner): decode(item, inner) for key, item in pairs}
    return {key: decode(item, inner) for key, item in data.items()}


def _decode_array(data: Mapping[str, Any], depth: int) -> np.ndarray[Any, Any]:
    """Make an array of the type and shape that were written."""
    if not re.fullmatch(r"[<>|=]([biuf][1248]|f16|U[0-9]{1,9})", data["dtype"]):
        raise ValueError(
            f"{str(data['dtype'])[:50]!r} is not a type of numbers or text"
        )
    entries, dtype = decode(data["$array"], depth), np.dtype(data["dtype"])
    if dtype.kind == "U":  # as long as the data, whatever the file says
        dtype = min(dtype, np.array(entries, "U").dtype, key=lambda t: t.itemsize)
    return np.array(entries, dtype).reshape(data["shape"])
