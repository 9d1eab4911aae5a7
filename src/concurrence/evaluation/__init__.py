"""Scores and judgements to n-best precision, confidence regions and tests between measures."""
