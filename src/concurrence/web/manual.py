"""The coding manual: Markdown to sanitised HTML, its headings with ids that questions can point to.

Of pictures only our own are shown, ``![words](/pictures/NAME)``: they are left out of what is sanitised, which lets no
picture through, and put in afterwards.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
TAGS = {
    *HEADINGS,
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "hr", "i", "li", "ol", "p", "pre"),
    *("s", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
PICTURE = re.compile(r"/pictures/[0-9a-f]{32}\.(?:png|jpg|webp)")
IMAGE = Markup('<img src="{}" alt="{}" loading="lazy">')
OWN_NAME = re.compile(r"\s*\{#([\w-]+)\}$")
PLACE = "\ue000{}\ue001"  # two characters that mean nothing, and that no manual keeps
ATTRIBUTES = {tag: {"id"} for tag in HEADINGS} | {"a": {"href"}, "ol": {"start"}}


@lru_cache(maxsize=16)
def manual_html(text: str) -> str:
    r"""A manual as HTML that holds neither script nor style nor anything to load.

    >>> manual_html("# What counts\n<script>alert(1)</script>")
    '<h1 id="what-counts">What counts</h1>\n'
    """
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(text.replace("\ue000", "").replace("\ue001", ""))
    _name_headings(tokens)
    pictures = _take_out_pictures(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"})
    for number, picture in enumerate(pictures):
        clean = clean.replace(PLACE.format(number), picture)
    return clean


def _take_out_pictures(tokens: list[Token]) -> list[str]:
    """Put a place in the text for each picture of ours, and the words alone for any other; gives the pictures."""
    pictures: list[str] = []
    for token in (child for inline in tokens for child in inline.children or ()):
        if token.type != "image":
            continue
        source, words = str(token.attrs.get("src", "")), token.content
        token.type, token.tag, token.children = "text", "", None
        if PICTURE.fullmatch(source):
            token.content = PLACE.format(len(pictures))
            pictures.append(IMAGE.format(source, words))
    return pictures


def _name_headings(tokens: list[Token]) -> None:
    used: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = _own_name(inline) or anchor(inline.content)
            used[name] = used.get(name, 0) + 1
            opening.attrSet("id", name if used[name] == 1 else f"{name}-{used[name]}")


def _own_name(heading: Token) -> str | None:
    """The id that a heading gives itself at its end, ``{#what-counts}``, which is then taken off."""
    match = OWN_NAME.search(heading.content)
    last = heading.children[-1] if heading.children else None
    if match is None or last is None or last.type != "text":
        return None
    last.content = OWN_NAME.sub("", last.content)
    return match[1]


def headings(text: str) -> list[str]:
    r"""The ids of all headings of a manual.

    >>> headings("# What counts\n## Of two kinds {#kinds}")
    ['what-counts', 'kinds']
    """
    return re.findall(r'<h[1-6] id="([^"]+)"', manual_html(text))


def without_heading(rules: Mapping[str, str | None], text: str) -> list[str]:
    """A sentence for each question, by its id, whose rule is no heading of the manual.

    >>> without_heading({"kind": "kinds", "term": None}, "# What counts")
    ["The question 'kind' points to the heading 'kinds', which the manual does not have; its headings: what-counts."]
    """
    ids = headings(text)
    present = f"its headings: {', '.join(ids)}" if ids else "it has no headings"
    return [
        f"The question {question!r} points to the heading {rule!r}, which the manual does not have; {present}."
        for question, rule in rules.items()
        if rule is not None and rule not in ids
    ]


def anchor(heading: str) -> str:
    """The id of a heading: its words in lower case with hyphens.

    >>> anchor("2. What is a Collocation?")
    '2-what-is-a-collocation'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFC", heading).lower())
    return "-".join(words) or "section"
