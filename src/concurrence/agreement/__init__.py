"""Judgements to coefficients, intervals and a diagnosis."""
