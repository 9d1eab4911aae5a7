"""Two annotated corpora to one set of labels."""
