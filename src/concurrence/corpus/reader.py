"""One function for every kind of corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.inventory import Inventory
from concurrence.core.options import Progress
from concurrence.core.spill import Spill
from concurrence.corpus.builder import CorpusBuilder
from concurrence.corpus.conllu import gather_conllu, gather_cupt
from concurrence.corpus.conversion import ReadableSource, make_readable
from concurrence.corpus.fields import ALL
from concurrence.corpus.folders import DOCUMENTS, CorpusFiles, find_sources
from concurrence.corpus.frames import corpus_from_frames, read_parquet
from concurrence.corpus.index import index_among
from concurrence.corpus.index_writer import indexed_corpus
from concurrence.corpus.lines import gather_lines, gather_running
from concurrence.corpus.source_files import Source
from concurrence.corpus.vrt import gather_vrt

ATTRIBUTES = frozenset({"form", "lemma", "pos", "xpos", "feats", "deprel", "head", "deps", "misc", ALL})


def read_corpus(
    *corpus: Any,
    format: str | None = None,  # noqa: A002
    encoding: str = "utf-8",
    language: str = "en",
    attributes: Iterable[str] | None = None,
    columns: Sequence[str] = (),
    skip_broken: bool = False,
    spill: Spill | None = None,
    progress: Progress | None = None,
    keeps_text: bool = False,
) -> Corpus:
    """Read files, folders and globs, or a table of tokens with the Arrow interface.

    ``format`` is ``lines``, ``text``, ``tagged``, ``vrt``, ``conllu``, ``cupt``, ``parquet``, ``tei``, ``html``,
    ``docx``, ``odt``, ``epub`` or ``pdf``; default: from the file extension, or from the first lines. ``attributes``
    are those to read besides the form, ``*`` for all others of vertical text and tables (default: all but ``mwe``, the
    multiword expressions of ``cupt``); ``columns`` names the attributes of vertical text in order; ``language`` is that
    of running text, for splitting sentences; ``keeps_text`` keeps how tokens were spaced. The folder of an index
    (:func:`write_index`) is a corpus, too.

    >>> import polars as pl
    >>> read_corpus(pl.DataFrame({"sentence": [1, 1, 2], "form": ["a", "rose", "is"]})).n_sentences
    2
    """
    refuse_in_fork()
    wanted = ATTRIBUTES if attributes is None else frozenset(attributes)
    if folder := index_among(corpus):
        return indexed_corpus(folder, attributes=wanted, keeps_text=keeps_text)
    if corpus and all(hasattr(part, "__arrow_c_stream__") for part in corpus):
        return corpus_from_frames([(f"table {n}", part) for n, part in enumerate(corpus, start=1)], attributes=wanted)
    files = find_sources(corpus, format_=format, encoding=encoding)
    sources, kinds = files.sources, set(files.inventory.files)
    if "parquet" in kinds:
        return replace(_from_parquet(sources, kinds, wanted), inventory=files.inventory)
    into = CorpusBuilder(progress=progress, total=sum(_size(source) for source in sources), keeps_text=keeps_text)
    reading = FormatOptions(attributes=wanted, columns=tuple(columns), language=language, skip_broken=skip_broken)
    inventory = _gather(files, into, reading)
    return replace(gathered_corpus(into, sources, spill=spill), inventory=inventory)


def _gather(files: CorpusFiles, into: CorpusBuilder, reading: "FormatOptions") -> Inventory:
    """Read all files, and say which of them turned out to have no text."""
    unread: dict[str, str] = {}
    ebooks = 0
    for source in files.sources:
        begin = into.size
        try:
            readable = make_readable(source, language=reading.language)
        except InvalidInputError as error:
            if not source.in_folder or source.format not in DOCUMENTS:
                raise
            unread[source.name] = str(error).removeprefix(f"{source.path}: ").rstrip(".")
            continue
        into.begin_document(begin, source.name, {"path": str(source.path), **readable.facts})
        gather_source(readable, into, reading)
        ebooks += "gutenberg" in readable.facts
        if into.size == begin and len(files.sources) > 1:
            unread[source.name] = "no words"
    return replace(files.without(unread).inventory, ebooks=ebooks)


def gathered_corpus(
    into: CorpusBuilder, sources: Sequence[Source], *, spill: Spill | None = None, keeps_heads: bool = False
) -> Corpus:
    """What was gathered from some sources, checked."""
    corpus = into.corpus(tuple(str(source.path) for source in sources), spill=spill, keeps_heads=keeps_heads)
    if any(source.format == "vrt" for source in sources):
        _check_heads(corpus)
    return corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """What the readers of the formats need to know; ``columns`` are those of vertical text."""

    attributes: frozenset[str]
    columns: tuple[str, ...] = ()
    language: str = "en"
    skip_broken: bool = False


def gather_source(readable: ReadableSource, into: CorpusBuilder, reading: FormatOptions) -> None:
    """Read a source in its format."""
    source, wanted, skip_broken = readable.source, reading.attributes, reading.skip_broken
    match source.format:
        case "lines":
            gather_lines(source, into, skip_broken=skip_broken)
        case "text":
            gather_running(source, into, language=reading.language, skip_broken=skip_broken)
        case "conllu":
            gather_conllu(source, into, attributes=wanted, skip_broken=skip_broken)
        case "cupt":
            gather_cupt(source, into, attributes=wanted, skip_broken=skip_broken)
        case _:
            names = readable.columns or reading.columns
            gather_vrt(source, into, attributes=wanted, names=names, skip_broken=skip_broken)


def _from_parquet(sources: Sequence[Source], kinds: set[str], wanted: frozenset[str]) -> Corpus:
    if len(kinds) > 1:
        raise InvalidInputError("Parquet files of tokens cannot be mixed with other formats in one corpus.")
    tables = [(source.path, read_parquet(source)) for source in sources]
    return corpus_from_frames(tables, attributes=wanted, names=[source.name for source in sources])


def _size(source: Source) -> int:
    """How many bytes will be read, or 0 if unknown."""
    packed = str(source.path) == "-" or source.path.name.lower().endswith(".gz")
    return 0 if packed else source.path.stat().st_size


def _check_heads(corpus: Corpus) -> None:
    heads = corpus.heads
    if heads is None or not len(heads):
        return
    sentence = corpus.sentence_of(np.arange(len(heads)))
    has_head = np.flatnonzero(heads >= 0)
    inside = heads[has_head] < len(heads)
    if not inside.all() or (sentence[has_head] != sentence[heads[has_head]]).any():
        raise InvalidInputError("A head points outside its sentence; heads are numbered within the sentence, from 1.")
