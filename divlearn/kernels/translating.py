"""Translate look-ups in arrays, and loops, to LLVM's language in few words.

Half of what kernels do is reading and writing numbers of arrays. For each of them numba
looks for its rule once more, copies the array's description to the stack and takes it
apart there: thirty lines for one number, which LLVM reads and throws away. For plain
arrays and whole numbers as indices, five to ten lines say the same. And a loop that
counts up by one needs no division to know how often it runs. Everything else is left to
numba, and so are look-ups whose bounds are checked.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils, ir
from numba.core.imputils import impl_ret_borrowed
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.np.arrayobj import fix_integer_index, load_item, store_item

#: Places of the data, the shape and the strides in numba's description of an array.
ITEMS, DATA, SHAPE, STRIDES = 2, 4, 5, 6
#: What an array must hold to be looked up here.
PLAIN = (types.Number, types.Boolean, types.Record)


class PlainLower(Lower):  # type: ignore[misc]
    """Numba's translation, with short words for what kernels do most."""

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Translate an expression; the start of a loop by :meth:`_begin_counting`."""
        if expr.op == "getiter" and self._counts_up(expr.value):
            return self._begin_counting(resty, self.loadvar(expr.value.name))
        return super().lower_expr(resty, expr)

    def _counts_up(self, variable: Any) -> bool:
        """Whether a variable is ``range(stop)`` or ``range(start, stop)``."""
        if not isinstance(self.typeof(variable.name), types.RangeType):
            return False
        made = guard(get_definition, self.func_ir, variable)
        called = isinstance(made, ir.Expr) and made.op == "call"
        return called and 1 <= len(made.args) <= 2 and not made.kws and not made.vararg

    def _begin_counting(self, resty: Any, made: Any) -> Any:
        """What numba keeps of a loop: the next number, stop, step, and how many."""
        builder = self.builder
        start, stop = builder.extract_value(made, 0), builder.extract_value(made, 1)
        many = builder.sub(stop, start)
        some = builder.icmp_signed(">", many, many.type(0))
        many = builder.select(some, many, many.type(0))
        loop = cgutils.get_null_value(self.context.get_value_type(resty))
        fields = (self._on_stack(start), stop, start.type(1), self._on_stack(many))
        for place, field in enumerate(fields):
            loop = builder.insert_value(loop, field, place)
        return loop

    def _on_stack(self, number: Any) -> Any:
        """Keep a number on the stack of the function; returns where."""
        place = cgutils.alloca_once(self.builder, number.type, zfill=False)
        self.builder.store(number, place)
        return place

    def lower_getitem(
        self, resty: Any, expr: Any, value: Any, index: Any, signature: Any
    ) -> Any:
        """Translate ``value[index]``."""
        kind, indices = self._read(value, index, signature)
        if not indices or len(indices) < kind.ndim - 1:
            return super().lower_getitem(resty, expr, value, index, signature)
        array = self.loadvar(value.name)
        place = self._place(kind, array, indices)
        if len(indices) == kind.ndim:
            item = load_item(self.context, self.builder, kind, place)
            return self.context.cast(self.builder, item, kind.dtype, resty)
        return self._last_row(kind, array, place, resty)

    def lower_setitem(
        self, target_var: Any, index_var: Any, value_var: Any, signature: Any
    ) -> Any:
        """Translate ``target[index] = value``."""
        kind, indices = self._read(target_var, index_var, signature)
        given = signature.args[2]
        if len(indices) != kind.ndim or isinstance(given, types.Buffer):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        place = self._place(kind, self.loadvar(target_var.name), indices)
        value = self._cast_var(value_var, given)
        value = self.context.cast(self.builder, value, given, kind.dtype)
        return store_item(self.context, self.builder, kind, value, place)

    def _read(self, array: Any, index: Any, signature: Any) -> tuple[Any, list[Any]]:
        """Types of an array and of its indices; none if this is a case for numba."""
        kind, given = self.typeof(array.name), types.unliteral(self.typeof(index.name))
        if (
            not isinstance(kind, types.Array)
            or kind.layout != "C"
            or not isinstance(kind.dtype, PLAIN)
            or kind != signature.args[0]
            or self.context.enable_boundscheck
        ):
            return types.Array(types.int64, 1, "C"), []
        kinds = given.types if isinstance(given, types.BaseTuple) else (given,)
        if not all(isinstance(each, types.Integer) for each in kinds):
            return kind, []
        values = [self.loadvar(index.name)]
        if isinstance(given, types.BaseTuple):
            values = cgutils.unpack_tuple(self.builder, values[0], len(kinds))
        return kind, list(zip(map(types.unliteral, kinds), values, strict=True))

    def _place(self, kind: Any, array: Any, indices: list[Any]) -> Any:
        """Address of the number, or of the first one of the row, at some indices."""
        builder, place = self.builder, None
        for axis in range(kind.ndim):
            size = builder.extract_value(array, [SHAPE, axis])
            if place is not None:
                place = builder.mul(place, size)
            if axis < len(indices):
                step = fix_integer_index(self.context, builder, *indices[axis], size)
                place = step if place is None else builder.add(place, step)
        return builder.gep(builder.extract_value(array, DATA), [place])

    def _last_row(self, kind: Any, array: Any, place: Any, resty: Any) -> Any:
        """The row of an array whose first number is at an address."""
        builder, last = self.builder, kind.ndim - 1
        size = builder.extract_value(array, [SHAPE, last])
        row = cgutils.get_null_value(self.context.get_value_type(resty))
        for field in range(ITEMS + 2):  # who owns it, and the size of a number
            row = builder.insert_value(row, builder.extract_value(array, field), field)
        row = builder.insert_value(row, size, ITEMS)
        row = builder.insert_value(row, place, DATA)
        row = builder.insert_value(row, size, [SHAPE, 0])
        stride = builder.extract_value(array, [STRIDES, last])
        row = builder.insert_value(row, stride, [STRIDES, 0])
        return impl_ret_borrowed(self.context, builder, resty, row)
