"""Text to tokens: plain lines, running text, vertical text, CoNLL-U, Parquet, and .gz of each."""

from concurrence.corpus.reading import read_corpus

__all__ = ["read_corpus"]
