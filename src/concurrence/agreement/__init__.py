"""Labels to coefficients, intervals, true agreement, diagnosis, coder models and judges."""
