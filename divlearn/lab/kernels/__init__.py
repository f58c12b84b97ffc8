"""Kernels of methods to compare with; each is compiled when its method is used."""
