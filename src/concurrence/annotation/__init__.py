"""Campaigns: questions, assignment, the decision store, adjudication."""
