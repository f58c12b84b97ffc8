"""TSPLIB's distances between two nodes, word for word from its definition."""

import math


def nint(x):
    """Nearest integer, as C computes it from a positive number."""
    return int(x + 0.5)


def distance(kind, a, b, rounded=True):
    """Distance between two different nodes, by EDGE_WEIGHT_TYPE."""
    gaps = [abs(p - q) for p, q in zip(a, b, strict=True)]
    euclidean = math.sqrt(sum(gap * gap for gap in gaps))
    if kind.startswith("EUC"):
        return nint(euclidean) if rounded else euclidean
    if kind == "CEIL_2D":
        return math.ceil(euclidean) if rounded else euclidean
    if kind.startswith("MAN"):
        return nint(sum(gaps)) if rounded else sum(gaps)
    if kind.startswith("MAX"):
        return max(map(nint, gaps)) if rounded else max(gaps)
    if kind == "ATT":
        return _att(gaps, rounded)
    return _geo(a, b, rounded)


def _att(gaps, rounded):
    r = math.sqrt(sum(gap * gap for gap in gaps) / 10.0)
    if not rounded:
        return r
    t = nint(r)
    return t + 1 if t < r else t


def _geo(a, b, rounded):
    (latitude_a, longitude_a), (latitude_b, longitude_b) = map(_radians, (a, b))
    q1 = math.cos(longitude_a - longitude_b)
    q2 = math.cos(latitude_a - latitude_b)
    q3 = math.cos(latitude_a + latitude_b)
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    kilometres = 6378.388 * math.acos(max(-1.0, min(1.0, cosine)))
    return int(kilometres + 1.0) if rounded else kilometres


def _radians(place):
    angles = []
    for number in place:
        degrees = int(number)
        minutes = number - degrees
        angles.append(3.141592 * (degrees + 5.0 * minutes / 3.0) / 180.0)
    return angles


def matrix_entries(form, n):
    """The entries (row, column) that a form lists, in its order."""
    if form == "FULL_MATRIX":
        return [(i, j) for i in range(n) for j in range(n)]
    part, *diagonal, order = form.split("_")
    outer, inner = range(n), range(n)
    entries = []
    for a in outer:
        for b in inner:
            row, column = (a, b) if order == "ROW" else (b, a)
            beyond = column > row if part == "UPPER" else column < row
            if beyond or (diagonal and row == column):
                entries.append((row, column))
    return entries
