"""Answers about words as documents and tables."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from concurrence.core.sentences import format_cell
from concurrence.kernels.dispersion import TITLES as DISPERSION
from concurrence.lookup.collocates import Collocates
from concurrence.lookup.kwic import Kwic
from concurrence.lookup.words import WordList
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.charts import PALETTE, finished, layer, quantity
from concurrence.report.render.document import Chart, Document, Section, Table

if TYPE_CHECKING:
    import polars as pl


LINE = ("document", "sentence", "left", "node", "right")
ORDER = {
    "corpus": "In the order of the corpus",
    "left": "By what stands before",
    "right": "By what stands after",
    "node": "By the node",
    "random": "A random sample",
}
WIDEST = 6
BETWEEN = 3
"""Characters between two columns on a screen."""

Line = tuple[Any, ...]
"""A line of a concordance as a row: document, sentence, left, node, right."""


def kwic_document(result: Kwic, *, context: int | None = None, width: int | None = None) -> Document:
    """Every line with the node in the middle; whole sentences, or so many characters on either side.

    With ``width``, every line fits on one of a screen with so many characters.
    """
    lines = [tuple(getattr(line, name) for name in LINE) for line in result.lines]
    if width is not None:
        lines = in_one_line(lines, width=width, context=width if context is None else context)
    names = {line.document for line in result.lines}
    if len(names) == 1:
        rows = [row[1:] for row in lines]
        table = Table.of(f"{ORDER[result.sort]}, all in {names.pop()}", LINE[1:], rows, to_the_right=("left",))
    else:
        table = Table.of(ORDER[result.sort], LINE, lines, to_the_right=("left",))
    return Document(
        title="Concordance",
        question=f"Where does {result.query} occur?"
        if result.second is None
        else f"Where do {result.query} and {result.second} occur together?",
        answer=(str(result), *map(str, result.sentences)),
        sections=(Section(title="Lines", blocks=(table,) if lines else ()),),
    )


def in_one_line(lines: Sequence[Line], *, width: int, context: int) -> list[Line]:
    """Lines that need no more than so many characters: names shortened, then the context cut on both sides."""
    from rich.cells import cell_len, set_cell_size

    if not lines:
        return []
    several = len({line[0] for line in lines}) > 1
    documents = [shortened(line[0], width // 5) if several else line[0] for line in lines]
    nodes = [shortened(" ".join(line[3].split()), width // 3) for line in lines]
    columns = [("sentence", [format_cell(line[1]) for line in lines]), ("node", nodes)]
    columns += [("document", documents)] if several else []
    used = sum(max(map(cell_len, (title, *cells))) + BETWEEN for title, cells in columns) + BETWEEN
    room = max(min(context, (width - used) // 2), 0)
    lefts = [_one_spaced(line[2])[::-1] for line in lines]
    room_left = min(room, max(map(cell_len, lefts)))
    return [
        (document, number, set_cell_size(left, room_left)[::-1], node, _cut_off(_one_spaced(right), room))
        for document, left, node, (_, number, _, _, right) in zip(documents, lefts, nodes, lines, strict=True)
    ]


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters: what is too long loses its middle.

    >>> shortened("weblog-2004-11-23", 11)
    'weblo…11-23'
    """
    half = (max(most, 3) - 1) // 2
    return text if len(text) <= max(most, 3) else f"{text[:half]}…{text[-half:]}"


def _one_spaced(text: str) -> str:
    """The text with single spaces, so that a tab does not move what stands behind it."""
    return re.sub(r"\s+", " ", text)


def _cut_off(text: str, cells: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= cells else set_cell_size(text, cells)


def kwic_table(result: Kwic) -> "pl.DataFrame":
    import polars as pl

    schema = {name: pl.Int64 if name == "sentence" else pl.String for name in LINE}
    rows = [tuple(getattr(line, name) for name in LINE) for line in result.lines]
    return pl.DataFrame(rows, schema=schema, orient="row")


def collocates_document(result: Collocates, *, most: int | None = None) -> Document:
    """The collocates with their frequencies and scores, best first, then examples; then the chart and the methods.

    With ``most``, what a screen shows: so many of them alone.
    """
    from concurrence.measures.table import titles_of

    titles = titles_of(result.measures)
    names = result.measures[:WIDEST]
    columns = ("word", "f", "f2", "documents", *(titles[name] for name in names))
    rows = [
        (row.word, row.f, row.f2, row.range, *(row.scores[name] for name in names)) for row in result.collocates[:most]
    ]
    cut = "" if len(rows) == result.types else f", the first {len(rows):,}"
    by = "in alphabetical order" if result.sort == "word" else f"by {titles.get(result.sort, result.sort)}"
    blocks = [Table.of(f"Collocates {by}{cut}", columns, rows)] if rows else []
    examples = [(row.word, text) for row in result.collocates[:most] for text in row.examples]
    if examples:
        blocks.append(Table.of("Examples", ("word", "sentence"), examples))
    on_screen = (Section(title="Collocates", blocks=tuple(blocks)),)
    return Document(
        title="Collocates",
        question=f"What stands around {result.node.query}?",
        answer=(str(result),),
        warnings=tuple(map(str, result.warnings)),
        sections=on_screen if most is not None else _with_methods(result, blocks),
    )


def _with_methods(result: Collocates, blocks: Sequence[Table]) -> tuple[Section, ...]:
    from concurrence.report.pages.methods import methods_section

    section = Section(title="Collocates", blocks=(*blocks, *_strip(result)))
    return section, methods_section(measures=result.measures)


def _strip(result: Collocates) -> tuple[Chart, ...]:
    """Where in the corpus the node occurs; nothing if it never does."""
    if not any(result.spread):
        return ()
    wide = 1 / len(result.spread)
    rows = [{"from": k * wide, "to": (k + 1) * wide, "f": f} for k, f in enumerate(result.spread) if f]
    along = {"title": "place in the corpus", "scale": {"domain": [0, 1]}, "axis": {"format": "%", "grid": False}}
    times = quantity("f", {"title": "occurrences", "axis": {"tickCount": 2, "format": "d"}})
    tooltip = [quantity("from", {"format": ".0%"}), quantity("to", {"format": ".0%"}), quantity("f")]
    bars = layer(
        rows,
        {"type": "rect", "color": PALETTE[0]},
        {"x": quantity("from", along), "x2": {"field": "to"}, "y": times, "y2": {"datum": 0}, "tooltip": tooltip},
    )
    words = (
        f"Where {result.node.query} occurs, from the beginning of the corpus to its end; each bar is {wide:.0%} of it."
    )
    return (Chart(specification=finished({"width": 560, "height": 70, "layer": [bars]}), caption=words),)


def collocates_table(result: Collocates) -> "pl.DataFrame":
    """One row per collocate, as pairs with the node, so that they can be sampled and evaluated."""
    import polars as pl

    rows = [
        {
            "l1": result.node.query, "l2": row.word, "f": row.f, "f1": row.f1, "f2": row.f2, "N": row.N,
            "n1": row.n1, "n2": row.n2, "range": row.range, **row.scores,
            **({"examples": list(row.examples)} if row.examples else {}),
        }
        for row in result.collocates
    ]  # fmt: skip
    texts, whole = dict.fromkeys(("l1", "l2"), pl.String), ("f", "f1", "f2", "N", "n1", "n2", "range")
    schema = {**texts, **dict.fromkeys(whole, pl.Int64), **dict.fromkeys(result.measures, pl.Float64)}
    examples = {"examples": pl.List(pl.String)} if any("examples" in row for row in rows) else {}
    return pl.DataFrame(rows, schema={**schema, **examples})


TITLES = {"f": "f", **DISPERSION}


def words_document(result: WordList, *, most: int | None = None) -> Document:
    """The words with their frequency and dispersion; all, or so many."""
    rows = result.words.head(most).rows() if most is not None else result.words.rows()
    cut = "" if len(rows) == result.types else f", the first {len(rows):,}"
    by = "in alphabetical order" if result.sort == "word" else f"by {TITLES.get(result.sort, result.sort)}"
    tables = (Table.of(f"Words {by}{cut}", ("word", *TITLES.values()), rows),) if rows else ()
    return Document(
        title="Words",
        question="Which words are there, and how evenly are they spread?",
        answer=(str(result),),
        sections=(Section(title="Words", blocks=tables),),
    )


def words_table(result: WordList) -> "pl.DataFrame":
    table: pl.DataFrame = result.words
    return table


PRESENTERS: Presenters = (
    Presenter(Kwic, kwic_document, kwic_table),
    Presenter(Collocates, collocates_document, collocates_table),
    Presenter(WordList, words_document, words_table),
)
