"""Scored candidates to what people will judge, in parts, and plans of how much."""
