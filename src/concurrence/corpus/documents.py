"""Documents of word processors, web pages, e-books and PDF as paragraphs of running text (extra ``texts``)."""

import io
import logging
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import unquote

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.corpus.encodings import guess_encoding

EXTRA = "texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDocument:
    """The paragraphs of a document, and what it says of itself."""

    paragraphs: list[str]
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkupLayout:
    """What the elements of a markup mean, by their names: ``later`` stands behind the paragraph that it is in.

    Where ``texts`` are named, nothing but them holds text.
    """

    blocks: frozenset[str]
    skipped: frozenset[str] = frozenset()
    spaces: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    texts: frozenset[str] | None = None


PAGE_BLOCKS = """
address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
h6 header hr li main ol option p pre section summary table td th title tr ul
"""
PAGE = MarkupLayout(
    blocks=frozenset(PAGE_BLOCKS.split()),
    skipped=frozenset(["head", "script", "style", "noscript", "template", "nav", "svg", "math", "iframe"]),
    spaces=frozenset(["br"]),
)
WORD = MarkupLayout(
    blocks=frozenset(["p", "tc"]),
    skipped=frozenset(["del", "moveFrom", "pPr", "rPr", "Fallback"]),
    spaces=frozenset(["tab", "br", "cr"]),
    later=frozenset(["txbxContent"]),
    texts=frozenset(["t"]),
)
OPEN_DOCUMENT = MarkupLayout(
    blocks=frozenset(["p", "h"]),
    skipped=frozenset(["annotation", "tracked-changes", "note-citation"]),
    spaces=frozenset(["s", "tab", "line-break"]),
    later=frozenset(["note-body", "text-box"]),
)


def read_document(data: bytes, format_: str, where: Any) -> TextDocument:
    """The paragraphs of a document; ``where`` is its name in errors."""
    try:
        return READERS[format_](data)
    except ImportError as error:
        raise MissingExtraError(f"Reading .{format_}", EXTRA) from error
    except InvalidInputError as error:
        raise InvalidInputError(f"{where}: {error}") from error
    except Exception as error:  # the libraries have many kinds of errors for damaged data
        raise InvalidInputError(f"{where}: this is not a readable .{format_} file ({_first_line(error)}).") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def read_xml(data: bytes) -> Any:
    """The root of XML; nothing is fetched, and entities are those of the file itself."""
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(no_network=True, load_dtd=False, remove_comments=True))


def element_name(element: Any) -> str:
    """The name of an element without its namespace; nothing for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def paragraphs_of_markup(root: Any, layout: MarkupLayout) -> list[str]:
    """The text of an element, a paragraph for each block of it that has text."""
    from lxml import etree

    done: list[str] = []
    parts: list[str] = []
    later: list[Any] = []

    def flush() -> None:
        if text := " ".join("".join(parts).split()):
            done.append(text)
        parts.clear()

    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        name = element_name(element)
        if name in layout.blocks:
            flush()
        if event == "start" and name in layout.skipped | layout.later:
            later += [element] if name in layout.later and element is not root else []
            if name in layout.skipped or element is not root:
                walk.skip_subtree()
                continue
        if event == "start" and (layout.texts is None or name in layout.texts):
            parts.append(element.text or "")
        elif event != "start" and layout.texts is None and element is not root:
            parts.append(element.tail or "")
        if event == "start" and name in layout.spaces:
            parts.append(" ")
    flush()
    return done + [text for element in later for text in paragraphs_of_markup(element, layout)]


def _read_html(data: bytes) -> TextDocument:
    from lxml import etree, html

    declared = re.search(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)""", data[:2048])
    encoding = guess_encoding(data) or (declared[1].decode() if declared else "cp1252")
    if not data.strip():
        return TextDocument(paragraphs=[])
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, no_network=True)
    root = etree.fromstring(data.decode(encoding, "strict").encode("utf-8"), parser)
    if root is None:
        return TextDocument(paragraphs=[])
    facts = {"title": " ".join("".join(root.xpath("//head/title//text()")).split())}
    for element in root.xpath("//meta[@name][@content]"):
        if element.get("name").lower() in ("author", "date", "keywords"):
            facts[element.get("name").lower()] = element.get("content").strip()
    return TextDocument(paragraphs=paragraphs_of_markup(root, PAGE), facts=_known(facts))


def _read_docx(data: bytes) -> TextDocument:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [name for name in ("document", "footnotes", "endnotes") if f"word/{name}.xml" in archive.namelist()]
        if "document" not in parts:
            raise InvalidInputError("this is not a document of Word (it has no word/document.xml).")
        roots = [read_xml(archive.read(f"word/{name}.xml")) for name in parts]
        facts = _facts(archive, "docProps/core.xml")
    return TextDocument(paragraphs=[text for root in roots for text in paragraphs_of_markup(root, WORD)], facts=facts)


def _read_odt(data: bytes) -> TextDocument:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = read_xml(archive.read("content.xml"))
        facts = _facts(archive, "meta.xml")
    body = next((element for element in root.iter() if element_name(element) == "body"), root)
    return TextDocument(paragraphs=paragraphs_of_markup(body, OPEN_DOCUMENT), facts=facts)


def _read_epub(data: bytes) -> TextDocument:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        container = read_xml(archive.read("META-INF/container.xml"))
        package = next(e.get("full-path") for e in container.iter() if element_name(e) == "rootfile")
        opf = read_xml(archive.read(package))
        items = {e.get("id"): e.get("href") for e in opf.iter() if element_name(e) == "item"}
        spine = [items[e.get("idref")] for e in opf.iter() if element_name(e) == "itemref" and e.get("linear") != "no"]
        pages = [archive.read(normpath(join(dirname(package), unquote(href)))) for href in spine]
    facts = {element_name(e): (e.text or "").strip() for e in opf.iter() if element_name(e) in DUBLIN_CORE}
    return TextDocument(
        paragraphs=[text for page in pages for text in _read_html(page).paragraphs], facts=_known(facts)
    )


def _read_pdf(data: bytes) -> TextDocument:
    import pypdf

    faults = _Faults()
    logger = logging.getLogger("pypdf")
    logger.addHandler(faults)
    try:
        return _pdf_text(pypdf.PdfReader(io.BytesIO(data)), faults)
    finally:
        logger.removeHandler(faults)


class _Faults(logging.Handler):
    """What pypdf repaired in a damaged file, which it would print."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        del record
        self.count += 1


def _pdf_text(reader: Any, faults: _Faults) -> TextDocument:
    if reader.is_encrypted and not reader.decrypt(""):
        raise InvalidInputError("this PDF is protected by a password.")
    lines = [line for page in reader.pages for line in (*_page_lines(page.extract_text() or ""), "")]
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", _without_hyphens("\n".join(lines)))]
    paragraphs = [text for text in paragraphs if text]
    if not paragraphs:
        raise InvalidInputError("this PDF has no text layer; recognise its text first (OCR).")
    about: Any = reader.metadata or {}
    facts = {name: str(about.get(f"/{name.title()}") or "") for name in ("title", "author")}
    return TextDocument(paragraphs=paragraphs, facts=_known({**facts, "damaged": "yes" if faults.count else ""}))


def _page_lines(text: str) -> Iterator[str]:
    """The lines of a page without a number that stands alone on the first or the last."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    edges = {0, len(lines) - 1}
    return (line for k, line in enumerate(lines) if not (k in edges and line.strip().isdigit()))


def _without_hyphens(text: str) -> str:
    """The same with words joined that were divided at the end of a line."""
    return re.sub(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zà-öø-ÿß])", "", text)


DUBLIN_CORE = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "language": "language",
    "date": "date",
}


def _facts(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    if name not in archive.namelist():
        return {}
    root = read_xml(archive.read(name))
    return _known({element_name(e): (e.text or "").strip() for e in root.iter() if element_name(e) in DUBLIN_CORE})


def _known(facts: dict[str, str]) -> dict[str, str]:
    """The facts that are not empty, under our names."""
    return {DUBLIN_CORE.get(name, name): text for name, text in facts.items() if text}


READERS: dict[str, Callable[[bytes], TextDocument]] = {
    "html": _read_html,
    "docx": _read_docx,
    "odt": _read_odt,
    "epub": _read_epub,
    "pdf": _read_pdf,
}
