"""Fernández, Assessing the reliability of an annotation scheme for indefinites (slides): figures."""

CONTAINERS = [[1, 2], [0, 3]]  # true, false; rows coder A
CONTAINER_SHARES = ((".166", ".333"), ("0", ".5"))  # cut off, not rounded
CONTAINER_MARGINALS = ((".5", ".5"), (".166", ".833"))
CONTAINER_FIGURES = {"observed": ("66.6", "66.7"), "expected": ("49.9", "50.0"), "kappa": ("33.3", "33.3")}
RANDOM_CHOICE = {2: "50", 3: "33", 4: "25"}  # categories: expected agreement, percent
SKEWED = ("90.25", "0.25", "90.50")  # both true, both false, both: percent, at a share of .95

ACTS = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]  # Stat, IReq, Chck; after Artstein & Poesio (2008)
APART = [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]
ACT_FIGURES = {"observed": ".88", "expected": ".396", "kappa": ".8013"}
WEIGHTED_FIGURES = {"observed": "0.09", "expected": "0.49", "kappa": ".8163"}  # disagreements
