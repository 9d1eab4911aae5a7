"""Comparisons -> strengths: Bradley and Terry's model with ties and position, and agreement on comparisons."""
