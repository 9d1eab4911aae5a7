"""How many judgements for which precision and power."""
