"""Slow, obvious versions of parts of the co-design model."""

import numpy as np


def convolve(maps, filters, stride):
    """One output after the other."""
    side, _, _, n = maps.shape
    out, kernel = filters.shape[:2]
    new = (side - kernel) // stride + 1
    result = np.zeros((new, new, out, n))
    for y in range(new):
        for x in range(new):
            top, left = y * stride, x * stride
            patch = maps[top : top + kernel, left : left + kernel]
            for o in range(out):
                for image in range(n):
                    result[y, x, o, image] = (patch[..., image] * filters[o]).sum()
    return result


def count_words(product, array):
    """Walk through all folds of a product and count what each moves."""
    m, k, n = product
    inputs = weights = sums = 0
    across = {"os": (m, n), "ws": (k, n), "is": (k, m)}[array.dataflow]
    for row in range(0, across[0], array.rows):
        for col in range(0, across[1], array.cols):
            height = min(array.rows, across[0] - row)
            width = min(array.cols, across[1] - col)
            if array.dataflow == "os":
                inputs += height * k
                weights += width * k
                sums += height * width
            elif array.dataflow == "ws":
                weights += height * width
                inputs += height * m
                sums += width * m * (1 if row == 0 else 2)
            else:
                inputs += height * width
                weights += height * n
                sums += width * n * (1 if row == 0 else 2)
    return inputs, weights, sums


def similarities(vectors, levels, bits):
    """Compare with a class memory that has no faults and no converter."""
    values = 2 * levels - (2**bits - 1)
    return vectors.T.astype(float) @ values
