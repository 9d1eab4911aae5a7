"""Evert & Krenn (2005), Using small random samples for the manual evaluation of association measures: figures."""

CANDIDATES, TRUE_POSITIVES, BASELINE = 14_654, 939, "6.41"  # percent
ALL_COMBINATIONS, AT_LEAST_THREE = 294_534, "5"  # share of pair types with f >= 3, percent

IN_FRAGE_STELLEN = {"O11": 146, "O12": 236, "O21": 3901, "N": 406_159}

SHARED, LIST_SIZE = 1_311, 2_000  # t-score and log-likelihood
ADJECTIVE_NOUN, ADJECTIVE_NOUN_RATE = 8_546, 0.15

SAME_RELIABILITY = ((0.20, 500), (0.05, 2_000))  # rate, list size: both mean 100 candidates
RULE_OF_THUMB = ((100, 0.20), (500, 0.10))  # sampled, the precision below which estimates are of little use
