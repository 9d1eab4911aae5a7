"""The study, the metrics, and the coefficients of the table with their errors, intervals and tests."""
