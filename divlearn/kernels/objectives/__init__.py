"""Compiled objectives and repairs of the built-in problems.

An objective is ``objective(x, table, y)``: it reads the codes ``x`` and the instance
``table`` and writes objective values in the user's senses, then constraint values,
into ``y``. A repair is ``repair(x, table)`` and changes ``x`` in place; it depends on
nothing else, so that the same solution is always repaired in the same way.
"""
