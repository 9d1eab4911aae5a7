"""Exact tail probabilities of discrete distributions, in log space."""
