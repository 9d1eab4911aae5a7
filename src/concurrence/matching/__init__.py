"""Two annotated corpora to one set of labels: exact and close matches."""
