"""``concur index``: encode a corpus once."""

from pathlib import Path

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, read
from concurrence.cli.options import FilePath, json_option
from concurrence.cli.output import note, note_written, provenance, show


@click.command("index")
@click.argument("corpus", nargs=-1)
@click.option("-o", "--output", type=FilePath(), required=True, metavar="DIR", help="Folder of the index.")
@click.option("--append", is_flag=True, help="Add the files to the index instead of replacing it.")
@click.option("--check", is_flag=True, help="Compare every file of the index with its checksum.")
@corpus_options
@json_option
def command(
    corpus: tuple[str, ...], *, output: Path, append: bool, check: bool, reading: CorpusOptions, json_: bool
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
        _write(corpus, output, reading, append=append)
    show(summary(output), provenance(inputs=[output / "index.json"]), json_=json_)
    if corpus:
        note_written(output)


def _write(corpus: tuple[str, ...], output: Path, reading: CorpusOptions, *, append: bool) -> None:
    from concurrence.core.sentences import join_words
    from concurrence.corpus.index import read_manifest
    from concurrence.corpus.index_writer import append_to_index, refuse_folder, write_index
    from concurrence.corpus.reader import ATTRIBUTES

    refuse_folder(output, append=append)
    tokens = read(corpus, reading, attributes=ATTRIBUTES, keeps_text=True, says_files=False)
    earlier_sources = set(read_manifest(output)["sources"]) if append else set()
    (append_to_index if append else write_index)(tokens, output)
    again = [name for name in tokens.sources if name in earlier_sources]
    if again:
        names = f"{join_words(again)} {'was' if len(again) == 1 else 'were'}"
        note(f"{names} in the index before; if the text is the same, its words are now counted twice.")
