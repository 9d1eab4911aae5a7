"""Add items to a running campaign."""
