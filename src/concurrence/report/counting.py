"""Counted pairs as a document: how they were counted, how rare most are, and the most frequent ones."""

import re
from dataclasses import fields
from typing import TYPE_CHECKING

from concurrence.core.shown import number_of
from concurrence.counting.concordance import Concordance, Line
from concurrence.counting.result import CountsSummary
from concurrence.report.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

SHOWN = ("l1", "l2", "f", "f1", "f2", "N")
RELATION = re.compile(r"dep:[a-z_][\w:|*]*")
"""A rule that names a relation and no order of its own."""
PARTS = tuple(entry.name for entry in fields(Line))


def counts_document(counts: CountsSummary) -> Document:
    """The rule first, since a table means nothing without it."""
    rows = [[row[name] for name in SHOWN] for row in counts.top]
    removed = [(entry.pattern, entry.pairs, entry.true_positives) for entry in counts.dropped]
    sections = [Section(title="Most frequent pairs", blocks=(Table.of("Frequency signatures", SHOWN, rows),))]
    if removed:
        table = Table.of("Pairs that patterns removed", ("pattern", "pairs", "true positives"), removed)
        sections.append(Section(title="Removed by hand", blocks=(table,)))
    question = "Which words stand together, and how often?"
    return Document(title="Pairs", question=question, answer=tuple(_answer(counts)), sections=tuple(sections))


def _answer(counts: CountsSummary) -> list[str]:
    size = "" if counts.N is None else f", N = {counts.N:,}"
    shares = ", ".join(f"f = {level.f}: {level.share:.1%}" for level in counts.spectrum if level.share is not None)
    sentence = (
        f"{number_of(counts.pairs, 'pair')} by the rule {counts.rule}{size} "
        f"({number_of(counts.tokens or 0, 'token')}, {number_of(counts.sentences or 0, 'sentence')})."
    )
    order = ["l1 is the head and l2 its dependent."] if RELATION.fullmatch(counts.rule) else []
    return [sentence, *order, *([f"All pairs before the threshold: {shares}."] if shares else [])]


def concordance_document(result: Concordance, *, context: int | None = None) -> Document:
    """Every line with the pair in the middle; whole sentences, or so many characters on either side."""
    if context is None:
        table = Table.of("In the order of the corpus", PARTS, [_cells(line) for line in result.lines])
    else:
        before = [line.before[-context:] if context else "" for line in result.lines]
        width = max(map(len, before), default=0)
        rows = [
            (line.sentence, left.rjust(width), _pair(line), line.after[:context])
            for line, left in zip(result.lines, before, strict=True)
        ]
        table = Table.of("In the order of the corpus", ("sentence", "before", "pair", "after"), rows)
    question = f"Where do {result.l1} and {result.l2} occur together?"
    section = Section(title="Concordance", blocks=(table,) if result.lines or context is None else ())
    return Document(
        title="Concordance", question=question, answer=(f"{result}.", *map(str, result.sentences)), sections=(section,)
    )


def _pair(line: Line) -> str:
    return " ".join(part for part in (line.first, line.between, line.second) if part)


def concordance_table(result: Concordance) -> "pl.DataFrame":
    import polars as pl

    schema = {name: pl.Int64 if name == "sentence" else pl.String for name in PARTS}
    return pl.DataFrame([_cells(line) for line in result.lines], schema=schema, orient="row")


def _cells(line: Line) -> tuple[int | str, ...]:
    return tuple(getattr(line, name) for name in PARTS)
