"""The demonstration corpus: the prose of the Python language reference inside every CPython.

``pydoc_data.topics`` is the text behind ``help("assignment")``. Code, grammar rules, tables and headings are left
out, and a paragraph that stands under several topics is taken once.
"""

import re
from collections.abc import Iterator

TOKEN = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]+")
BULLET = re.compile(r"^\s*(?:[*+-]|\d+\.|\[\d+\])\s+")
RULER = re.compile(r"^[*=\-~^+|\"#.\s]{4,}$")


def demo_sentences() -> list[str]:
    """The sentences of the corpus, tokens between spaces, in the order of the topics."""
    from sentencex import segment

    return [
        " ".join(TOKEN.findall(sentence))
        for paragraph in _paragraphs()
        for sentence in segment("en", paragraph)
        if TOKEN.search(sentence)
    ]


def _paragraphs() -> Iterator[str]:
    from pydoc_data.topics import topics

    seen: set[str] = set()
    for _, text in sorted(topics.items()):
        for block in re.split(r"\n\s*\n", text):
            paragraph = _prose(block)
            if paragraph and paragraph not in seen:
                seen.add(paragraph)
                yield paragraph


def _prose(block: str) -> str:
    """A block as one line of prose, or nothing where it is code, grammar, a table or a heading."""
    lines = [line for line in block.split("\n") if line.strip()]
    if (
        not lines
        or any(RULER.match(line) for line in lines)
        or "::=" in block
        or block.lstrip().startswith((">>>", "|"))
    ):
        return ""
    first = BULLET.sub("", lines[0])
    text = "\n".join(line.strip() for line in [first, *lines[1:]]).replace("-\n", "-").replace("\n", " ")
    text = text.replace('"', " ").replace("*", " ")
    ends_like_prose = text.rstrip().endswith((".", ":", ";", ")", "?", "!"))
    indented = len(lines[0]) - len(lines[0].lstrip()) >= 3 and not BULLET.match(lines[0])
    words = TOKEN.findall(text)
    return "" if not ends_like_prose or (indented and _looks_like_code(lines)) or len(words) < 3 else text


def _looks_like_code(lines: list[str]) -> bool:
    marks = sum(
        bool(re.search(r"[=\[\]{}]|\(\)|^\s*(?:def|class|import|return|for|if|print)\b", line)) for line in lines
    )
    return marks * 2 > len(lines)
