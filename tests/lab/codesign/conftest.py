import numpy as np
import pytest

from divlearn.lab.codesign.spaces import large_space

#: A design that works well, to change one thing at a time.
GOOD = {
    "extractor": "conv1",
    "out_channels_1": 12,
    "kernel_size_1": 5,
    "stride_1": 2,
    "out_channels_2": 16,
    "kernel_size_2": 3,
    "stride_2": 1,
    "act_bits": 4,
    "encoder": "systolic",
    "hd_dim": 1024,
    "am_bits": 2,
    "retrain": 5,
    "rows": 8,
    "cols": 8,
    "dataflow": "ws",
    "frequency": 200,
    "reram_size": 128,
    "cell_bits": 1,
    "adc_bits": 6,
    "adcs": 4,
}


@pytest.fixture
def good():
    """A design of the large space that can be built."""
    assert large_space().contains(GOOD)
    return dict(GOOD)


@pytest.fixture
def rng():
    """Random numbers, the same in every test."""
    return np.random.default_rng(7)
