"""divlearn inside other packages: Optuna, pymoo, Ray Tune.

Each file needs the package that it is for, so nothing is imported here.
"""
