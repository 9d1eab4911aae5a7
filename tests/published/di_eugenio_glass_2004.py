"""Di Eugenio & Glass (2004), The kappa statistic: a second look: the six examples, as printed and as they should be.

Each figure is (printed, right); they differ where the paper misprints, or computes on with rounded numbers.
"""

EXAMPLES = {
    1: [[70, 25], [0, 55]],
    2: [[70, 15], [10, 55]],
    3: [[90, 5], [5, 0]],
    4: [[45, 5], [5, 45]],
    5: [[40, 15], [20, 25]],
    6: [[40, 35], [0, 25]],
}

FIGURES = {
    1: {
        "P(A)": ("0.8333", "0.8333"),
        "P(E)": ("0.4912", "0.4911"),
        "kappa Co": ("0.6724", "0.6725"),
        "P(E), S&C": ("0.5050", "0.5050"),
        "kappa S&C": ("0.6632", "0.6633"),
        "2P(A)-1": ("0.6666", "0.6667"),
    },
    2: {"kappa Co": ("0.6632", "0.6637"), "kappa S&C": ("0.6632", "0.6633")},
    3: {
        "P(A)": ("0.90", "0.90"),
        "P(E)": ("0.905", "0.905"),
        "kappa Co": ("-0.048", "-0.053"),
        "kappa S&C": ("-0.048", "-0.053"),
        "2P(A)-1": ("0.8", "0.8"),
    },
    4: {
        "P(A)": ("0.90", "0.90"),
        "P(E)": ("0.5", "0.5"),
        "kappa Co": ("0.80", "0.80"),
        "kappa S&C": ("0.80", "0.80"),
        "2P(A)-1": ("0.8", "0.8"),
    },
    5: {
        "P(A)": ("0.65", "0.65"),
        "P(E)": ("0.52", "0.51"),
        "kappa Co": ("0.27", "0.29"),
        "kappa S&C": ("0.27", "0.28"),
    },
    6: {
        "P(A)": ("0.65", "0.65"),
        "P(E)": ("0.45", "0.45"),
        "kappa Co": ("0.418", "0.364"),
        "kappa S&C": ("0.27", "0.28"),
        "2P(A)-1": ("0.3", "0.3"),
    },
}

STEPS = {  # example 1, Figure 2: the products and squares of the categories' shares
    "p(Accept,1) p(Accept,2)": ("0.2956", (95, 70)),
    "p(Ack,1) p(Ack,2)": ("0.1956", (55, 80)),
    "p(Accept) squared": ("0.3025", (82.5, 82.5)),
    "p(Ack) squared": ("0.2025", (67.5, 67.5)),
}
HIGHLY_SIGNIFICANT = 0.5e-5  # printed as p = 0.5e-5: an upper bound
HIGHLY_SIGNIFICANT_EXAMPLES = (1, 4, 6)
