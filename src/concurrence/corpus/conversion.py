"""What stands between a file and the readers: documents become running text, TEI and tagged words vertical text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.corpus import tagged_words, tei
from concurrence.corpus.documents import READERS, read_document
from concurrence.corpus.gutenberg import text_of_ebook
from concurrence.corpus.shapes import HEAD_BYTES, HTML, TEI, detect_markup
from concurrence.corpus.source_files import Source, whole_bytes, whole_text

CONVERTED = (*READERS, "tei", "tagged")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSource:
    """A source in a format that is read directly, the columns that it has then, and what the file says of itself."""

    source: Source
    columns: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def make_readable(source: Source, *, language: str) -> ReadableSource:
    """The source as the readers take it; markup that was given as text is refused."""
    if source.format in READERS:
        document = read_document(whole_bytes(source), source.format, source.path)
        content = "\n\n".join(document.paragraphs).encode("utf-8")
        return ReadableSource(
            source=replace(source, format="text", encoding="utf-8", content=content), facts=document.facts
        )
    if source.format == "tei":
        content = tei.vertical_of_tei(whole_bytes(source), source.path, source.name, language=language)
        return ReadableSource(source=_vertical(source, content), columns=tei.COLUMNS)
    if source.format == "tagged":
        content = tagged_words.vertical_of_tagged(source)
        return ReadableSource(source=_vertical(source, content), columns=tagged_words.COLUMNS)
    return (
        _plain(source)
        if source.format in ("lines", "text") and str(source.path) != "-"
        else ReadableSource(source=source)
    )


def _vertical(source: Source, content: bytes) -> Source:
    return replace(source, format="vrt", encoding="utf-8", content=content)


def _plain(source: Source) -> ReadableSource:
    """A text, without what Project Gutenberg puts before and after it."""
    head = whole_bytes(source, HEAD_BYTES)
    if kind := detect_markup(head):
        named = {HTML: "html", TEI: "tei"}.get(kind)
        way = (
            f"read it with {option_or_keyword(f'--format {named}', f'format={named!r}')}"
            if named
            else "save it as text"
        )
        raise InvalidInputError(f"{source.path} is {kind} and not plain text, so its tags would be words; {way}.")
    if b"PROJECT GUTENBERG" not in head:
        return ReadableSource(source=source)
    ebook = text_of_ebook(whole_text(source).encode("utf-8"))
    if ebook is None:
        return ReadableSource(source=source)
    text, before, facts = ebook
    content = replace(source, content=text, line=source.line + before, encoding="utf-8")
    return ReadableSource(source=content, facts={**facts, "gutenberg": "yes"})
