"""Campaigns: items, rounds, parts, manuals, training, names; a backup, and the end."""
