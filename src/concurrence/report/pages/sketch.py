"""A sketch as a document and as a table."""

from typing import TYPE_CHECKING

from concurrence.core.sentences import format_cell
from concurrence.lookup.sketch import Sketch, SketchWord
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Block, Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

DIGITS = 3


def sketch_document(result: Sketch) -> Document:
    """One table per relation with all that is known of its words."""
    from concurrence.measures.table import titles_of

    titles = titles_of(result.measures)
    columns = ("word", "f", "f2", "documents", *titles.values())
    sections = []
    for name, words in _with_words(result):
        rows = [(row.word, row.f, row.f2, row.range, *row.scores.values()) for row in words]
        blocks: list[Block] = [Table.of(f"{name}{_cut(result, name, len(rows))}", columns, rows)]
        examples = [(row.word, text) for row in words for text in row.examples]
        if examples:
            blocks.append(Table.of(f"{name}: examples", ("word", "sentence"), examples))
        sections.append(Section(title=name, blocks=tuple(blocks)))
    return _document(result, sections)


def sketch_brief(result: Sketch, *, most: int) -> Document:
    """One line per relation: how often the lemma has it, and the best words with their scores."""
    from concurrence.measures.table import titles_of

    title = titles_of(result.measures).get(result.sort, result.sort)
    rows = []
    for name, words in _with_words(result):
        scored = result.sort in result.measures
        cells = [row.scores[result.sort] if scored else row.f for row in words[:most]]
        best = [f"{row.word} {format_cell(cell, digits=DIGITS)}" for row, cell in zip(words, cells, strict=False)]
        rest = result.types[name] - len(best)
        rows.append((name, words[0].f1, ", ".join(best) + (f" … {rest:,} more" if rest > 0 else "")))
    table = Table.of(f"Words by {title}", ("relation", "f", "words"), rows)
    blocks: list[Block] = [table] if rows else []
    examples = [(f"{name}: {row.word}", text) for name, words in result.relations.items()
                for row in words[:most] for text in row.examples]  # fmt: skip
    if examples:
        blocks.append(Table.of("Examples", ("word", "sentence"), examples))
    return _document(result, [Section(title="Relations", blocks=tuple(blocks))])


def sketch_table(result: Sketch) -> "pl.DataFrame":
    """One row per word and relation, as pairs with the lemma, so that they can be sampled and evaluated."""
    import polars as pl

    rows = [
        {
            "l1": result.node.query, "l2": row.word, "relation": name, "f": row.f, "f1": row.f1, "f2": row.f2,
            "N": row.N, "range": row.range, **row.scores,
            **({"examples": list(row.examples)} if row.examples else {}),
        }
        for name, words in result.relations.items()
        for row in words
    ]  # fmt: skip
    texts, whole = dict.fromkeys(("l1", "l2", "relation"), pl.String), ("f", "f1", "f2", "N", "range")
    schema = {**texts, **dict.fromkeys(whole, pl.Int64), **dict.fromkeys(result.measures, pl.Float64)}
    examples = {"examples": pl.List(pl.String)} if any("examples" in row for row in rows) else {}
    return pl.DataFrame(rows, schema={**schema, **examples})


def _with_words(result: Sketch) -> list[tuple[str, tuple[SketchWord, ...]]]:
    """The relations that the lemma has, with their words."""
    return [(name, words) for name, words in result.relations.items() if words]


def _cut(result: Sketch, name: str, shown_rows: int) -> str:
    return "" if shown_rows == result.types[name] else f", the first {shown_rows:,} of {result.types[name]:,}"


def _document(result: Sketch, sections: list[Section]) -> Document:
    from concurrence.report.pages.methods import methods_section

    return Document.of(
        "Sketch",
        f"What goes with {result.node.query}, in which relation?",
        (str(result), *result.sentences),
        (*sections, methods_section(measures=result.measures)),
        warnings=result.warnings,
    )


PRESENTERS: Presenters = (Presenter(Sketch, sketch_document, sketch_table),)
