"""The coding manual: Markdown to sanitised HTML, its headings with ids that questions can point to."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
TAGS = {
    *HEADINGS,
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "hr", "i", "li", "ol", "p", "pre"),
    *("s", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {tag: {"id"} for tag in HEADINGS} | {"a": {"href"}, "ol": {"start"}}


@lru_cache(maxsize=16)
def manual_html(text: str) -> str:
    r"""A manual as HTML that holds neither script nor style nor anything to load.

    >>> manual_html("# What counts\n<script>alert(1)</script>")
    '<h1 id="what-counts">What counts</h1>\n'
    """
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    _name_headings(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"})


def _name_headings(tokens: list[Token]) -> None:
    used: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = anchor(inline.content)
            used[name] = used.get(name, 0) + 1
            opening.attrSet("id", name if used[name] == 1 else f"{name}-{used[name]}")


def anchor(heading: str) -> str:
    """The id of a heading: its words in lower case with hyphens.

    >>> anchor("2. What is a Collocation?")
    '2-what-is-a-collocation'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFC", heading).lower())
    return "-".join(words) or "section"
