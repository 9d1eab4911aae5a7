"""A judge held against the humans: sentences and tables, JSON."""

from typing import Any

import polars as pl

from concurrence.agreement.judging import Judgement, MeanAgreement
from concurrence.report.document import Document, Paragraph, Section, Table


def judgement_json(found: Judgement) -> dict[str, Any]:
    """The keys of ``concur judge --json``."""
    test = found.alt_test
    return {
        "judge": found.judge,
        "judge_human": _mean(found.judge_human),
        "human_human": None if found.human_human is None else _mean(found.human_human),
        "base_rates": found.base_rates,
        "constant_guess": found.constant_guess,
        "alt_test": None
        if test is None
        else {
            "winning_rate": test.winning_rate,
            "advantage_probability": test.advantage_probability,
            "passed": test.passed,
            "epsilon": test.epsilon,
            "false_discovery_rate": test.rate,
            "score": test.score,
            "p_values": {row.coder: row.p_value for row in test.humans},
            "humans": list(test.humans),
            "left_out": test.left_out,
            "note": test.note,
        },
        "gate": found.gate,
        "notes": found.notes,
        "sentences": found.sentences,
    }


def judgement_document(found: Judgement) -> Document:
    """The answer, then who agrees with whom and how often."""
    sections = [
        Section(title="Agreement", blocks=(_pairs(found),)),
        Section(title="How often each coder gives each category", blocks=(_rates(found),)),
    ]
    if found.alt_test is not None:
        rows = [(h.coder, h.items, h.advantage, h.disadvantage, h.p_value, h.won) for h in found.alt_test.humans]
        columns = ("human", "items", "judge at least as close", "human at least as close", "p", "judge wins")
        caption = "Alternative-annotator test: who is closer to the other humans?"
        sections.append(Section(title="Alternative annotator", blocks=(Table.of(caption, columns, rows),)))
    notes = (*found.notes, *([found.alt_test.note] if found.alt_test is not None and found.alt_test.note else []))
    if notes:
        sections.append(Section(title="Notes", blocks=tuple(Paragraph(text=text, warning=True) for text in notes)))
    question = f"Can {found.judge} replace a human coder?"
    return Document(title="Judge", question=question, answer=found.sentences, sections=tuple(sections))


def judgement_table(found: Judgement) -> pl.DataFrame:
    """Every pair of coders, a row each."""
    rows = [
        {
            "kind": kind,
            "coder": pair.coders[0],
            "other": pair.coders[1],
            "coefficient": mean.coefficient,
            "items": pair.items,
            "value": pair.value,
            "low": None if pair.interval is None else pair.interval.low,
            "high": None if pair.interval is None else pair.interval.high,
            "note": pair.note,
        }
        for kind, mean in (("judge_human", found.judge_human), ("human_human", found.human_human))
        if mean is not None
        for pair in mean.pairs
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _pairs(found: Judgement) -> Table:
    rows: list[tuple[Any, ...]] = []
    for title, mean in (("judge and humans", found.judge_human), ("humans", found.human_human)):
        if mean is None:
            continue
        rows.append((title, "mean", None, mean.value, _ends(mean.interval)))
        if len(mean.pairs) <= 20:
            rows.extend((*pair.coders, pair.items, pair.value, _ends(pair.interval)) for pair in mean.pairs)
    columns = ("coder", "coder ", "items", found.judge_human.coefficient, "interval")
    return Table.of("Judge and humans, and humans among themselves", columns, rows)


def _rates(found: Judgement) -> Table:
    categories = list(next(iter(found.base_rates.values())))[:12]
    rows = [(coder, *(rates[category] for category in categories)) for coder, rates in found.base_rates.items()]
    return Table.of("Base rates", ("coder", *(f"{category} " for category in categories)), rows[:30])


def _mean(found: MeanAgreement) -> dict[str, Any]:
    return {
        "coefficient": found.coefficient,
        "value": found.value,
        "standard_error": found.standard_error,
        "interval": _ends(found.interval),
        "pairs": [
            {
                "coders": pair.coders,
                "items": pair.items,
                "value": pair.value,
                "interval": _ends(pair.interval),
                "note": pair.note,
            }
            for pair in found.pairs
        ],
        "note": found.note,
    }


def _ends(interval: Any) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
