"""A fitted model of coders: sentences and tables, JSON, the items' labels."""

from typing import Any

import polars as pl

from concurrence.agreement.coder_models import CoderModel
from concurrence.report.document import Document, Section, Table

MOST_CODERS = 40


def coder_model_json(found: CoderModel) -> dict[str, Any]:
    """The keys of ``concur coders --json``; confusion rows are the true categories."""
    names = found.categories
    return {
        "model": found.name,
        "log_likelihood": found.log_likelihood,
        "iterations": found.iterations,
        "converged": found.converged,
        "prevalence": dict(zip(names, found.prevalence.tolist(), strict=True)),
        "competence": dict(zip(found.coders, found.competence.tolist(), strict=True)),
        "confusion": dict(zip(found.coders, found.confusion.tolist(), strict=True)),
        "categories": names,
        "items": [
            {"item": str(item), "label": label, "probability": probability}
            for item, label, probability in zip(found.items, found.labels, found.probabilities.tolist(), strict=True)
        ],
    }


def item_table(found: CoderModel) -> pl.DataFrame:
    """An item a row: its likeliest label, how probable that is, and the probability of every category."""
    columns: dict[str, Any] = {
        "item": [str(item) for item in found.items],
        "label": pl.Series(found.labels, dtype=pl.String),
        "probability": found.probabilities,
    }
    for k, category in enumerate(found.categories):
        columns[f"p({category})"] = found.posterior[:, k]
    return pl.DataFrame(columns)


def coder_model_document(found: CoderModel) -> Document:
    """The answer, then every coder and category."""
    order = found.competence.argsort()[::-1]
    rows = [(found.coders[k], float(found.competence[k])) for k in order[:MOST_CODERS]]
    shares = list(zip(found.categories, found.prevalence.tolist(), strict=True))
    sections = (
        Section(title="Coders", blocks=(Table.of("How often each coder is right", ("coder", "competence"), rows),)),
        Section(title="Categories", blocks=(Table.of("How common each is", ("category", "prevalence"), shares),)),
    )
    more = ("-o FILE writes the labels.", f"Log-likelihood {found.log_likelihood:.4f} after {found.iterations} steps.")
    question = "How far can each coder be relied on?"
    return Document(title="Coders", question=question, answer=(*found.sentences, *more), sections=sections)
