"""Campaigns: people judge items, and nothing is lost."""
