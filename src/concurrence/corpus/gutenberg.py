"""Texts of Project Gutenberg: what stands before and after the text itself is not part of it."""

import re

BEGIN = re.compile(rb"^[ \t]*\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG[^\n]*\n", re.MULTILINE)
END = re.compile(
    rb"^[ \t]*(?:\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg)[^\n]*", re.MULTILINE
)
FACT = re.compile(
    rb"^(Title|Author|Editor|Translator|Release date|Language): +([^\r\n\[]+)", re.MULTILINE | re.IGNORECASE
)


def text_of_ebook(data: bytes) -> tuple[bytes, int, dict[str, str]] | None:
    """The text of an ebook, the number of lines before it, and what its head says of it; None for other texts.

    >>> text_of_ebook(b"Title: Emma\\n*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***\\nEmma Woodhouse\\n")
    (b'Emma Woodhouse\\n', 2, {'title': 'Emma'})
    """
    begin = BEGIN.search(data)
    if begin is None:
        return None
    end = END.search(data, begin.end())
    head = data[: begin.start()]
    facts = {name.decode().lower(): value.decode("utf-8", "replace").strip() for name, value in FACT.findall(head)}
    text = data[begin.end() : end.start() if end else len(data)]
    return text, data.count(b"\n", 0, begin.end()), facts
