"""Tokens to pairs: one function per co-occurrence rule, a local kernel, a Spark engine."""
