"""Krenn, Evert & Zinsmeister (2004), Determining intercoder agreement for a collocation identification task: figures.

The paper prints no contingency tables. Those in ``TABLES`` (rows: the expert BK) were recovered by search from the
printed figures: among the tables whose kappa has the printed digits, they give the four printed interval ends. Where
several do, the one was taken in which the expert accepts as many candidates as with other coders; this tells the parts
of the test set, ``SAME_PART``, of which the paper says no more than that NN7 and NN9 had the same.
"""

N_ITEMS = 3418
PARTS = (855, 855, 855, 853)

TABLE_1 = {  # coder: conservative interval, percent
    "NN1": ("12.16", "86.08"),
    "NN2": ("9.24", "85.03"),
    "NN3": ("13.92", "78.95"),
    "NN4": ("13.33", "85.26"),
    "NN5": ("11.46", "84.33"),
    "NN6": ("12.63", "83.74"),
    "NN7": ("13.92", "89.36"),
    "NN8": ("12.51", "59.18"),
    "NN9": ("12.98", "88.19"),
    "NN10": ("13.72", "84.76"),
    "NN11": ("11.61", "78.55"),
    "NN12": ("4.34", "60.73"),
}

TABLE_2 = {  # coder: kappa, homogeneity interval and its size, percent; group of section 6
    "NN7": (".775", "71.93", "82.22", "10.29", "G1"),
    "NN9": (".747", "68.65", "79.77", "11.12", "G1"),
    "NN10": (".700", "64.36", "75.85", "11.49", "G2"),
    "NN4": (".696", "64.09", "75.91", "11.82", "G2"),
    "NN1": (".692", "63.39", "75.91", "12.52", "G2"),
    "NN6": (".671", "61.05", "73.33", "12.28", "G2"),
    "NN5": (".669", "60.12", "72.75", "12.63", "G2"),
    "NN2": (".639", "56.14", "70.64", "14.50", "G3"),
    "NN11": (".592", "52.40", "65.65", "13.25", "G3"),
    "NN3": (".520", "51.70", "64.33", "12.63", "G3"),
    "NN8": (".341", "33.68", "49.71", "16.03", "G4"),
    "NN12": (".265", "17.00", "35.05", "18.05", "G4"),
}

TABLES = {
    "NN7": [[123, 23], [33, 676]],
    "NN9": [[115, 31], [30, 679]],
    "NN10": [[123, 26], [53, 651]],
    "NN4": [[120, 22], [57, 656]],
    "NN1": [[109, 20], [55, 671]],
    "NN6": [[114, 28], [56, 657]],
    "NN5": [[104, 42], [37, 672]],
    "NN2": [[85, 44], [32, 694]],
    "NN11": [[108, 41], [66, 638]],
    "NN3": [[124, 5], [148, 578]],
    "NN8": [[126, 20], [231, 478]],
    "NN12": [[61, 88], [97, 607]],
}
SAME_PART = (("NN5", "NN7", "NN8", "NN9"), ("NN1", "NN2", "NN3"), ("NN4", "NN6"), ("NN10", "NN11", "NN12"))

FIGURE_2 = [[40, 15], [20, 25]]
FIGURE_3 = ([[25, 0], [0, 15]], [[15, 15], [20, 10]])  # C1 and C2 for m = 40
FIGURE_4 = ([[40, 0], [0, 0]], [[0, 15], [20, 25]])
LAZY_STUDENTS = ("0.05", "90.5")  # each marks 5 %; they agree on 90.5 %
