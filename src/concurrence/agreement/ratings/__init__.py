"""Ratings -> agreement on numbers: intraclass correlations, concordance, limits of agreement, ranks."""
