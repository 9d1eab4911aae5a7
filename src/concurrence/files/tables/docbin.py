"""spaCy's ``.spacy`` files (``DocBin``): documents with their tokens, spans and categories."""

from pathlib import Path
from typing import Any

from concurrence.core.errors import ConcurrenceError, InvalidInputError

ENDING = ".spacy"


def read_docs(path: Path, data: bytes) -> list[Any]:
    """The documents of a ``DocBin``, read by spaCy, which must be installed."""
    try:
        from spacy.tokens import DocBin
        from spacy.vocab import Vocab
    except ImportError as error:
        raise ConcurrenceError(f"{path}: reading .spacy files needs spaCy (pip install spacy).") from error
    try:
        return list(DocBin().from_bytes(data).get_docs(Vocab()))
    except Exception as error:  # whatever spaCy and msgpack say of bytes that are none of theirs
        raise InvalidInputError(f"{path} is not a .spacy file of spaCy (a DocBin): {error}") from error


def name_of_doc(doc: Any, number: int) -> str:
    """What a document is called: its own id, if one was kept, else its number."""
    own = doc.user_data.get("id") if doc.user_data else None
    return str(own) if own is not None else str(number)
