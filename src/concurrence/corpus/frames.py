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
from concurrence.core.layers import BORDER, Layer, Vocabulary
from concurrence.corpus.source_files import Source

SYNONYMS = {"word": "form", "token": "form", "upos": "pos"}
TEXTS = ("form", "lemma", "pos", "xpos", "deprel")


def read_parquet(source: Source) -> pl.DataFrame:
    """The table of one file of tokens."""
    try:
        if (data := source.content) is None:
            data = sys.stdin.buffer.read() if str(source.path) == "-" else source.path.read_bytes()
        return pl.read_parquet(io.BytesIO(data))
    except pl.exceptions.PolarsError as error:
        raise InvalidInputError(f"{source.path} is not a Parquet file: {str(error).splitlines()[0]}") from error
    except OSError as error:
        raise InvalidInputError(f"{source.path} cannot be read: {error.strerror}.") from error


def corpus_from_frames(
    frames: Sequence[tuple[str | Path, Any]], *, attributes: frozenset[str], names: Sequence[str] = ()
) -> Corpus:
    """Tokens from tables with the columns ``sentence`` and ``form``, and whatever else there is.

    Where there is a column ``position``, it orders the tokens of a sentence, whichever tables they stand in;
    otherwise a new value of ``sentence`` begins a new one. ``head`` counts inside the sentence, from 1, and 0 is
    the root. ``document`` names the document of a token; without it, every table is one, called by ``names``.
    """
    tables = [_named(frame_of(frame), where) for where, frame in frames]
    wanted = [n for n in TEXTS if n in tables[0].columns and (n == "form" or n in attributes)]
    for (where, _), table in zip(frames, tables, strict=True):
        if lacking := [name for name in wanted if name not in table.columns]:
            raise InvalidInputError(f"{where} has no column {lacking[0]!r}, but other files of the corpus do.")
    tables = _in_order(tables)
    sizes = _sentence_sizes(tables)
    places, total = _places(sizes)
    layers = {name: _layer([table[name] for table in tables], places, total) for name in wanted}
    heads = None
    if "head" in attributes and all("head" in table.columns for table in tables):
        heads = _heads(pl.concat([table["head"].cast(pl.Int64) for table in tables]), sizes, places, total)
    sources = tuple(str(where) for where, _ in frames)
    return Corpus(layers=layers, heads=heads, sources=sources, documents=_documents(sources, names, tables, places))


def _named(table: pl.DataFrame, where: str | Path) -> pl.DataFrame:
    table = table.rename(
        {old: new for old, new in SYNONYMS.items() if old in table.columns and new not in table.columns}
    )
    for name in ("sentence", "form"):
        if name not in table.columns:
            names = ", ".join(table.columns)
            raise InvalidInputError(
                f"{where} has no column {name!r}, which a table of tokens needs; its columns are {names}."
            )
    if table["form"].dtype not in (pl.String, pl.Categorical) and not isinstance(table["form"].dtype, pl.Enum):
        raise InvalidInputError(f"{where}: the column 'form' is not text.")
    empty = table.select(pl.col("form", "sentence").is_null().any()).row(0)
    if any(empty):
        raise InvalidInputError(f"{where}: a token has an empty form or sentence.")
    return table


def _in_order(tables: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Number sentences as they come, or put all tokens in order by sentence and position."""
    if not all("position" in table.columns for table in tables):
        return [table.with_columns(_sentence_key(table).rle_id().alias("sentence")) for table in tables]
    if not all(table["position"].dtype.is_integer() for table in tables):
        raise InvalidInputError("The column 'position' of the tokens does not hold whole numbers.")
    whole = pl.concat(tables, how="diagonal_relaxed").sort("sentence", "position", maintain_order=True)
    _refuse_divided(whole)
    return [whole.with_columns(pl.col("sentence").rle_id())]


def _sentence_key(table: pl.DataFrame) -> pl.Expr:
    return pl.struct("document", "sentence") if "document" in table.columns else pl.col("sentence")


def _refuse_divided(table: pl.DataFrame) -> None:
    """Refuse a sentence of two documents: its number was used twice."""
    if "document" not in table.columns:
        return
    divided = (pl.col("sentence") == pl.col("sentence").shift()) & (pl.col("document") != pl.col("document").shift())
    if len(rows := table.filter(divided)):
        raise InvalidInputError(
            f"Sentence {rows['sentence'][0]} of the tokens stands in more than one document; "
            "with a column 'position', number the sentences through the whole corpus."
        )


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
    whole = pl.concat([part.cast(pl.String).fill_null("") for part in parts]).rename("word")
    words = whole.unique(maintain_order=True)
    index = pl.DataFrame({"word": words, "code": pl.Series(np.arange(len(words), dtype=np.int32))})
    codes = np.full(total, BORDER, dtype=np.int32)
    codes[places] = pl.DataFrame({"word": whole}).join(index, on="word", how="left", maintain_order="left")["code"]
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
