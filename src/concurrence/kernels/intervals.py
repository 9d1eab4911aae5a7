"""Exact and approximate intervals for proportions and rates."""
