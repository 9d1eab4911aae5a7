"""Text to tokens: plain lines, running text, vertical text, CoNLL-U, Parquet, and .gz of each; and an index of them."""
