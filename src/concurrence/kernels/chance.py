"""Chance correction: observed and expected agreement from matrices."""
