"""A sample as a document: what was drawn, and what its judgements can show."""

from typing import TYPE_CHECKING

from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Paragraph, Section, Table
from concurrence.sampling.budget import ExpectedWidth, SampleBudget

if TYPE_CHECKING:
    import polars as pl

IN_TABLE = ("difference_sets_fit", "more_difference_sets_fit")


def sample_document(budget: SampleBudget) -> Document:
    """The sample in a sentence, then the widths that each design would give for the same work, and what it settles."""
    paragraphs = (
        Paragraph(text=sentence.text, warning=sentence.warning)
        for sentence in budget.sentences
        if sentence.code not in IN_TABLE
    )
    widths = (_widths(budget),) if budget.expected else ()
    sets = (_difference_sets(budget),) if any(one.code in IN_TABLE for one in budget.sentences) else ()
    return Document(
        title="Sample",
        question="What will be judged, and what can that show?",
        answer=(str(budget.sample),),
        sections=(Section(title="What these judgements can show", blocks=(*widths, *paragraphs, *sets)),),
    )


def sample_table(budget: SampleBudget) -> "pl.DataFrame":
    return budget.sample.table


def _widths(budget: SampleBudget) -> Table:
    rows, sample = budget.expected, budget.sample
    sizes = list(dict.fromkeys(row.n for row in rows))
    lines = []
    for design, by in dict.fromkeys((row.design, row.strata_by) for row in rows):
        own = {row.n: row for row in rows if (row.design, row.strata_by) == (design, by)}
        chosen = " (this sample)" if (design, by) == (sample.design, sample.strata_by) else ""
        baseline = any(row.baseline for row in own.values())
        lines.append((f"{design}{f', {by}' if by else ''}{chosen}", *(_cell(own[n]) for n in sizes), baseline))
    caption = (
        f"Expected width of the {budget.level:.0%} interval with {len(sample):,} judgements if the precision is "
        f"{budget.expect:g}, and how many of the list are judged (means over the measures)"
    )
    return Table.of(caption, ("design", *(f"n = {n:,}" for n in sizes), "baseline"), lines)


def _difference_sets(budget: SampleBudget) -> Table:
    """How many candidates tell two measures apart, at every list size."""
    from concurrence.measures.table import titles_of

    sets = budget.difference_sets
    titles = titles_of({name: None for one in sets for name in (one.a, one.b)})
    sizes = sorted({one.n for one in sets})
    candidates = {(one.a, one.b, one.n): one.candidates for one in sets}
    rows = [
        (titles[a], titles[b], *(candidates.get((a, b, n)) for n in sizes))
        for a, b in dict.fromkeys((one.a, one.b) for one in sets)
    ]
    caption = (
        "Candidates in the difference sets of two measures; the budget allows judging both difference sets in full "
        f"where there are at most {len(budget.sample):,}, which settles the comparison without sampling error"
    )
    return Table.of(caption, ("measure", "measure", *(f"n = {n:,}" for n in sizes)), rows)


def _cell(row: ExpectedWidth) -> str:
    return "in full" if row.sampled > row.n - 1e-9 else f"{row.width:.3f} ({row.sampled:,.0f})"


PRESENTERS: Presenters = (Presenter(SampleBudget, sample_document, sample_table),)
