"""Labels to coefficients, intervals, true agreement, diagnosis and models of coders."""
