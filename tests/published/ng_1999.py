"""Ng, Lim & Foo (1999), A case study on inter-annotator agreement for word sense disambiguation: figures.

The paper prints no confusion table of the noun *change*; ``CHANGE`` is one made up to have all figures printed for it.
"""

SENSES = ("1", "2", "3", "4", "5", "6", "8")
CHANGE = [
    [41, 10, 3, 3, 0, 9, 0],
    [3, 0, 0, 2, 0, 0, 0],
    [4, 4, 0, 0, 0, 2, 0],
    [15, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 1],
    [11, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0],
]
CHANGE_ITEMS, CHANGE_AGREEMENT, CHANGE_KAPPA = 111, "0.38", "-0.09"
CHANGE_CLASSES = (("1", "2", "3", "4", "6"), ("5", "8"))
CHANGE_AFTER = "1"

TABLES = {  # row: words, A, N, P_a, mean kappa
    "Table 1, nouns": (121, 7_676, 13_188, "0.582", "0.300"),
    "Table 1, verbs": (70, 9_520, 17_127, "0.556", "0.347"),
    "Table 1, all": (191, 17_196, 30_315, "0.567", "0.317"),
    "Table 2, before": (53, 3_387, 5_339, "0.634", "0.463"),
    "Table 2, after": (53, 5_033, 5_339, "0.943", "0.862"),
    "Table 3, before": (42, 5_115, 8_602, "0.595", "0.441"),
    "Table 3, after": (42, 8_042, 8_602, "0.935", "0.852"),
}
