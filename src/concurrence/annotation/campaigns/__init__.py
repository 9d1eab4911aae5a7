"""Campaigns: items, rounds, parts, manuals, training, and what a leader does with them."""
