"""Marked stretches of documents to coefficients of agreement, intervals and a list of disagreements."""
