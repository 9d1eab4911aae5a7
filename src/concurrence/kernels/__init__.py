"""Arithmetic that several rooms need: arrays in, arrays out, NaN where nothing is defined."""
