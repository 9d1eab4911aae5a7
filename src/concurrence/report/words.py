"""Answers about words as documents and tables."""

from typing import TYPE_CHECKING

from concurrence.core.shown import number_of, shown
from concurrence.corpus.indexed import IndexSummary
from concurrence.kernels.dispersion import TITLES as DISPERSION
from concurrence.lookup.collocates import Collocates
from concurrence.lookup.concordance import Kwic
from concurrence.lookup.frequency import WordList
from concurrence.report.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

    from concurrence.corpus.tagging import TaggedCorpus

LINE = ("document", "sentence", "left", "node", "right")
ORDER = {
    "corpus": "In the order of the corpus",
    "left": "By what stands before",
    "right": "By what stands after",
    "node": "By the node",
    "random": "A random sample",
}
WIDEST = 6


def kwic_document(result: Kwic, *, context: int | None = None) -> Document:
    """Every line with the node in the middle; whole sentences, or so many characters on either side."""
    lines = [tuple(getattr(line, name) for name in LINE) for line in result.lines]
    if context is not None:
        cut = [(document, number, left[-context:] if context else "", node, right[:context])
               for document, number, left, node, right in lines]  # fmt: skip
        width = max((len(row[2]) for row in cut), default=0)
        lines = [(document, number, left.rjust(width), node, right) for document, number, left, node, right in cut]
    if len({line.document for line in result.lines}) < 2:
        table = Table.of(ORDER[result.sort], LINE[1:], [row[1:] for row in lines])
    else:
        table = Table.of(ORDER[result.sort], LINE, lines)
    return Document(
        title="Concordance",
        question=f"Where does {result.query} occur?"
        if result.second is None
        else f"Where do {result.query} and {result.second} occur together?",
        answer=(str(result), *map(str, result.sentences)),
        sections=(Section(title="Lines", blocks=(table,) if lines else ()),),
    )


def kwic_table(result: Kwic) -> "pl.DataFrame":
    import polars as pl

    schema = {name: pl.Int64 if name == "sentence" else pl.String for name in LINE}
    rows = [tuple(getattr(line, name) for name in LINE) for line in result.lines]
    return pl.DataFrame(rows, schema=schema, orient="row")


def collocates_document(result: Collocates, *, most: int | None = None) -> Document:
    """The collocates with their frequencies and scores, best first, then examples; all, or so many."""
    from concurrence.measures.table import titles_of
    from concurrence.report.methods import methods_section

    titles = titles_of(result.measures)
    names = result.measures[:WIDEST]
    columns = ("word", "f", "f2", "documents", *(titles[name] for name in names))
    rows = [
        (row.word, row.f, row.f2, row.range, *(row.scores[name] for name in names)) for row in result.collocates[:most]
    ]
    cut = "" if len(rows) == result.types else f", the first {len(rows):,}"
    by = titles.get(result.sort, result.sort)
    blocks = [Table.of(f"Collocates by {by}{cut}", columns, rows)] if rows else []
    examples = [(row.word, text) for row in result.collocates[:most] for text in row.examples]
    if examples:
        blocks.append(Table.of("Examples", ("word", "sentence"), examples))
    return Document(
        title="Collocates",
        question=f"What stands around {result.node.query}?",
        answer=(str(result),),
        warnings=tuple(map(str, result.warnings)),
        sections=(Section(title="Collocates", blocks=tuple(blocks)), methods_section(measures=result.measures)),
    )


def collocates_table(result: Collocates) -> "pl.DataFrame":
    """One row per collocate, as pairs with the node, so that they can be sampled and evaluated."""
    import polars as pl

    rows = [
        {
            "l1": result.node.query, "l2": row.word, "f": row.f, "f1": row.f1, "f2": row.f2, "N": row.N,
            "n1": row.n1, "n2": row.n2, "range": row.range, **row.scores,
        }
        for row in result.collocates
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


TITLES = {"f": "f", **DISPERSION}


def words_document(result: WordList, *, most: int | None = None) -> Document:
    """The words with their frequency and dispersion; all, or so many."""
    rows = result.words.head(most).rows() if most is not None else result.words.rows()
    cut = "" if len(rows) == result.types else f", the first {len(rows):,}"
    table = Table.of(f"Words by {TITLES.get(result.sort, result.sort)}{cut}", ("word", *TITLES.values()), rows)
    return Document(
        title="Words",
        question="Which words are there, and how evenly are they spread?",
        answer=(str(result),),
        sections=(Section(title="Words", blocks=(table,)),),
    )


def words_table(result: WordList) -> "pl.DataFrame":
    table: pl.DataFrame = result.words
    return table


def index_document(result: IndexSummary) -> Document:
    """What the index holds."""
    rows = [(name, number) for name, number in result.layers.items()]
    table = Table.of("Layers", ("layer", "different words"), rows)
    size = f"{shown(result.bytes / 1e6, digits=3)} MB" if result.bytes >= 1e6 else number_of(result.bytes, "byte")
    return Document(
        title="Index",
        question="What does the index hold?",
        answer=(f"{result} {size} on disk.",),
        sections=(Section(title="Layers", blocks=(table,)),),
    )


def tagged_document(result: "TaggedCorpus") -> Document:
    """How much was tagged, and by what."""
    return Document(title="Tagged text", question="What was tagged?", answer=(str(result),), sections=())
