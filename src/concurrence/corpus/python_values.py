"""What people have in Python as a corpus: texts, tokens, frames, documents of spaCy, data sets of Hugging Face.

Nothing of another library is imported: its values are known by the module of their type.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import frame_of
from concurrence.corpus.frames import column_names
from concurrence.corpus.tag import conllu
from concurrence.corpus.taggers import spacy_sentences

if TYPE_CHECKING:
    import polars as pl

TEXT_COLUMNS = ("text", "content", "body")
TOKEN_COLUMNS = ("tokens", "words")
NAME_COLUMNS = ("document", "doc_id", "id", "file", "filename", "name", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextValue:
    """A document that was given as a value: its content in a format that is read, and what is known of it."""

    name: str
    content: str
    format: str = "text"
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusValues:
    """Values as documents, or as tables of tokens with the Arrow interface."""

    documents: tuple[TextValue, ...] = ()
    tables: tuple[Any, ...] = ()


def corpus_values(corpus: Sequence[Any]) -> CorpusValues | None:
    """The values that a corpus is given by, or None where it is given by names of files."""
    if not corpus or all(isinstance(part, str | Path) for part in corpus):
        return None
    values = [_values_of(part) for part in corpus]
    documents = tuple(document for value in values for document in value.documents)
    tables = tuple(table for value in values for table in value.tables)
    if documents and tables:
        raise InvalidInputError("Texts and tables of tokens cannot be read together; read one of them.")
    return CorpusValues(documents=documents, tables=tables)


def _values_of(value: Any) -> CorpusValues:
    kind = type(value).__module__.partition(".")[0]
    if kind == "spacy":
        return CorpusValues(documents=tuple(_spacy_documents(value)))
    if kind == "datasets":
        return _of_frame(frame_of(value.with_format("arrow")[:]))
    if hasattr(value, "__arrow_c_stream__") or hasattr(value, "to_records"):
        return _of_frame(value)
    if isinstance(value, Mapping):
        return CorpusValues(documents=tuple(_text(str(name), text) for name, text in value.items()))
    if isinstance(value, list | tuple):
        return _of_list(list(value))
    raise InvalidInputError(
        f"A corpus is files, texts, lists of tokens, a frame, or documents of spaCy, not {type(value).__name__!r}."
    )


def _of_list(values: list[Any]) -> CorpusValues:
    """Strings are texts, lists of strings sentences, lists of those documents; or there are values of spaCy."""
    if values and all(isinstance(value, str) for value in values):
        _refuse_names(values)
        return CorpusValues(documents=tuple(_text(f"text {n}", text) for n, text in enumerate(values, start=1)))
    if values and all(type(value).__module__.partition(".")[0] == "spacy" for value in values):
        return CorpusValues(documents=tuple(_spacy_documents(values)))
    if not all(isinstance(value, list | tuple) for value in values):
        strange = next(value for value in values if not isinstance(value, list | tuple))
        raise InvalidInputError(f"A list of a corpus holds texts, or lists of tokens, not {type(strange).__name__!r}.")
    documents = values if any(isinstance(token, list | tuple) for value in values for token in value) else [values]
    rows = [
        (f"document {d}", s, token)
        for d, sentences in enumerate(documents, start=1)
        for s, sentence in enumerate(sentences, start=1)
        for token in sentence
    ]
    if wrong := [token for _, _, token in rows if not isinstance(token, str) or not token]:
        raise InvalidInputError(f"{wrong[0]!r} in a list of tokens is not a token; tokens are strings.")
    return CorpusValues(tables=(_token_table(rows, named=documents is values),))


def _token_table(rows: list[tuple[str, int, str]], *, named: bool) -> "pl.DataFrame":
    import polars as pl

    names = {"document": pl.String, "sentence": pl.Int64, "form": pl.String}
    table = pl.DataFrame(rows, schema=names, orient="row")
    return table if named else table.drop("document")


def _refuse_names(texts: Sequence[str]) -> None:
    """Refuse a list of texts that are names of files: one may be meant, and the other."""
    name = texts[0]
    if len(name) < 256 and "\n" not in name and Path(name).exists():
        raise InvalidInputError(
            f"{name!r} is a file, and strings in a list are texts; read files as read_corpus({name!r}, ...)."
        )


def _text(name: str, text: Any) -> TextValue:
    if not isinstance(text, str):
        raise InvalidInputError(f"The text {name!r} is not a string, but {type(text).__name__!r}.")
    return TextValue(name=name, content=text)


def _of_frame(value: Any) -> CorpusValues:
    """A table of tokens as it is; a row with a text is a document, a row with a list of tokens a sentence."""
    frame = frame_of(value)
    known = set(column_names(frame.columns).values())
    if {"form", "sentence"} <= known:
        return CorpusValues(tables=(frame,))
    if (tokens := next((name for name in TOKEN_COLUMNS if name in frame.columns), None)) is not None:
        return CorpusValues(tables=(_exploded(frame, tokens),))
    text = next((name for name in TEXT_COLUMNS if name in frame.columns), None)
    if text is None:
        return CorpusValues(tables=(frame,))  # which says what a table of tokens needs
    return CorpusValues(documents=tuple(_row_documents(frame, text)))


def _exploded(frame: "pl.DataFrame", tokens: str) -> "pl.DataFrame":
    import polars as pl

    lists = [name for name in frame.columns if isinstance(frame[name].dtype, pl.List)]
    if tokens not in lists:
        raise InvalidInputError(f"The column {tokens!r} does not hold lists of tokens.")
    sizes = frame[tokens].list.len()
    same = [name for name in lists if (frame[name].list.len() == sizes).all()]
    rows = frame.drop([name for name in ("sentence", "form") if name in frame.columns]).filter(sizes > 0)
    return rows.with_row_index("sentence").explode(same).rename({tokens: "form"})


def _row_documents(frame: "pl.DataFrame", text: str) -> Iterable[TextValue]:
    name = next((column for column in NAME_COLUMNS if column in frame.columns), None)
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        facts = {key: "" if cell is None else str(cell) for key, cell in row.items() if key not in (text, name)}
        own = f"row {number}" if name is None or row[name] is None else str(row[name])
        yield TextValue(name=own, content=row[text] or "", facts=facts)


def _spacy_documents(value: Any) -> Iterable[TextValue]:
    """Documents of spaCy with their words, tags and trees, as CoNLL-U."""
    for number, document in enumerate(_docs(value), start=1):
        name = str(document.user_data.get("id") or document.user_data.get("title") or f"document {number}")
        sentences = "".join(f"{conllu(sentence)}\n" for sentence in spacy_sentences(document))
        yield TextValue(name=name, content=sentences, format="conllu")


def _docs(value: Any) -> Iterable[Any]:
    if isinstance(value, list):
        return (document for one in value for document in _docs(one))
    if hasattr(value, "get_docs"):
        from spacy.vocab import Vocab

        return value.get_docs(Vocab())  # type: ignore[no-any-return]
    if hasattr(value, "sents"):
        return [value]
    raise InvalidInputError(f"Of spaCy, a corpus takes Doc and DocBin, not {type(value).__name__!r}.")
