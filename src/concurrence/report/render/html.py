"""A document as one HTML page that needs nothing but itself: no network, light, dark and print."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from itertools import repeat
from typing import Any

from concurrence.core.sentences import count_noun, format_cell
from concurrence.report.render.charts import agreed_on, agreement_chart
from concurrence.report.render.document import Block, Chart, Document, Formula, Paragraph, Section, Table

INDEXED = re.compile(r"(?<!\w)([A-Za-zκ])_([A-Za-z]{1,2})(?!\w)")
FEW_ROWS = 12
"""A table that is no longer may stand open at the top of its result."""
NOTEBOOK_ROWS, NOTEBOOK_DIGITS = 20, 3
SHORT, LONGER = 200, 420
"""How many characters of an answer the overview of several results has, without a picture and beside one."""


def render_html(document: Document) -> str:
    """The whole page; the chart library is embedded once, and only where there is a chart."""
    parts = [_part(part, number) for number, part in enumerate(document.parts, start=1)]
    lead = () if document.parts else document.charts[:1]
    opening = _overview(document) if document.parts else _answer(document, "h1", lead)
    alone = not document.parts
    own = [_section(one, f"s{n}", without=lead, opened=alone and n == 0) for n, one in enumerate(document.sections)]
    body = "\n".join([f"<header>{opening}</header>", *parts, *own])
    scripts = f"<script>{_library()}</script>\n" if document.charts else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n"
        f"<body>\n{_contents(document)}<main>\n{body}\n</main>\n"
        f"{scripts}<script>\n{_asset('page.js')}</script>\n</body>\n</html>\n"
    )


def _contents(document: Document) -> str:
    """Where to find what: results with their headings, then what they share."""
    lines = []
    for number, part in enumerate(document.parts, start=1):
        inner = "".join(f"<li>{_link(f'p{number}s{n}', one.title)}</li>" for n, one in enumerate(part.sections))
        lines.append(f"<li>{_link(f'p{number}', part.title)}<ol>{inner}</ol></li>")
    lines += [f"<li>{_link(f's{n}', one.title)}</li>" for n, one in enumerate(document.sections)]
    if len(lines) < 2:
        return ""
    top = f"<a class='top' href='#top'>{escape(document.title)}</a>"
    return f"<nav aria-label='Contents'>{top}<ol>{''.join(lines)}</ol></nav>\n"


def _link(place: str, title: str) -> str:
    return f"<a href='#{place}'>{escape(title)}</a>"


def _overview(document: Document) -> str:
    """What the report is about, each with its picture; then what the other results say first."""
    numbered = list(enumerate(document.parts, start=1))
    agreed = [(number, part) for number, part in numbered if part.agreement is not None]
    pictured = [(number, part) for number, part in numbered if part.charts and part.agreement is None][-1:]
    findings = [_pictured(number, part) for number, part in pictured] + ([_agreed(agreed)] if agreed else [])
    rows = [
        f"<dt>{_linked(number, part)}<span>{escape(part.question)}</span></dt><dd>{escape(_first(part))}</dd>"
        for number, part in numbered
        if (number, part) not in (*agreed, *pictured)
    ]
    rest = f"<dl class='overview'>{''.join(rows)}</dl>" if rows else ""
    return f"<h1 id='top'>{escape(document.title)}</h1>{''.join(findings)}{rest}"


def _pictured(number: int, part: Document) -> str:
    """The last result with a picture, which the others led to."""
    chart = part.charts[0]
    sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in _sentences(part, LONGER))
    small = chart if chart.small is None else replace(chart, specification=chart.small)
    return _finding(_linked(number, part), part.question, sentences, small)


def _agreed(parts: Sequence[tuple[int, Document]]) -> str:
    """How well the coders agree, by all results that say so, on one axis."""
    sentences = "".join(
        f"<p>{_linked(number, part, agreed_on(part))}: {_agreement(part)}</p>" for number, part in parts
    )
    return _finding("Agreement", parts[0][1].question, sentences, agreement_chart([part for _, part in parts]))


def _linked(number: int, part: Document, title: str | None = None) -> str:
    """The way to a result, and how many warnings stand at its head."""
    link = _link(f"p{number}", title or part.title)
    if not part.warnings:
        return link
    return f"{link} <a class='warned' href='#p{number}'>{count_noun(len(part.warnings), 'warning')}</a>"


def _finding(title: str, question: str, sentences: str, chart: Chart) -> str:
    words = f"<h2>{title}</h2><p class='question'>{escape(question)}</p>{sentences}"
    return f"<section class='finding'><div>{words}</div>{_chart(chart)}</section>"


def _agreement(part: Document) -> str:
    one = part.agreement
    if one is None:
        return ""
    number = f"{escape(one.name)} {one.value:.3f}"
    return number if one.low != one.low else f"{number} ({one.level:.0%} interval {one.low:.3f} to {one.high:.3f})"


def _first(part: Document) -> str:
    """The answer in a sentence or two, however long the whole is."""
    return " ".join(_sentences(part, SHORT))


def _sentences(part: Document, most: int) -> list[str]:
    sentences: list[str] = []
    for sentence in part.answer:
        if sentences and len(" ".join(sentences)) + len(sentence) > most:
            break
        sentences.append(sentence)
    return sentences


def _part(part: Document, number: int) -> str:
    """One result: its answer and its picture, then the evidence."""
    lead, place = part.charts[:1], f"p{number}"
    inner = [_section(one, f"{place}s{n}", "h3", without=lead, opened=n == 0) for n, one in enumerate(part.sections)]
    return f"<article id='{place}'>{_answer(part, 'h2', lead)}\n{''.join(inner)}</article>"


def render_notebook(document: Document) -> str:
    """What a notebook shows: the answer in sentences, then the words and tables of the first section with a table."""
    sections = [section for part in (*document.parts, document) for section in part.sections]
    first = next((one.blocks for one in sections if any(isinstance(block, Table) for block in one.blocks)), ())
    sentences = [f"<p>{escape(sentence)}</p>" for sentence in (*document.warnings, *document.answer)]
    return "".join([*sentences, *map(_notebook_block, first)])


def _notebook_block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _block(block)
    if not isinstance(block, Table):
        return ""
    more = len(block.rows) - NOTEBOOK_ROWS
    table = _table(replace(block, rows=block.rows[:NOTEBOOK_ROWS]), digits=NOTEBOOK_DIGITS)
    return f"{table}<p>… and {count_noun(more, 'more row')}.</p>" if more > 0 else table


def _table(table: Table, *, caption: bool = True, digits: int = 4) -> str:
    head = "".join(_heading(table, place) for place in range(len(table.columns)))
    sides = [_side(table, place) for place in range(len(table.columns))]
    rows = "".join(f"<tr>{''.join(map(_cell, row, sides, repeat(digits)))}</tr>" for row in table.rows)
    above = f"<caption>{escape(table.caption)}</caption>" if caption and table.caption else ""
    return f"<div class='table'><table>{above}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"


def _answer(document: Document, heading: str, lead: Sequence[Chart]) -> str:
    warned = "".join(f"<p class='warning'>{escape(sentence)}</p>" for sentence in document.warnings)
    answer = "".join(f"<p>{escape(sentence)}</p>" for sentence in document.answer)
    question = f"<p class='question'>{escape(document.question)}</p>" if document.question else ""
    opening = f"{warned}<div class='answer'>{answer}</div>" if answer else warned
    anchor = " id='top'" if heading == "h1" else ""
    pictures = "".join(_chart(one) for one in lead)
    return f"<{heading}{anchor}>{escape(document.title)}</{heading}>{question}{opening}{pictures}"


def _section(section: Section, place: str, heading: str = "h2", *, without: Sequence[Chart], opened: bool) -> str:
    """Pictures and words, and the tables beneath; the first table of a result comes first, open if it is short."""
    blocks = [block for block in section.blocks if not any(block is one for one in without)]
    words = [_block(block) for block in blocks if not isinstance(block, Table)]
    tables = [block for block in blocks if isinstance(block, Table)]
    first = [_folded(one, opened=len(one.rows) <= FEW_ROWS) for one in tables[:opened]]
    inner = "\n".join([*first, *words, *(_folded(one, opened=False) for one in tables[opened:])])
    if section.is_methods:
        inner = f"<div class='methods'>{inner}</div>"
    return f"<section id='{place}'><{heading}>{escape(section.title)}</{heading}>\n{inner}\n</section>"


def _folded(table: Table, *, opened: bool) -> str:
    """A table under its caption, with room for the script's buttons."""
    rows = f"<span class='rows'>{count_noun(len(table.rows), 'row')}</span>"
    summary = f"<summary>{escape(table.caption)} {rows}</summary>"
    return f"<details{' open' * opened}>{summary}{_table(table, caption=False)}</details>"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        kind = " class='warning'" if block.warning else ""
        return f"<p{kind}>{_words(block.text)}</p>"
    if isinstance(block, Table):
        return _table(block)
    return _formula(block) if isinstance(block, Formula) else _chart(block)


def _heading(table: Table, place: int) -> str:
    return f"<th scope='col'{_side(table, place)}>{escape(table.columns[place])}</th>"


def _side(table: Table, place: int) -> str:
    """What says on which side of a column its cells stand."""
    if table.is_numeric(place):
        return " class='number'"
    return " class='right'" if table.is_right(place) else ""


def _cell(cell: Any, side: str, digits: int) -> str:
    return f"<td{side}>{escape(format_cell(cell, digits=digits))}</td>"


def _words(text: str) -> str:
    """Words whose symbols have their indices below the line.

    >>> _words("item i has n_ik labels; t_score stays")
    'item i has n<sub>ik</sub> labels; t_score stays'
    """
    return INDEXED.sub(r"\1<sub>\2</sub>", escape(text))


def _formula(block: Formula) -> str:
    source = f" <cite>{escape(block.reference)}</cite>" if block.reference else ""
    return f"<div class='method'><h4>{escape(block.name)}</h4><p>{_words(block.words)}{source}</p>{_math(block)}</div>"


def _math(block: Formula) -> str:
    if not block.latex:
        return ""
    from latex2mathml.converter import convert

    markup: str = convert(block.latex, display="block")
    return markup


def _chart(block: Chart) -> str:
    """The chart drawn once, for readers without scripts and for print; a script makes it answer to the mouse."""
    specification = json.dumps(block.specification, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f"<figure>{_drawn(block)}<script type='application/json'>{specification}</script>"
        f"<figcaption>{escape(block.caption)}</figcaption></figure>"
    )


def _drawn(block: Chart) -> str:
    import vl_convert

    # The caption speaks for the whole picture; its marks would be read one by one.
    svg: str = vl_convert.vegalite_to_svg(block.specification).replace("<svg ", "<svg aria-hidden='true' ", 1)
    return f"<div class='chart' role='img' aria-label='{escape(block.caption, quote=True)}'>{svg}</div>"


@cache
def _library() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # the stub forgets the default
    return bundle.replace("</script", "<\\/script")


def _asset(name: str) -> str:
    return files("concurrence.report.render").joinpath(name).read_text("utf-8")
