"""``concur tag``: from plain text to parts of speech and lemmas."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.options import json_option, output_option
from concurrence.cli.output import note_written, progress_bar, provenance, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from concurrence.core.sentences import Sentence
    from concurrence.corpus.tag import TaggedCorpus, TaggedParagraph
    from concurrence.files.provenance import Provenance


@click.command("tag")
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--with",
    "tagger",
    required=True,
    metavar="TAGGER",
    help="hanta:de, hanta:en, hanta:nl, spacy:MODEL or stanza:LANG.",
)
@output_option("Write CoNLL-U (.conllu, also as .conllu.gz).", endings=(".conllu",), required=True)
@click.option(
    "--encoding", default="utf-8", show_default=True, help="Encoding of the text; guess finds that of each file."
)
@click.option("--skip-broken", is_flag=True, help="Leave out lines that are not text in this encoding.")
@json_option
def command(text: tuple[str, ...], *, tagger: str, output: Path, encoding: str, skip_broken: bool, json_: bool) -> None:
    """Add parts of speech and lemmas to plain text.

    TEXT is one or more files or folders of running text, or - for standard input; every file becomes a document. HanTa
    brings its models (pip install 'concurrence[tag]'); spaCy and Stanza use those that you have installed, and add
    dependencies where the model has them. The text is kept as it was written.

    \b
    Example:
      printf 'Sie trank starken Tee. Der Tee war stark.\\n' > tee.txt
      concur tag tee.txt --with hanta:de -o tee.conllu
      concur pairs tee.conllu --rule 'pos:ADJ NOUN' --unit lemma
    """
    from concurrence.corpus.tag import tag_texts, text_files
    from concurrence.corpus.taggers import find_tagger

    files = text_files(text, encoding=encoding)
    origin = provenance(inputs=[source.path for source in files.sources], tagger=tagger)
    with progress_bar("tagging") as report:
        parts = tag_texts(files, find_tagger(tagger), skip_broken=skip_broken, progress=report)
        result = _write_tagged(parts, tagger, output, files.inventory.warnings)
    _write_origin(output, origin)
    show(result, origin, json_=json_)
    note_written(output)


def _write_tagged(
    parts: "Iterable[TaggedParagraph]", tagger: str, output: Path, warnings: "tuple[Sentence, ...]"
) -> "TaggedCorpus":
    """Write what the tagger gives; the file is whole or not there."""
    from concurrence.corpus.tag import TaggedCorpus, doubts_of_tags
    from concurrence.files.atomic import replacing
    from concurrence.files.tables.text import compressing

    counts = dict.fromkeys(("documents", "sentences", "tokens", "tagged", "broken"), 0)
    with replacing(output) as temporary, temporary.open("wb") as raw, compressing(raw, output) as file:
        for part in parts:
            file.write(part.text.encode("utf-8"))
            counts["documents"] += part.begins_document
            for name in counts.keys() - {"documents"}:
                counts[name] += getattr(part, name)
    doubts = doubts_of_tags(tagger, tokens=counts["tokens"], tagged=counts["tagged"])
    return TaggedCorpus(path=str(output), tagger=tagger, **counts, warnings=(*warnings, *doubts))


def _write_origin(output: Path, origin: "Provenance") -> None:
    from concurrence.files.provenance import write_provenance

    write_provenance(output, origin)
