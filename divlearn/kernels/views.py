"""Tuples of arrays that kernels see through one address.

A state is a tuple of some hundred arrays and of further tuples. Passed by value, every
kernel that takes it has hundreds of arguments, and most of the time of compilation
goes into handing them on. A class under ``@viewed`` is passed as the address of a
*frame* instead: a row of words that say where its arrays are and which shape they
have. A kernel loads of it what it uses, and nothing else.

Without a compiler such classes are plain named tuples.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from divlearn.kernels.jit import JIT_DISABLED

C = TypeVar("C", bound=type)


class Viewed:
    """What ``@viewed`` adds to a named tuple: the address of its frame."""

    _fields: tuple[str, ...]

    @cached_property
    def address(self) -> int:
        """Where the frame is; it lives as long as the tuple."""
        self.frame = np.array(_words_of(self), np.uint64)
        return int(self.frame.ctypes.data)

    def __getstate__(self) -> None:
        """Leave the frame behind when the tuple is copied or pickled."""


def viewed(fields: C) -> C:
    """Let kernels see a named tuple of arrays and of such tuples by its address."""
    names = ("__module__", "__qualname__", "__doc__", "__annotations__")
    kept = {name: getattr(fields, name) for name in names}
    return type(fields.__name__, (Viewed, fields), kept)  # type: ignore[return-value]


def _words_of(part: Any) -> list[int]:
    """The words of a frame: those of each array, and addresses of further frames."""
    words: list[int] = []
    for field in part:
        if isinstance(field, Viewed):
            words.append(field.address)
        else:  # as numba lays out an array; nobody owns it: the tuple keeps it
            words += [0, 0, field.size, field.itemsize, field.ctypes.data]
            words += [*field.shape, *field.strides]
    return words


if not JIT_DISABLED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.datamodel import models
    from numba.core.imputils import lower_getattr_generic
    from numba.core.typing.templates import AttributeTemplate, infer_getattr
    from numba.core.typing.typeof import typeof, typeof_impl
    from numba.extending import NativeValue, register_model, unbox
    from numba.np.numpy_support import as_dtype

    #: Names and types of the fields of every view, by the name of its type.
    _FIELDS: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {}

    class View(types.Type):  # type: ignore[misc]
        """The type of a tuple that is seen through its frame.

        Only its name is kept in files of compiled code, which is why they are small.
        """

        def __init__(self, name: str) -> None:
            super().__init__(name)

        @property
        def fields(self) -> dict[str, Any]:
            """Types of the fields by name."""
            names, kinds = _FIELDS[self.name]
            return dict(zip(names, kinds, strict=True))

        def place_of(self, name: str) -> int:
            """Word of the frame at which a field begins."""
            place = 0
            for other, kind in self.fields.items():
                if other == name:
                    return place
                place += 1 if isinstance(kind, View) else 5 + 2 * kind.ndim
            raise KeyError(name)

        def __reduce__(self) -> Any:
            return View, (self.name,)

    @typeof_impl.register(Viewed)
    def _typeof_viewed(value: Any, context: Any) -> View:
        """The type of a tuple, by its class and the types of its fields."""
        kinds = tuple(typeof(field) for field in value)
        text = f"{type(value).__qualname__}{value._fields}{kinds}"
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        name = f"{type(value).__name__}_{digest}"
        _FIELDS.setdefault(name, (value._fields, kinds))
        return View(name)

    @register_model(View)
    class _ViewModel(models.PrimitiveModel):  # type: ignore[misc]
        """A view is the address of words."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.IntType(64).as_pointer())

    @unbox(View)
    def _unbox_view(kind: Any, value: Any, context: Any) -> Any:
        """Take the address from the tuple."""
        api = context.pyapi
        number = api.object_getattr_string(value, "address")
        address = api.long_as_ulonglong(number)
        api.decref(number)
        pointer = context.builder.inttoptr(address, ir.IntType(64).as_pointer())
        failed = cgutils.is_not_null(context.builder, api.err_occurred())
        return NativeValue(pointer, is_error=failed)

    @infer_getattr
    class _ViewAttribute(AttributeTemplate):  # type: ignore[misc]
        """The type of a field."""

        key = View

        def generic_resolve(self, view: View, name: str) -> Any:
            return view.fields.get(name)

    def _load(builder: Any, pointer: Any) -> Any:
        """Load a word that does not change as long as kernels run."""
        word = builder.load(pointer)
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word

    @lower_getattr_generic(View)
    def _get_field(context: Any, builder: Any, view: Any, words: Any, name: str) -> Any:
        """Load a field from its frame."""
        kind, place = view.fields[name], view.place_of(name)

        def word(i: int) -> Any:
            at = builder.gep(words, [ir.IntType(32)(place + i)], inbounds=True)
            return _load(builder, at)

        if isinstance(kind, View):
            return builder.inttoptr(word(0), words.type)
        array = ir.Constant(context.get_value_type(kind), None)  # nobody owns it
        data = builder.inttoptr(word(4), array.type.elements[4])
        shape = [word(5 + i) for i in range(kind.ndim)]
        if kind.layout == "C" and shape:  # the rest follows and need not be loaded
            width = ir.IntType(64)(as_dtype(kind.dtype).itemsize)
            items, strides = _compact(builder, shape, width)
        else:
            items, width = word(2), word(3)
            strides = [word(5 + kind.ndim + i) for i in range(kind.ndim)]
        # Part by part instead of by the stack: LLVM has thousands of these to read.
        for part, value in ((2, items), (3, width), (4, data)):
            array = builder.insert_value(array, value, part)
        for i in range(kind.ndim):
            array = builder.insert_value(array, shape[i], [5, i])
            array = builder.insert_value(array, strides[i], [6, i])
        return array

    def _compact(builder: Any, shape: list[Any], width: Any) -> tuple[Any, list[Any]]:
        """Number of items and strides of an array without gaps."""
        items, strides = shape[-1], [width]
        for length in reversed(shape[:-1]):
            strides.insert(0, builder.mul(items, width))
            items = builder.mul(items, length)
        return items, strides
