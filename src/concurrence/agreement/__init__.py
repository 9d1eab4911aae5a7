"""Judgements to agreement: labels, spans, ratings and preferences side by side, judges above them."""
