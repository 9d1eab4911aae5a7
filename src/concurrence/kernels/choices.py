"""The names that kernels take; without arrays, so that a command line reads them fast."""

INTERVALS = ("hypergeometric", "clopper-pearson", "blaker", "design")
"""Intervals of a share, by :func:`concurrence.kernels.estimates.interval`."""
ALTERNATIVES = ("minlike", "central")
"""What is two-sided in Fisher's test."""
EQUAL_VOTES = ("error", "yes", "no")
"""How a candidate with equal votes counts."""
BOUNDS = ("obrien-fleming", "pocock")
"""How the error is spent over planned looks, by :mod:`concurrence.kernels.looks`."""
CODER_ERRORS = ("votes", "posterior")
"""Where verdicts as other coders might have given them come from."""
SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
"""Scales of the categories."""
ORDERED_WEIGHTS = ("linear", "quadratic", "ordinal")
"""Weights for partial agreement that go by the order of the categories."""
WEIGHTS = (*ORDERED_WEIGHTS, "masi", "jaccard")
"""All weights for partial agreement; the last two compare sets."""
CONVENTIONS = ("items", "pairs")
"""What gets equal weight if labels are missing."""
