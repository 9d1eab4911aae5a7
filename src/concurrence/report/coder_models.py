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
    question = "How far can each coder be relied on?"
    return Document(title="Coders", question=question, answer=_answer(found), sections=sections)


def _answer(found: CoderModel) -> tuple[str, ...]:
    sure = float((found.probabilities > 0.95).sum()) / max(int(found.labelled.sum()), 1)
    return (
        _standing(found),
        f"{sure:.0%} of the items have a label that is more than 95% probable; -o FILE writes them all.",
        f"Log-likelihood {found.log_likelihood:.4f} after {found.iterations} steps.",
    )


def _standing(found: CoderModel) -> str:
    best, worst = int(found.competence.argmax()), int(found.competence.argmin())
    high, low = f"{found.competence[best]:.0%}", f"{found.competence[worst]:.0%}"
    verb = "knows the answer" if found.name == "mace" else "is right"
    if high == low:
        return f"Every coder {verb} equally often ({high})."
    return f"{found.coders[best]} {verb} most often ({high}), {found.coders[worst]} least often ({low})."
