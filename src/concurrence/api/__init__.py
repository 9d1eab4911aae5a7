"""The verbs that people call from Python: what they have becomes values, one room answers, a result comes back."""
