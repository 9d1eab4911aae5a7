"""One function for every kind of corpus."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
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
from concurrence.corpus.metadata import facts_of_name, parse_name_pattern, with_metadata
from concurrence.corpus.python_values import CorpusValues, corpus_values
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
    metadata: Any = None,
    name_pattern: str | None = None,
) -> Corpus:
    """Read files, folders and globs, or what there is in Python.

    That is a list of texts, a mapping from names to texts, lists of tokens (one per sentence, or one per document with
    lists of sentences), a frame with a token, a text or a list of tokens in each row, ``Doc`` and ``DocBin`` of spaCy,
    and a ``Dataset`` of Hugging Face. Of a frame with texts, the other columns are attributes of the documents.

    ``format`` is ``lines``, ``text``, ``tagged``, ``vrt``, ``conllu``, ``cupt``, ``parquet``, ``tei``, ``html``,
    ``docx``, ``odt``, ``epub`` or ``pdf``; default: from the file extension, or from the first lines. ``attributes``
    are those to read besides the form, ``*`` for all others of vertical text and tables (default: all but ``mwe``, the
    multiword expressions of ``cupt``); ``columns`` names the attributes of vertical text in order; ``language`` is that
    of running text, for splitting sentences; ``keeps_text`` keeps how tokens were spaced. The folder of an index
    (:func:`write_index`) is a corpus, too.

    ``metadata`` is a frame with a column ``document`` or ``file``, whose other columns become attributes of the
    documents; so do the named groups of ``name_pattern``, a regular expression for their names, and the ``folder``.

    >>> read_corpus([["a", "rose"], ["is", "a", "rose"]]).n_tokens, read_corpus(["A rose is. So what?"]).n_sentences
    (5, 2)
    >>> import polars as pl
    >>> read_corpus(pl.DataFrame({"sentence": [1, 1, 2], "form": ["a", "rose", "is"]})).n_sentences
    2
    """
    refuse_in_fork()
    wanted = ATTRIBUTES if attributes is None else frozenset(attributes)
    if folder := index_among(corpus):
        return indexed_corpus(folder, attributes=wanted, keeps_text=keeps_text)
    reading = FormatOptions(
        attributes=wanted,
        columns=tuple(columns),
        language=language,
        skip_broken=skip_broken,
        name_pattern=parse_name_pattern(name_pattern),
    )
    if (values := corpus_values(corpus)) is not None:
        tokens = _corpus_of_values(values, reading, keeps_text=keeps_text)
    else:
        files = find_sources(corpus, format_=format, encoding=encoding)
        total = sum(_size(source) for source in files.sources)
        into = CorpusBuilder(progress=progress, total=total, keeps_text=keeps_text)
        tokens = _corpus_of_files(files, into, reading, spill)
    return tokens if metadata is None else with_metadata(tokens, metadata)


def _corpus_of_values(values: CorpusValues, reading: "FormatOptions", *, keeps_text: bool) -> Corpus:
    if values.tables:
        tables = [(f"table {n}", part) for n, part in enumerate(values.tables, start=1)]
        return corpus_from_frames(tables, attributes=reading.attributes)
    into = CorpusBuilder(keeps_text=keeps_text)
    for document in values.documents:
        content = document.content.encode("utf-8", "replace")
        source = Source(path=Path(document.name), format=document.format, content=content, name=document.name)
        into.begin_document(into.size, document.name, document.facts)
        gather_source(ReadableSource(source=source), into, reading)
    return into.corpus(())


def _corpus_of_files(files: CorpusFiles, into: CorpusBuilder, reading: "FormatOptions", spill: Spill | None) -> Corpus:
    kinds = set(files.inventory.files)
    if "parquet" in kinds:
        return replace(_from_parquet(files.sources, kinds, reading.attributes), inventory=files.inventory)
    inventory = _gather(files, into, reading)
    return replace(gathered_corpus(into, files.sources, spill=spill), inventory=inventory)


def _gather(files: CorpusFiles, into: CorpusBuilder, reading: "FormatOptions") -> Inventory:
    """Read all files, and say which of them turned out to have no text."""
    unread: dict[str, str] = {}
    damaged: list[str] = []
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
        into.file_facts = {
            "path": str(source.path),
            **facts_of_name(source.name, reading.name_pattern),
            **readable.facts,
        }
        into.begin_document(begin, source.name, {})
        gather_source(readable, into, reading)
        ebooks += "gutenberg" in readable.facts
        damaged += [source.name] * ("damaged" in readable.facts)
        if into.size == begin and len(files.sources) > 1:
            unread[source.name] = "no words"
    return replace(files.without(unread).inventory, ebooks=ebooks, damaged=tuple(damaged))


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
    name_pattern: re.Pattern[str] | None = None


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
