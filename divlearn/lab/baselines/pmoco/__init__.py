"""PMOCO: a network that builds solutions for any preference between objectives.

Trained on random instances of a family, it then solves any instance without search.
Everything here but :mod:`~divlearn.lab.baselines.pmoco.plan` and the methods themselves
needs PyTorch: ``pip install "divlearn[neural]"``.
"""
