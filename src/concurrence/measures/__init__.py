"""Contingency tables to association scores."""
