"""All measures on lists in which every candidate is judged."""
