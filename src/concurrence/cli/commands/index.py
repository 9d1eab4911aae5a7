"""``concur index``: encode a corpus once."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, read
from concurrence.cli.options import FilePath, json_option
from concurrence.cli.output import note, note_written, provenance, show

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.corpus import Corpus


@click.command("index")
@click.argument("corpus", nargs=-1)
@click.option("-o", "--output", type=FilePath(), required=True, metavar="DIR", help="Folder of the index.")
@click.option("--append", is_flag=True, help="Add the files to the index instead of replacing it.")
@click.option(
    "--metadata",
    type=FilePath(),
    metavar="FILE",
    help="Table with a column document or file; its other columns become attributes of the documents.",
)
@click.option(
    "--name-pattern",
    metavar="REGEX",
    help="Regular expression for file names, whose named groups become attributes: '(?P<year>[0-9]{4})-(?P<name>.*)'.",
)
@click.option("--check", is_flag=True, help="Compare every file of the index with its checksum.")
@corpus_options
@json_option
def command(
    corpus: tuple[str, ...],
    *,
    output: Path,
    append: bool,
    metadata: Path | None,
    name_pattern: str | None,
    check: bool,
    reading: CorpusOptions,
    json_: bool,
) -> None:
    """Encode a corpus once, for fast questions about words.

    Every command that takes a corpus takes the folder of an index instead, and need not read the files again.

    \b
    Example:
      printf 'a red rose\\nthe red rose\\n' > roses.txt
      concur index roses.txt -o roses
      concur collocates roses red
      concur kwic roses rose
    """
    from concurrence.core.errors import InvalidInputError
    from concurrence.corpus.index import open_index, summary

    if check and not corpus:
        open_index(output, check=True)
    elif not corpus:
        raise InvalidInputError("No corpus is given; name a file or a folder.")
    else:
        facts = None if metadata is None else _metadata_table(metadata)
        tokens = _read(corpus, output, reading, facts, name_pattern, append=append)
        _write(tokens, output, append=append)
    show(summary(output), provenance(inputs=[output / "index.json"]), json_=json_)
    if corpus:
        note_written(output)


def _metadata_table(path: Path) -> "pl.DataFrame":
    """A table of metadata; a .txt with a file name at the beginning of every line has its category behind it."""
    import polars as pl

    from concurrence.files.tables.formats import read_table
    from concurrence.files.tables.text import read_text

    if path.suffix.lower() != ".txt":
        return read_table(path)
    lines = [line.split(maxsplit=1) for line in read_text(path).decode("utf-8").splitlines() if line.strip()]
    return pl.DataFrame(
        {"file": [line[0] for line in lines], "category": [" ".join(line[1:]).strip() for line in lines]},
        schema={"file": pl.String, "category": pl.String},
    )


def _read(
    corpus: tuple[str, ...],
    output: Path,
    reading: CorpusOptions,
    metadata: "pl.DataFrame | None",
    name_pattern: str | None,
    *,
    append: bool,
) -> "Corpus":
    from concurrence.corpus.index_writer import refuse_folder
    from concurrence.corpus.reader import ATTRIBUTES

    refuse_folder(output, append=append)
    return read(
        corpus,
        reading,
        attributes=ATTRIBUTES,
        keeps_text=True,
        says_files=False,
        metadata=metadata,
        name_pattern=name_pattern,
    )


def _write(tokens: "Corpus", output: Path, *, append: bool) -> None:
    from concurrence.core.sentences import join_words
    from concurrence.corpus.index import read_manifest
    from concurrence.corpus.index_writer import append_to_index, write_index

    earlier_sources = set(read_manifest(output)["sources"]) if append else set()
    (append_to_index if append else write_index)(tokens, output)
    again = [name for name in tokens.sources if name in earlier_sources]
    if again:
        names = f"{join_words(again)} {'was' if len(again) == 1 else 'were'}"
        note(f"{names} in the index before; if the text is the same, its words are now counted twice.")
