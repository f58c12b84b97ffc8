"""Files altered at random: one function per kind of file.

Each takes a random generator and the content of a good file, and returns what was done
in words and the altered content. Whoever wrote the altered file knew all about the
format: checksums fit.
"""

import io
import json
import math
import zipfile

import numpy as np

from divlearn.basics.arrays import pack_described
from divlearn.result.file import checksum_of

#: What whole numbers and others are replaced by.
WHOLE = [-1, 0, 1, 2, 7, 63, 64, 255, 256, 257, 2**31, 2**40, 2**62]
WHOLE += [-(2**63), 2**63 - 1]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e18, -1e18, 1e308, -1e308, 5e-324]
NUMBERS += [math.nan, math.inf, -math.inf]
#: Parts of JSON are replaced by these.
VALUES = [None, True, False, -1, 0, 1, 3, 10**9, 10**15, 10**30, 0.5, 1e308]
VALUES += [math.nan, math.inf, "", "x", "\ud800", "dl", "x" * 5000, [], {}, [[]]]
VALUES += [[1, 2, 3], {"a": 1}, {"$array": [1], "dtype": "<U999999999", "shape": [1]}]
VALUES += [{"$dict": [[[], 1]]}, {"$tuple": 5}, {"$float": "x"}]


def flipped(rng, content):
    """Change some bits, or cut the file, or repeat a part of it."""
    content = bytearray(content)
    kind = rng.integers(4)
    if kind == 0:
        return "cut", bytes(content[: rng.integers(len(content))])
    if kind == 1:
        start = rng.integers(len(content))
        content[start:start] = content[start : start + rng.integers(1, 500)]
        return "repeated", bytes(content)
    for _ in range(rng.integers(1, 9)):
        content[rng.integers(len(content))] ^= 1 << rng.integers(8)
    return "flipped", bytes(content)


# --- JSON


def json_data(rng, data):
    """Replace, drop, rename or bury one part of a JSON document."""
    data = json.loads(json.dumps(data))
    place, key = _place(rng, data)
    kind = rng.integers(6)
    if kind == 0 and isinstance(place, dict):
        del place[key]
        return f"dropped {key}", data
    if kind == 1 and isinstance(place, dict):
        place[f"{key}x"] = place.pop(key)
        return f"renamed {key}", data
    if kind == 2:
        depth = int(rng.choice([3, 60, 400, 900]))
        for _ in range(depth):
            place[key] = [place[key]] if rng.integers(2) else {"a": place[key]}
        return f"buried {key} {depth} deep", data
    number = isinstance(place[key], (int, float)) and kind == 3
    value = place[key] + 1 if number else VALUES[rng.integers(len(VALUES))]
    place[key] = value
    return f"{key} = {repr(value)[:40]}", data


def _place(rng, data):
    """A place in a document: what holds it, and its key there."""
    while True:
        keys = list(data) if isinstance(data, dict) else range(len(data))
        key = keys[rng.integers(len(keys))]
        inner = data[key]
        if isinstance(inner, (dict, list)) and inner and rng.integers(4):
            data = inner
        else:
            return data, key


def json_file(rng, content):
    """Alter a file of JSON."""
    if rng.integers(8) == 0:
        return flipped(rng, content)
    what, data = json_data(rng, json.loads(content))
    if rng.integers(8) and isinstance(data, dict) and "checksum" in data:
        data["checksum"] = checksum_of(data)
    return what, json.dumps(data).encode()


# --- arrays


def npz(rng, content):
    """Alter an archive of arrays with a description in JSON."""
    kind = rng.integers(12)
    if kind == 0:
        return flipped(rng, content)
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    names = [name for name in arrays if name != "about"]
    name = names[rng.integers(len(names))]
    if kind == 1:
        return _other_archive(rng, arrays, name)
    if kind < 4:
        what, about = json_data(rng, json.loads(str(arrays["about"])))
        arrays["about"] = np.array(json.dumps(about, ensure_ascii=True))
        return f"about: {what}", _sealed(rng, arrays)
    what, arrays[name] = _other_array(rng, arrays[name].copy())
    return f"{name}: {what}", _sealed(rng, arrays)


def _sealed(rng, arrays):
    """The content of an archive; mostly its checksums fit what was altered."""
    about = json.loads(str(arrays["about"]))
    if rng.integers(8) == 0 or not isinstance(about, dict):
        return _packed(arrays)
    others = {name: array for name, array in arrays.items() if name != "about"}
    return pack_described(others, json.dumps(about))


def _packed(arrays, save=np.savez):
    """The content of an archive."""
    content = io.BytesIO()
    save(content, **arrays)
    return content.getvalue()


def _other_archive(rng, arrays, name):
    """Drop, add, exchange or compress arrays; promise more than there is."""
    kind = rng.integers(6)
    if kind == 0:
        del arrays[name]
        return f"dropped {name}", _packed(arrays)
    if kind == 1:
        return "added", _packed(arrays | {"more": np.zeros(3)})
    if kind == 2:
        other = list(arrays)[rng.integers(len(arrays))]
        arrays[name], arrays[other] = arrays[other], arrays[name]
        return f"exchanged {name} and {other}", _packed(arrays)
    if kind == 3:
        return "compressed", _packed(arrays, np.savez_compressed)
    if kind == 4:
        return f"{name} promises more", _promising(arrays, name)
    return f"{name} twice", _twice(arrays, name)


def _promising(arrays, name):
    """An archive in which one array says that it is huge."""
    content, array = io.BytesIO(), arrays[name]
    with zipfile.ZipFile(content, "w") as file:
        for other, values in arrays.items():
            stream = io.BytesIO()
            if other == name:
                shape = (10**9, *array.shape[1:])
                header = {"descr": np.lib.format.dtype_to_descr(array.dtype)}
                header |= {"fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(stream, header)
            else:
                np.save(stream, values)
            file.writestr(f"{other}.npy", stream.getvalue())
    return content.getvalue()


def _twice(arrays, name):
    """An archive that lists an array twice."""
    content = io.BytesIO(_packed(arrays))
    stream = io.BytesIO()
    np.save(stream, arrays[name])
    import warnings

    with warnings.catch_warnings(), zipfile.ZipFile(content, "a") as file:
        warnings.simplefilter("ignore", UserWarning)
        file.writestr(f"{name}.npy", stream.getvalue())
    return content.getvalue()


def _other_array(rng, array):
    """Another shape, another type, or other values."""
    kind = rng.integers(12)
    if kind == 0:
        return "short", array[:-1] if array.ndim else array.reshape(1)
    if kind == 1:
        return "long", np.concatenate([array, array]) if array.ndim else array[None]
    if kind == 2:
        return "one row more", np.concatenate([array, array[:1]])
    if kind == 3:
        return "another axis", array[None]
    if kind == 4 and array.dtype.names is None:
        dtype = ["<i4", "<f4", "<u8", ">i8", "<i8", "<f8", "?"][rng.integers(7)]
        with np.errstate(invalid="ignore"):
            return f"as {dtype}", array.astype(dtype)
    if kind == 5 and array.ndim > 1:
        return "by columns", np.asfortranarray(array)
    if array.size == 0:
        return "nothing", array
    if kind == 6 and len(array) > 1:
        return "shuffled", rng.permutation(array)
    return _other_values(rng, array)


def _other_values(rng, array):
    """Other values in one field, somewhere or everywhere."""
    part, what = array, ""
    if array.dtype.names is not None:
        field = array.dtype.names[rng.integers(len(array.dtype.names))]
        part, what = array[field], f"{field} "
    flat = part.reshape(-1)
    count = int(rng.choice([1, 1, 2, flat.size]))
    places = rng.choice(flat.size, min(count, flat.size), replace=False)
    with np.errstate(over="ignore", invalid="ignore"):
        value = _value(rng, flat[places[0]], part)
        flat[places] = value
    if array.dtype.names is None:
        return f"{len(places)} = {value}", flat.reshape(array.shape)
    array[field] = flat.reshape(part.shape)
    return f"{what}{len(places)} = {value}", array


def _value(rng, old, part):
    """A value that is off by one, out of range, or no number."""
    if part.dtype.kind == "f":
        if rng.integers(3) == 0:
            return part.dtype.type(float(old) * rng.choice([-1.0, 2.0, 1e9, 1 + 1e-15]))
        return part.dtype.type(NUMBERS[rng.integers(len(NUMBERS))])
    if rng.integers(3) == 0:
        near = int(old) + int(rng.choice([-1, 1]))
    else:
        near = [*WHOLE, len(part), part.shape[-1]][rng.integers(len(WHOLE) + 2)]
    limits = np.iinfo(part.dtype)
    return part.dtype.type(min(max(near, limits.min), limits.max))
