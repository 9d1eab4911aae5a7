"""Counting on a cluster: Spark moves the data, the local kernel counts."""
