"""How many of a list are true: from judges of all, people on a sample, or judges alone."""
