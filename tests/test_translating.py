"""Look-ups in arrays, and loops, give compiled what they give in Python.

Not beside the tests of kernels: those run with bounds checked, where numba's own
translation is used.
"""

import numpy as np
import pytest

from divlearn.kernels.jit import JIT_DISABLED, kernel, lean_kernel

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="is about compiled kernels")

RECORD = np.dtype([("count", "i8"), ("share", "f8")])


def read_row(row, i, back):
    """Numbers of a row, from the front and from the back."""
    return row[i], row[back], row[0], row[-1]


def read_table(table, i, j):
    """A number by two indices, by a row, and by a row of a row."""
    row = table[i]
    return table[i, j], row[j], table[-1][-2], table[i, -1], row.size, row.strides[0]


def read_cube(cube, i, j, k):
    """A number of three indices, a row of two, and a slice of one."""
    row = cube[i, j]
    return cube[i, j, k], row[k], cube[-1, -1][-1], cube[i][j, k], cube[i].sum()


def write(row, table, i):
    """Write numbers of other kinds, and a row."""
    row[i] = True
    row[-1] = 7
    table[i, i] = i
    table[i, -1] += 2
    table[0] = row[0]
    table[-1][i] = 5.5
    return row.sum(), table.sum()


def use_record(records, i):
    """Change fields of one record of several."""
    record = records[i]
    record.count += 2
    records[-1].share = record.count / 4
    return records[i].count, records[-1].share


def same(function, *make):
    """Compare plain and compiled, with and without counting of references."""
    for compile_it in (kernel, lean_kernel):
        plain_args, args = ([each() for each in make] for _ in range(2))
        assert compile_it(function)(*args) == function(*plain_args)
        for one, other in zip(args, plain_args, strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i2", "u1", "u8", "?"])
@pytest.mark.parametrize("index", [np.int64, np.int16, np.uint64, np.uint8, int])
def test_numbers_of_a_row_are_found(kind, index):
    """Whatever the kinds of numbers and indices are."""
    same(
        read_row, lambda: (np.arange(7) % 3).astype(kind), lambda: index(2), lambda: -2
    )


@pytest.mark.parametrize("index", [np.int64, np.uint32, int])
def test_numbers_and_rows_of_tables_are_found(index):
    """Also where two indices are of different kinds."""
    table = np.arange(12.0).reshape(3, 4)
    same(read_table, lambda: table, lambda: index(1), lambda: 2)
    cube = np.arange(24).reshape(2, 3, 4)
    same(read_cube, lambda: cube, lambda: index(0), lambda: index(2), lambda: 1)


def test_what_is_not_in_one_piece_is_left_to_numba():
    """Every other number of a row, and columns as rows."""
    same(read_row, lambda: np.arange(14.0)[::2], lambda: 2, lambda: -2)
    same(read_table, lambda: np.arange(12.0).reshape(4, 3).T, lambda: 1, lambda: 2)


@pytest.mark.parametrize("kind", ["f8", "i8", "f4"])
def test_numbers_are_written_as_numpy_writes_them(kind):
    """Flags and whole numbers become what the array holds."""
    same(
        write,
        lambda: np.arange(4).astype(kind),
        lambda: np.ones((3, 4)),
        lambda: 1,
    )


def test_records_are_changed_in_place():
    """A record is seen where it is, not copied."""
    same(use_record, lambda: np.ones(3, RECORD).view(np.recarray), lambda: 1)


def test_a_row_keeps_its_table_alive():
    """A row that outlives the function that made its table."""

    @kernel
    def middle(n):
        table = np.arange(3.0 * n).reshape(3, n)
        return table[1]

    rows = [middle(1_000) for _ in range(50)]
    assert all(row[0] == 1_000 and row[-1] == 1_999 for row in rows)


def test_loops_count_as_in_python():
    """Up, not at all, and by other steps, which are left to numba."""

    def counted(start, stop, step):
        return (
            [2 * i for i in range(stop)],
            [2 * i for i in range(start, stop)],
            [2 * i for i in range(start, stop, step)],
            [2 * i for i in range(stop, start, -step)],
        )

    compiled = kernel(counted)
    for start, stop in [(0, 5), (2, 5), (5, 2), (-3, 2), (4, 4), (0, -1)]:
        for step in (1, 3):
            assert compiled(start, stop, step) == counted(start, stop, step)


def test_a_loop_inside_another_begins_anew():
    """Its number is kept on the stack of the function, once for all rounds."""

    @kernel
    def pairs(n):
        total = 0
        for i in range(n):
            for j in range(i, n):
                total += 10 * i + j
        return total

    assert pairs(7) == sum(10 * i + j for i in range(7) for j in range(i, 7))
