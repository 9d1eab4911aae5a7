"""Tokens to pairs: one function per co-occurrence rule, on one machine or on Spark."""
