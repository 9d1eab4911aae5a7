"""A document as one HTML page that needs nothing but itself: no network, light, dark and print."""

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from concurrence.core.shown import shown
from concurrence.report.document import Block, Chart, Document, Formula, Paragraph, Section, Table


def render_html(document: Document) -> str:
    """The whole page; the chart library is embedded once, and only where there is a chart."""
    body = "\n".join([_opening(document), *(_section(section) for section in document.sections)])
    scripts = _scripts() if document.charts else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n{scripts}</body>\n</html>\n"
    )


def table_html(table: Table) -> str:
    """A table alone, as notebooks show it."""
    head = "".join(_heading(table, place) for place in range(len(table.columns)))
    sides = [table.is_numeric(place) for place in range(len(table.columns))]
    rows = "".join(f"<tr>{''.join(map(_cell, row, sides))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f"<div class='table'><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"


def _opening(document: Document) -> str:
    warned = "".join(f"<p class='warning'>{escape(sentence)}</p>" for sentence in document.warnings)
    answer = warned + "".join(f"<p>{escape(sentence)}</p>" for sentence in document.answer)
    question = f"<p class='question'>{escape(document.question)}</p>" if document.question else ""
    return f"<header><h1>{escape(document.title)}</h1>{question}<div class='answer'>{answer}</div></header>"


def _section(section: Section) -> str:
    blocks = "\n".join(_block(block) for block in section.blocks)
    return f"<section><h2>{escape(section.title)}</h2>\n{blocks}\n</section>"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        kind = " class='warning'" if block.warning else ""
        return f"<p{kind}>{escape(block.text)}</p>"
    if isinstance(block, Table):
        return table_html(block)
    return _formula(block) if isinstance(block, Formula) else _chart(block)


def _heading(table: Table, place: int) -> str:
    kind = " class='number'" if table.is_numeric(place) else ""
    return f"<th scope='col'{kind}>{escape(table.columns[place])}</th>"


def _cell(cell: Any, numeric: bool) -> str:
    kind = " class='number'" if numeric else ""
    return f"<td{kind}>{escape(shown(cell))}</td>"


def _formula(block: Formula) -> str:
    source = f" <cite>{escape(block.reference)}</cite>" if block.reference else ""
    return f"<div class='method'><h3>{escape(block.name)}</h3><p>{escape(block.words)}{source}</p>{_math(block)}</div>"


def _math(block: Formula) -> str:
    if not block.latex:
        return ""
    from latex2mathml.converter import convert

    markup: str = convert(block.latex, display="block")
    return markup


def _chart(block: Chart) -> str:
    """The chart drawn once, for readers without scripts and for print; a script makes it answer to the mouse."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(block.specification)
    specification = json.dumps(block.specification, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f"<figure><div class='chart' role='img' aria-label='{escape(block.caption, quote=True)}'>{drawn}</div>"
        f"<script type='application/json'>{specification}</script>"
        f"<figcaption>{escape(block.caption)}</figcaption></figure>"
    )


def _scripts() -> str:
    return f"<script>{_library()}</script>\n<script>\n{_asset('page.js')}</script>\n"


@cache
def _library() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # the stub forgets the default
    return bundle.replace("</script", "<\\/script")


def _asset(name: str) -> str:
    return files("concurrence.report").joinpath(name).read_text("utf-8")
