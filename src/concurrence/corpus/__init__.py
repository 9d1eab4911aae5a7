"""Text to tokens: plain text, vertical (VRT), CoNLL-U, Parquet, and .gz of each."""
