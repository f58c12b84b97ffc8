"""The two design spaces: what a designer may choose."""

from __future__ import annotations

from divlearn.spaces import Categorical, Composite, Ordinal, Space

#: Encoders: a digital array, resistive crossbars, or two small factors.
DIGITAL, ANALOG, KRONECKER = "systolic", "pim", "kronecker"
#: Loop orders of the digital array: which operand stays in place.
DATAFLOWS = ("ws", "os", "is")
#: Convolution layers by extractor.
EXTRACTORS = {"none": 0, "conv1": 1, "conv2": 2}

_POWERS = (8, 16)

#: Parameters of the paper's space that have only one value.
PAPER_FIXED = {
    "frequency": 100_000_000,
    "padding_1": 0,
    "dilation_1": 1,
    "padding_2": 0,
    "dilation_2": 1,
}


def paper_space() -> Composite:
    """Return the 15 free parameters of the paper's space: 221,184 designs.

    Examples
    --------
    >>> len(paper_space().parts)
    15
    """
    parts: dict[str, Space] = {
        "hd_dim": Ordinal([1024, 2048, 4096, 8192]),
        "reram_size": Ordinal([128, 256]),
    }
    for layer, channels in ((1, [4, 8, 16]), (2, [8, 16, 32])):
        parts[f"out_channels_{layer}"] = Ordinal(channels)
        parts[f"kernel_size_{layer}"] = Ordinal([3, 5])
        parts[f"stride_{layer}"] = Ordinal([1, 2])
    for array in ("cnn_{}_dim_1", "cnn_{}_dim_2", "encoder_{}_dim"):
        for axis in "xy":
            parts[array.format(axis)] = Ordinal(list(_POWERS))
    parts["inner_dim"] = Ordinal([1024, 2048, 4096])
    return Composite(**parts)


def large_space() -> Composite:
    """Return 20 free variables, three of them categories: 1.0e11 designs.

    Examples
    --------
    >>> len(large_space().parts)
    20
    """
    return Composite(
        extractor=Categorical(list(EXTRACTORS)),
        out_channels_1=Ordinal([4, 8, 12, 16, 24]),
        kernel_size_1=Ordinal([3, 5, 7]),
        stride_1=Ordinal([1, 2]),
        out_channels_2=Ordinal([8, 16, 24, 32]),
        kernel_size_2=Ordinal([3, 5, 7]),
        stride_2=Ordinal([1, 2]),
        act_bits=Ordinal([1, 2, 4, 8]),
        encoder=Categorical([DIGITAL, ANALOG, KRONECKER]),
        hd_dim=Ordinal([128, 256, 512, 1024, 2048, 4096, 8192]),
        am_bits=Ordinal([1, 2, 4]),
        retrain=Ordinal([0, 2, 5, 10]),
        rows=Ordinal([4, 8, 16, 32]),
        cols=Ordinal([4, 8, 16, 32]),
        dataflow=Categorical(list(DATAFLOWS)),
        frequency=Ordinal([100, 200, 400, 800]),
        reram_size=Ordinal([64, 128, 256, 512]),
        cell_bits=Ordinal([1, 2, 4]),
        adc_bits=Ordinal([3, 4, 5, 6, 8]),
        adcs=Ordinal([1, 4, 8, 16]),
    )
