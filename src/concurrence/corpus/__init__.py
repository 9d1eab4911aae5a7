"""Text to tokens: plain lines, running text, vertical text, CoNLL-U, Parquet, and .gz of each; and an index of them.

What is named here is imported when it is first used: opening an index needs numpy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrence.corpus.index import open_index
    from concurrence.corpus.index_writer import write_index
    from concurrence.corpus.reader import read_corpus

_HOMES = {"open_index": "index", "read_corpus": "reader", "write_index": "index_writer"}

__all__ = ["open_index", "read_corpus", "write_index"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'concurrence.corpus' has no attribute {name!r}")
    return getattr(import_module(f"concurrence.corpus.{_HOMES[name]}"), name)
