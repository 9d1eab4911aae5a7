"""Counted pairs as a document: how they were counted, how rare most are, and the most frequent ones."""

from typing import Any

from concurrence.core.shown import number_of
from concurrence.counting.concordance import Concordance
from concurrence.counting.result import Counts
from concurrence.counting.spark import StoredCounts
from concurrence.report.document import Document, Section, Table

TOP = 20
SHOWN = ("l1", "l2", "f", "f1", "f2", "N")


def counts_json(counts: Counts | StoredCounts) -> dict[str, Any]:
    """The keys of ``concur pairs --json``."""
    counted = counts.counted
    return {
        "pairs": counts.n_pairs,
        "N": counts.sample_size,
        "tokens": counted.tokens,
        "sentences": counted.sentences,
        "rule": counted.rule,
        "unit": counted.unit,
        "filters": counted.filters,
        "spectrum": counts.spectrum,
        "dropped": counts.dropped,
        "broken": counts.broken,
        "top": _top(counts),
    }


def counts_document(counts: Counts | StoredCounts) -> Document:
    """The rule first, since a table means nothing without it."""
    rows = [[row[name] for name in SHOWN] for row in _top(counts)]
    removed = [(f"{entry.pattern}", entry.pairs, entry.true_positives) for entry in counts.dropped]
    sections = [Section(title="Most frequent pairs", blocks=(Table.of("Frequency signatures", SHOWN, rows),))]
    if removed:
        table = Table.of("Pairs that patterns removed", ("pattern", "pairs", "true positives"), removed)
        sections.append(Section(title="Removed by hand", blocks=(table,)))
    question = "Which words stand together, and how often?"
    return Document(title="Pairs", question=question, answer=tuple(_answer(counts)), sections=tuple(sections))


def concordance_document(found: Concordance) -> Document:
    """Every line with the pair in the middle."""
    lines = found.table()
    table = Table.of("In the order of the corpus", lines.columns, lines.rows())
    question = f"Where do {found.l1} and {found.l2} stand together?"
    section = Section(title="Concordance", blocks=(table,))
    return Document(title="Concordance", question=question, answer=(f"{found}.",), sections=(section,))


def _answer(counts: Counts | StoredCounts) -> list[str]:
    counted = counts.counted
    size = "" if counts.sample_size is None else f", N = {counts.sample_size:,}"
    shares = ", ".join(f"f = {level.f}: {level.share:.1%}" for level in counts.spectrum if level.share is not None)
    sentence = (
        f"{number_of(counts.n_pairs, 'pair')} by the rule {counted.rule}{size} "
        f"({number_of(counted.tokens or 0, 'token')}, {number_of(counted.sentences or 0, 'sentence')})."
    )
    return [sentence, *([f"All pairs before the threshold: {shares}."] if shares else [])]


def _top(counts: Counts | StoredCounts) -> list[dict[str, Any]]:
    first = next(counts.chunks(rows=TOP), None)
    return [] if first is None else first.head(TOP).to_dicts()
