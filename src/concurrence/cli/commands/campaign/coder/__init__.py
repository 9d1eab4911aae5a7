"""Add, replace or remove coders."""
