"""Gaussian processes: proposals from few points on spaces of any kind.

Every output is a Gaussian process of its own over solutions. Notation, with the names
of arrays and fields in :mod:`divlearn.methods.dl.kernels.models.gp.state`:

    x, z         solutions, as rows of coordinates (``coordinates``), one per column
    M, C, F, P   rows, columns, features, outputs
    d_c(x, z)    difference in column c: 0 or 1, |x_c - z_c|, or its square
    w_c          weight of column c (``weights``): rate times the weight of its feature,
                 which is one over a lengthscale (``log_weights``, ``log_rate``; ARD)
    s_c(x, z)    centred similarity in column c (``centred``)
    v_ab         weight of the pair of columns a, b (``log_pairs``)
    k(x, z)      covariance exp(-sum_c w_c d_c) + sum_ab v_ab s_a s_b, signal 1
                 (``kernel``; its first part ``base``; of a candidate ``covariances``);
                 where reals count, Matern's 5/2 may stand for the exponential
    noise        variance of the noise over that of the signal (``log_noise``)
    K            k of all rows, plus noise on the diagonal; K = U'U (``upper``),
                 V = inverse of U' (``lower``, transposed in ``factors``)
    y            warped and standardised values of one output (``targets``)
    mu, sigma    mean and standard deviation of the process (``level``, ``signal``),
                 those of greatest likelihood given the rest
    alpha        inverse of K times (y - mu) (``alphas``)
    theta        all logarithms that are fitted (``theta``): weights of features, rate,
                 noise, weights of pairs; a maximum of evidence times prior (MAP)
    m(x), s(x)   predicted mean and standard deviation (``predicted``, ``deviation``)
    kappa        optimism: the acquisition function is the hypervolume that m - kappa s
                 would add to the front, times the probability of feasibility
"""
