"""Tokens from a table: one token per row, with its sentence and its attributes as columns."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus, Documents
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import frame_of
from concurrence.core.layers import BORDER, MISSING, Layer, Vocabulary
from concurrence.corpus.fields import ALL
from concurrence.corpus.source_files import Source

HEAD_POSITION = "head_position"
SYNONYMS = {
    "word": "form",
    "token": "form",
    "upos": "pos",
    "doc_id": "document",
    "document_id": "document",
    "sentence_id": "sentence",
    "sent_id": "sentence",
    "token_id": "position",
    "tag": "xpos",
    "head_token_id": HEAD_POSITION,
    "dep_rel": "deprel",
}
"""What other programs call the columns, such as udpipe and spacyr in R."""
STRUCTURE = ("document", "sentence", "position", "head", HEAD_POSITION)
TEXTS = ("form", "lemma", "pos", "xpos", "deprel")


def read_parquet(source: Source) -> pl.DataFrame:
    """The table of one file of tokens."""
    try:
        if (data := source.content) is None:
            data = sys.stdin.buffer.read() if str(source.path) == "-" else source.path.read_bytes()
        return pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # a panic, where metadata lie
        raise InvalidInputError(f"{source.path} is not a Parquet file: {str(error).splitlines()[0]}") from error
    except OSError as error:
        raise InvalidInputError(f"{source.path} cannot be read: {error.strerror}.") from error


def corpus_from_frames(
    frames: Sequence[tuple[str | Path, Any]], *, attributes: frozenset[str], names: Sequence[str] = ()
) -> Corpus:
    """Tokens from tables with the columns ``sentence`` and ``form``, and whatever else there is.

    Where there is a column ``position``, it orders the tokens of a sentence, whichever tables they stand in, and no
    two tokens may have the same place; otherwise a new value of ``sentence`` begins a new one. With a column
    ``document``, sentences may be numbered within documents. ``head`` counts inside the sentence, from 1, and 0 is
    the root. ``document`` names the document of a token; without it, every table is one, called by ``names``.
    """
    tables = [_named(frame_of(frame), where) for where, frame in frames]
    wanted = [name for name in tables[0].columns if _is_layer(tables[0], name, attributes)]
    for (where, _), table in zip(frames, tables, strict=True):
        if lacking := [name for name in wanted if name not in table.columns]:
            raise InvalidInputError(f"{where} has no column {lacking[0]!r}, but other files of the corpus do.")
    tables = _in_order(tables)
    sizes = _sentence_sizes(tables)
    places, total = _places(sizes)
    layers = {name: _layer([table[name] for table in tables], places, total) for name in wanted}
    heads = None
    if "head" in attributes and all("head" in table.columns and table["head"].count() for table in tables):
        heads = _heads(pl.concat([table["head"].cast(pl.Int64) for table in tables]), sizes, places, total)
    sources = tuple(str(where) for where, _ in frames)
    return Corpus(layers=layers, heads=heads, sources=sources, documents=_documents(sources, names, tables, places))


def _named(table: pl.DataFrame, where: str | Path) -> pl.DataFrame:
    table = table.select(pl.col(old).alias(new) for old, new in column_names(table.columns).items())
    for name in ("sentence", "form"):
        if name not in table.columns:
            names = ", ".join(table.columns)
            raise InvalidInputError(
                f"{where} has no column {name!r}, which a table of tokens needs; its columns are {names}."
            )
    if table["form"].dtype not in (pl.String, pl.Categorical) and not isinstance(table["form"].dtype, pl.Enum):
        raise InvalidInputError(f"{where}: the column 'form' is not text.")
    table = _with_numbers(table, where)
    empty = table.select(pl.col("form", "sentence").is_null().any()).row(0)
    if any(empty):
        raise InvalidInputError(f"{where}: a token has an empty form or sentence.")
    return table


def _is_layer(table: pl.DataFrame, name: str, attributes: frozenset[str]) -> bool:
    """Whether a column is read as a property of tokens: those asked for, and of all others the columns of text."""
    if name in STRUCTURE:
        return False
    known = name in TEXTS or ALL not in attributes
    return name == "form" or (name in attributes if known else table[name].dtype == pl.String)


def column_names(columns: Sequence[str]) -> dict[str, str]:
    """Our names for the columns of a table; of two with one name, the one that has it, or the first.

    ``sentence`` beside ``sentence_id`` is the text of the sentence, as udpipe writes it.

    >>> column_names(["doc_id", "sentence_id", "sentence", "token", "word"])
    {'doc_id': 'document', 'sentence_id': 'sentence', 'token': 'form'}
    """
    own = [name for name in columns if name not in SYNONYMS and not (name == "sentence" and "sentence_id" in columns)]
    names = {name: name for name in own}
    for old in columns:
        new = SYNONYMS.get(old, old)
        if old in SYNONYMS and new not in names.values() and not (new == HEAD_POSITION and "head" in columns):
            names[old] = new
    if HEAD_POSITION in names.values() and "position" not in names.values():
        names = {old: "head" if new == HEAD_POSITION else new for old, new in names.items()}
    return {old: names[old] for old in columns if old in names}


def _with_numbers(table: pl.DataFrame, where: str | Path) -> pl.DataFrame:
    """Positions as whole numbers; rows of multiword tokens (1-2) and empty nodes (2.1) are no words."""
    if "position" not in table.columns or table["position"].dtype.is_integer():
        return table
    position, words = pl.col("position"), table
    if table["position"].dtype == pl.String:
        words = table.filter(~position.str.contains(r"^\s*\d+[-.]\d+\s*$").fill_null(False))
        position = position.str.strip_chars()
    number = position.cast(pl.Int64, strict=False)
    is_whole = number == position.cast(pl.Float64, strict=False)
    numbers = words.with_columns(pl.when(is_whole).then(number).alias("position"))
    if numbers["position"].null_count():
        wrong = words["position"].filter(numbers["position"].is_null())[0]
        raise InvalidInputError(f"{where}: the position {wrong!r} of a token is not a whole number.")
    return numbers


def _in_order(tables: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Number sentences as they come, or put all tokens in order by document, sentence and position."""
    if not all("position" in table.columns for table in tables):
        return [table.with_columns(_sentence_key(table).rle_id().alias("sentence")) for table in tables]
    whole = pl.concat(tables, how="diagonal_relaxed")
    if whole["position"].null_count():
        raise InvalidInputError("A token has no position, but others of the corpus do.")
    key = ["sentence", "position"]
    if "document" in whole.columns:
        whole = whole.with_columns(pl.col("document").cast(pl.String).fill_null(""))
        if _restarts(whole):
            whole = whole.with_row_index("_row").with_columns(pl.col("_row").min().over("document").alias("_order"))
            key = ["_order", *key]
    whole = whole.sort(key, maintain_order=True)
    _refuse_repeated(whole)
    return [_counted_heads(whole.with_columns(_sentence_key(whole).rle_id().alias("sentence")))]


def _restarts(whole: pl.DataFrame) -> bool:
    """Whether sentences are numbered within documents: a number stands in more than one."""
    return bool(whole.select("document", "sentence").unique()["sentence"].is_duplicated().any())


def _sentence_key(table: pl.DataFrame) -> pl.Expr:
    return pl.struct("document", "sentence") if "document" in table.columns else pl.col("sentence")


def _refuse_repeated(whole: pl.DataFrame) -> None:
    """Refuse two tokens in one place, such as those of documents that all begin with sentence 1."""
    key = [name for name in ("document", "sentence", "position") if name in whole.columns]
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift()) for name in key)
    other = pl.col("form").cast(pl.String).shift().alias("_other")
    repeated = whole.with_columns(other).filter(same & (pl.int_range(pl.len()) > 0))
    if not len(repeated):
        return
    row = repeated.row(0, named=True)
    where = f"Sentence {row['sentence']}" + (f" of document {row['document']!r}" if "document" in row else "")
    advice = "" if "document" in row else " If sentences are numbered within documents, add a column 'document'."
    raise InvalidInputError(
        f"{where} has two tokens at position {row['position']}, {row['_other']!r} and {row['form']!r}; of the "
        f"{len(whole):,} tokens, {len(repeated):,} stand where another one does.{advice}"
    )


def _counted_heads(whole: pl.DataFrame) -> pl.DataFrame:
    """The same with ``head`` counted inside the sentence, where heads are positions; a root has 0 or itself."""
    if HEAD_POSITION not in whole.columns:
        return whole
    place = pl.int_range(1, pl.len() + 1).over("sentence").alias("head")
    places = whole.select("sentence", pl.col("position").alias("_head"), place)
    own = pl.col(HEAD_POSITION).cast(pl.Int64, strict=False)
    is_head = (own != 0) & (own != pl.col("position"))
    found = whole.with_columns(pl.when(is_head).then(own).alias("_head")).join(
        places, on=["sentence", "_head"], how="left", maintain_order="left"
    )
    lost = found.filter(pl.col("_head").is_not_null() & pl.col("head").is_null())
    if len(lost):
        raise InvalidInputError(f"The head {lost['_head'][0]} of {lost['form'][0]!r} is no token of its sentence.")
    return found.with_columns(pl.col("head").fill_null(0))


def _documents(
    sources: tuple[str, ...], called: Sequence[str], tables: list[pl.DataFrame], places: NDArray[np.int64]
) -> Documents:
    """The documents by their column, or one per table; of tables that were put in order together, one."""
    if all("document" in table.columns for table in tables):
        runs = pl.concat([table["document"].cast(pl.String).fill_null("") for table in tables]).rle()
        sizes, names = runs.struct.field("len").to_numpy(), runs.struct.field("value").to_list()
        metadata = {}
    else:
        titles = called or [Path(path).name for path in sources]
        paths = list(zip(titles, sources, strict=True))[: len(tables)]
        kept = [(len(table), *path) for table, path in zip(tables, paths, strict=True) if len(table)]
        sizes, names = np.array([size for size, _, _ in kept]), [name for _, name, _ in kept]
        metadata = {"path": tuple(path for _, _, path in kept)}
    rows = np.cumsum(sizes, dtype=np.int64) - sizes
    return Documents(starts=places[rows.astype(np.int64)], names=tuple(names), metadata=metadata)


def _sentence_sizes(tables: list[pl.DataFrame]) -> NDArray[np.int64]:
    sizes = [table["sentence"].rle().struct.field("len").to_numpy() for table in tables if len(table)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *sizes]).astype(np.int64)


def _places(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(sentence)) + sentence, len(sentence) + len(sizes)


def _layer(parts: list[pl.Series], places: NDArray[np.int64], total: int) -> Layer:
    whole = pl.concat([part.cast(pl.String) for part in parts]).rename("word")
    words = whole.unique(maintain_order=True)
    words = words.filter(words.is_not_null() & ((words != "") | (parts[0].name == "form")))
    index = pl.DataFrame({"word": words, "code": pl.Series(np.arange(len(words), dtype=np.int32))})
    codes = np.full(total, BORDER, dtype=np.int32)
    own = pl.DataFrame({"word": whole}).join(index, on="word", how="left", maintain_order="left")["code"]
    codes[places] = own.fill_null(MISSING)
    return Layer(codes=codes, vocabulary=Vocabulary.of(words.to_list()))


def _heads(numbers: pl.Series, sizes: NDArray[np.int64], places: NDArray[np.int64], total: int) -> NDArray[np.int32]:
    inside = numbers.fill_null(0).to_numpy()
    ends = np.cumsum(sizes)
    begins = np.repeat(ends - sizes + np.arange(len(sizes)), sizes)
    if ((inside < 0) | (inside > np.repeat(sizes, sizes))).any():
        raise InvalidInputError("A head points outside its sentence; heads are numbered within the sentence, from 1.")
    heads = np.full(total, BORDER, dtype=np.int32)
    heads[places[inside > 0]] = (begins + inside - 1)[inside > 0]
    return heads
