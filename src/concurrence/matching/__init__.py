"""Two annotated corpora -> one set of labels: exact and close matches, one to one per word."""
