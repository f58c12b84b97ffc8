"""A few solutions of a small space, as a Bayesian run would see them."""

import itertools

import numpy as np

import divlearn as dl
from divlearn.lab.baselines.bayes import model
from divlearn.lab.baselines.bayes.acquisition import View
from divlearn.lab.baselines.bayes.features import Encoder
from divlearn.lab.baselines.bayes.running import own_torch

LINE = dl.Integer(0, 20, n=2)
#: Objectives of LINE that are in conflict, and a reference point.
REFERENCE = np.array([2.0, 2.0])


def line_view(noise=True, pending=(), constraint=None):
    """A model of a few solutions of LINE, of two objectives, as a run would see it."""
    codes = np.array(list(itertools.product([0, 6, 13, 20], [1, 10, 19])))
    x = codes / 20.0
    outputs = np.column_stack(
        [(x[:, 0] - 0.2) ** 2 + x[:, 1], (x[:, 0] - 0.8) ** 2 + x[:, 1] / 2]
    )
    outputs = (outputs - outputs.mean(axis=0)) / outputs.std(axis=0)
    if constraint is not None:
        outputs = np.column_stack([outputs, constraint(x)])
    encode = Encoder(LINE.layout)
    data = model.Data(encode(codes), outputs, noise)
    with own_torch(0):
        constants = model.fit(encode.columns, data, None)
        posterior = model.Posterior(encode.columns, data, constants)
    waiting = np.array(pending, np.int64).reshape(-1, 2)
    shift = np.zeros(outputs.shape[1])
    view = View(posterior, encode, codes, outputs, shift, REFERENCE, noise, waiting)
    return view, model.build(encode.columns, data, constants)
