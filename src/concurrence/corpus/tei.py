"""TEI, and the XML of the British National Corpus, as vertical text.

A text is a document that knows what its header says. Sentences are ``<s>`` where there are any; other blocks are split
into sentences. Words are ``<w>`` and ``<pc>``; a block without words is split into tokens.
"""

import re
from html import escape
from typing import Any

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.corpus.documents import EXTRA, element_name, read_xml
from concurrence.corpus.running_text import GLUE, split_running

COLUMNS = ("form", "lemma", "pos", "xpos")
TEXTS = frozenset(["text", "stext", "wtext"])
DOCUMENTS = frozenset(["TEI", "TEI.2", "bncDoc"])
BLOCKS = frozenset(
    [
        "s",
        "p",
        "ab",
        "head",
        "l",
        "lg",
        "u",
        "sp",
        "item",
        "cell",
        "row",
        "div",
        "quote",
        "q",
        "opener",
        "closer",
        "byline",
    ]
)
SKIPPED = frozenset(
    ["teiHeader", "note", "fw", "figDesc", "sic", "orig", "abbr", "del", "speaker", "stage", "gap", "facsimile"]
)
"""Not the text itself, or the one of two readings that was corrected, regularised or expanded in the other."""
READINGS = frozenset(["sic", "orig", "abbr"])
WORDS, BREAKS = frozenset(["w", "pc", "c"]), frozenset(["lb", "pb", "cb", "milestone", "gap"])
TOKEN = re.compile(rf"([^ {chr(GLUE)}]+)([ {chr(GLUE)}]?)")
ID = "{http://www.w3.org/XML/1998/namespace}id"


def vertical_of_tei(data: bytes, where: Any, name: str, *, language: str) -> bytes:
    """The texts of a file as vertical text with the columns form, lemma, pos and xpos."""
    try:
        root = read_xml(data)
    except ImportError as error:
        raise MissingExtraError("Reading TEI", EXTRA) from error
    except (SyntaxError, ValueError) as error:
        raise InvalidInputError(f"{where} is not well-formed XML: {str(error).splitlines()[0]}.") from error
    documents = [element for element in root.iter() if element_name(element) in DOCUMENTS]
    lines: list[str] = []
    for number, document in enumerate(documents, start=1):
        own = document.get(ID) or (name if len(documents) == 1 else f"{name}#{number}")
        texts = [e for e in document if element_name(e) in TEXTS] or [e for e in document if element_name(e) == "group"]
        lines.append(_tag("text", {"id": own, **header_facts(document)}))
        for text in texts:
            lines += _TextWriter(language).lines_of(text)
        lines.append("</text>")
    if not documents:
        raise InvalidInputError(f"{where} is XML, but not TEI; its root is <{element_name(root)}>.")
    return "\n".join([*lines, ""]).encode("utf-8")


def header_facts(document: Any) -> dict[str, str]:
    """Title, author, date, publisher, language and keywords of a text, as far as its header names them."""
    header = next((e for e in document if element_name(e) == "teiHeader"), None)
    facts: dict[str, str] = {}
    for element in () if header is None else header.iter():
        name, parents = element_name(element), {element_name(parent) for parent in element.iterancestors()}
        text = " ".join("".join(element.itertext()).split())
        if name == "title" and "titleStmt" in parents:
            facts.setdefault("title", text)
        elif name == "author":
            facts.setdefault("author", text)
        elif name in ("date", "creation") and parents & {"sourceDesc", "profileDesc", "publicationStmt"}:
            own = element.get("when") or element.get("notBefore") or text
            if own and (name == "creation" or "publicationStmt" not in parents or "date" not in facts):
                facts["date"] = own
        elif name == "language":
            facts.setdefault("language", element.get("ident") or text)
        elif name == "term" and "textClass" in parents:
            facts["keywords"] = "; ".join(filter(None, (facts.get("keywords"), text)))
        elif name in ("catRef", "classCode") and (text or element.get("target")):
            facts.setdefault("category", text or element.get("target").removeprefix("#"))
    return {key: text for key, text in facts.items() if text}


def _tag(name: str, attributes: dict[str, str]) -> str:
    return f"<{name}{''.join(f' {key}={chr(34)}{escape(text)}{chr(34)}' for key, text in attributes.items())}>"


class _TextWriter:
    """The lines of one text; what was gathered of a block becomes sentences where the block ends."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.lines: list[str] = []
        self.parts: list[str | tuple[str, ...]] = []

    def lines_of(self, text: Any) -> list[str]:
        from lxml import etree

        walk = etree.iterwalk(text, events=("start", "end"))
        for event, element in walk:
            name = element_name(element)
            if name in BLOCKS:
                self._flush()
            if event == "start" and (_is_skipped(element, name) or name in WORDS):
                if name in WORDS and not _is_skipped(element, name):
                    self.parts.append(_word(element))
                walk.skip_subtree()
                continue
            if event == "start":
                self.parts.append(element.text or "")
            else:
                self.parts.append((" " if name in BREAKS else "") + (element.tail or "") if element is not text else "")
        self._flush()
        return self.lines

    def _flush(self) -> None:
        parts, self.parts = self.parts, []
        if any(isinstance(part, tuple) for part in parts):
            self._add_words(parts)
            return
        for sentence in split_running(" ".join("".join(map(str, parts)).split()), language=self.language, glue=True):
            self._add_tokens(sentence)
            self.lines.append("</s>")

    def _add_words(self, parts: list[str | tuple[str, ...]]) -> None:
        for part in parts:
            if isinstance(part, tuple):
                self.lines += ["<g/>"] * (part[-1] == "left") + ["\t".join(part[:-1])]
            else:
                for sentence in split_running(" ".join(part.split()), language=self.language, glue=True):
                    self._add_tokens(sentence)
        self.lines.append("</s>")

    def _add_tokens(self, sentence: str) -> None:
        for token in TOKEN.finditer(sentence):
            self.lines.append(f"{escape(token[1], quote=False)}\t\t\t")
            self.lines += ["<g/>"] * (token[2] == chr(GLUE))


def _is_skipped(element: Any, name: str) -> bool:
    """Whether an element is no part of the text; a reading is one where no other one stands beside it."""
    if name in READINGS:
        parent = element.getparent()
        return parent is not None and element_name(parent) == "choice"
    return name in SKIPPED


def _word(element: Any) -> tuple[str, ...]:
    """Form, lemma, pos and xpos of a word, and whether it sticks to the one before."""
    form = " ".join("".join(element.itertext()).split())
    lemma = element.get("lemma") or element.get("hw") or ""
    pos = element.get("pos") or (element.get("ana") or "").removeprefix("#") or element.get("type") or ""
    xpos = element.get("msd") or element.get("c5") or ""
    cells = [escape(" ".join(cell.split()), quote=False) for cell in (form, lemma, pos, xpos)]
    return (*cells, "left" if element.get("join") in ("left", "both") else "")
