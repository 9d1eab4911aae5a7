"""Counted pairs as a document: how they were counted, how rare most are, and the most frequent ones."""

import re

from concurrence.core.sentences import count_noun
from concurrence.counting.result import CountsSummary
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

SHOWN = re.compile(r"l\d|f\d?|N")
RELATION = re.compile(r"dep:[a-z_][\w:|*]*")
"""A rule that names a relation and no order of its own."""


PAIR = ("l1", "l2", "f", "f1", "f2", "N")


def noun_of(counts: CountsSummary) -> str:
    """What was counted."""
    return "sequence" if counts.rule.startswith("ngram:") else "pair"


def counts_document(counts: CountsSummary) -> Document:
    """The rule first, since a table means nothing without it."""
    noun = noun_of(counts)
    columns = [name for name in (counts.top[0] if counts.top else PAIR) if SHOWN.fullmatch(name)]
    rows = [[row[name] for name in columns] for row in counts.top]
    removed = [(entry.pattern, entry.pairs, entry.true_positives) for entry in counts.dropped]
    sections = [Section(title=f"Most frequent {noun}s", blocks=(Table.of("Frequency signatures", columns, rows),))]
    if removed:
        heads = ("pattern", f"{noun}s", "true positives")
        table = Table.of(f"{noun.capitalize()}s that patterns removed", heads, removed)
        sections.append(Section(title="Removed by hand", blocks=(table,)))
    question = "Which words stand together, and how often?"
    title = f"{noun.capitalize()}s"
    return Document.of(title, question, _answer(counts), sections, warnings=counts.warnings)


def _answer(counts: CountsSummary) -> list[str]:
    size = "" if counts.N is None else f", N = {counts.N:,}"
    shares = ", ".join(f"f = {level.f}: {level.share:.1%}" for level in counts.spectrum if level.share is not None)
    sentence = (
        f"{count_noun(counts.pairs, noun_of(counts))} by the rule {counts.rule}{size} "
        f"({count_noun(counts.tokens or 0, 'token')}, {count_noun(counts.sentences or 0, 'sentence')})."
    )
    order = ["l1 is the head and l2 its dependent."] if RELATION.fullmatch(counts.rule) else []
    return [sentence, *order, *([f"All {noun_of(counts)}s before the threshold: {shares}."] if shares else [])]


PRESENTERS: Presenters = (Presenter(CountsSummary, counts_document),)
