"""Structures of vertical text that are open where a file is cut."""

import re
from dataclasses import dataclass, replace

from concurrence.corpus.vrt import BORDERS, PAIRS, SYNONYMS, TAG, attribute_names

_NAMES = "|".join(sorted(BORDERS)).encode()
BORDER_LINE = re.compile(rb"(?m)^</?(?:" + _NAMES + rb")" + PAIRS + rb"[ \t]*/?>[ \t\r]*\n")
"""A tag that ends a sentence, with its line: behind it a file may be cut."""
TAG_LINE = re.compile(rb"(?m)^<[^\n]*")
TOKEN_LINE = re.compile(rb"(?m)^(?!<)[^\n]*\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open structure: its tag, and whether a token stood inside of it yet; ``number`` tells it from others."""

    name: str
    tag: bytes
    number: tuple[int, int]
    begun: bool

    @property
    def again(self) -> bytes:
        """The tag that opens it again; once begun without attributes, so that it does not count as another one."""
        return f"<{self.name}>\n".encode() if self.begun else self.tag + b"\n"

    @property
    def close(self) -> bytes:
        return f"</{self.name}>\n".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Structures:
    """What a part of a file does to the structures that were open before it."""

    names: tuple[str, ...]
    closes: tuple[str, ...]
    opens: tuple[tuple[str, bytes, bool], ...]
    has_tokens: bool

    def after(self, before: tuple[Opened, ...], at: int) -> tuple[Opened, ...]:
        """What is open behind part ``at`` of the file; a tag closes the innermost structure of its name."""
        still = list(before)
        for name in self.closes:
            inner = max((k for k, opened in enumerate(still) if opened.name == name), default=None)
            if inner is not None:
                del still[inner]
        still = [replace(opened, begun=opened.begun or self.has_tokens) for opened in still]
        new = (Opened(name=name, tag=tag, number=(at, k), begun=b) for k, (name, tag, b) in enumerate(self.opens))
        return (*still, *new)


def scan_structures(data: bytes, *, names: tuple[str, ...] = ()) -> Structures:
    """Look at the tags alone."""
    opened: list[tuple[str, bytes, int]] = []
    closes: list[str] = []
    for line in TAG_LINE.finditer(data):
        tag = TAG.match(line[0].rstrip())
        if tag is None or (name := tag[2].decode("utf-8")) in BORDERS or tag[4]:
            continue
        if not tag[1]:
            opened.append((name, line[0].rstrip(), line.end()))
        elif inner := [k for k, (other, _, _) in enumerate(opened) if other == name]:
            del opened[inner[-1]]
        else:
            closes.append(name)
    attributes = tuple(SYNONYMS.get(name, name) for name in names) or attribute_names(data)
    return Structures(
        names=attributes,
        closes=tuple(closes),
        opens=tuple((name, tag, TOKEN_LINE.search(data, end) is not None) for name, tag, end in opened),
        has_tokens=TOKEN_LINE.search(data) is not None,
    )
