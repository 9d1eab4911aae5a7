"""What the commands that read a corpus share."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.output import note, progress_bar

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.corpus import Corpus
    from concurrence.core.spill import Spill

SAMPLE = 50_000
"""How many tokens of a corpus are looked at to see whether it is running text."""
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """How a corpus is to be read."""

    format: str | None
    encoding: str
    language: str
    attribute_names: tuple[str, ...]
    skip_broken: bool


OPTIONS = (
    click.option(
        "--format",
        "format_",
        metavar="lines|text|tagged|vrt|conllu|cupt|parquet|tei|html|docx|odt|epub|pdf",
        help="Corpus format. Default: from the file extension.",
    ),
    click.option(
        "--encoding", default="utf-8", show_default=True, help="Encoding of text files; guess finds that of each file."
    ),
    click.option("--language", default="en", show_default=True, help="Language of running text (--format text)."),
    click.option(
        "--attributes", default="", metavar="NAMES", help="Columns of vertical text in order, such as form,pos,lemma."
    ),
    click.option("--skip-broken", is_flag=True, help="Leave out broken lines and say how many."),
)


def corpus_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of reading; the command receives them together as ``reading``."""

    @wraps(command)
    def together(
        *, format_: str | None, encoding: str, language: str, attributes: str, skip_broken: bool, **others: Any
    ) -> Any:
        reading = CorpusOptions(
            format=format_,
            encoding=encoding,
            language=language,
            attribute_names=tuple(name.strip() for name in attributes.split(",") if name.strip()),
            skip_broken=skip_broken,
        )
        return command(reading=reading, **others)

    for option in reversed(OPTIONS):
        together = option(together)
    return together


def read(
    corpus: Iterable[str],
    reading: CorpusOptions,
    *,
    attributes: Iterable[str] | None = None,
    spill: "Spill | None" = None,
    keeps_text: bool = False,
    says_files: bool = True,
    metadata: "pl.DataFrame | None" = None,
    name_pattern: str | None = None,
) -> "Corpus":
    """Read a corpus as the options say, and say which files of a folder were left out."""
    from concurrence.corpus.reader import read_corpus

    with progress_bar("reading") as report:
        tokens = read_corpus(
            *corpus,
            format=reading.format,
            encoding=reading.encoding,
            language=reading.language,
            attributes=attributes,
            columns=reading.attribute_names,
            skip_broken=reading.skip_broken,
            spill=spill,
            progress=report,
            keeps_text=keeps_text,
            metadata=metadata,
            name_pattern=name_pattern,
        )
    for sentence in tokens.inventory.warnings if says_files else ():
        note(str(sentence))
    if reading.format is None and (word := _punctuated_word(tokens)):
        note(
            f"The corpus was read as one sentence per line, tokens between white space, so {word!r} counts as a word. "
            "If it is running text, use --format text."
        )
    return tokens


def open_corpus(corpus: str, reading: CorpusOptions) -> "Path | Corpus":
    """A corpus to ask about: the folder of an index as it is, anything else read."""
    from concurrence.corpus.index import is_index

    return Path(corpus) if is_index(corpus) else read((corpus,), reading, keeps_text=True)


def sources_of(corpus: "Path | Corpus") -> list[str]:
    """The files behind a corpus; of an index, the one that names all others with their checksums."""
    return [str(corpus / "index.json")] if isinstance(corpus, Path) else list(corpus.sources)


def _punctuated_word(tokens: "Corpus") -> str | None:
    """A word that ends in punctuation, where many do for the marks that stand alone: hardly a tokenised text."""
    form = tokens.form
    sample = form.codes[:: max(form.codes.size // SAMPLE, 1)]
    words = form.words.gather(sample[sample >= 0])
    glued = words.filter(words.str.contains(r"\p{L}{2}[.,;:!?]$"))
    alone = words.is_in([".", ",", ";", ":", "!", "?"]).sum()
    return str(glued[0]) if len(glued) > max(5, len(words) / 50, alone / 4) else None


def word_list(path: Path | None) -> frozenset[str]:
    """The words of a file, one per line."""
    from concurrence.files.tables.text import read_text

    if path is None:
        return frozenset()
    lines = read_text(path).decode("utf-8").split("\n")
    return frozenset(word for line in lines if (word := line.strip(" \t\r\f\v")))


class MemorySize(click.ParamType[int]):
    """A size such as 2GB or 500M, in bytes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Understand number and unit."""
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", str(value), flags=re.IGNORECASE)
        size = int(float(match[1]) * UNITS[match[2].upper()]) if match else 0
        if size < 250 * 10**6:
            self.fail(f"the memory must be given as 500MB or 2GB, at least 250MB, not {value!r}.", param, ctx)
        return size
