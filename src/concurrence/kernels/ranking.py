"""Ranking with random tie-breaking under a recorded seed."""
