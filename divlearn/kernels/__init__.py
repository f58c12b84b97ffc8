"""Compiled parts: plain functions over arrays, without validation.

The only folder that imports numba. Everything else reaches the compiler through
:mod:`divlearn.kernels.jit`.
"""
