"""A fitted model of coders, as a document and as a table of the items."""

from typing import Any

import numpy as np
import polars as pl

from concurrence.agreement.labels.coders.latent import LatentClasses
from concurrence.agreement.labels.coders.models import CoderModel
from concurrence.core.sentences import count_noun
from concurrence.kernels.digits import round_scores
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

MOST_CODERS = 40


def item_table(model: CoderModel) -> pl.DataFrame:
    """One item per row: its likeliest label, how probable that is, and the probability of every category."""
    columns: dict[str, Any] = {
        "item": [str(item) for item in model.items],
        "label": pl.Series(model.labels, dtype=pl.String),
        "probability": model.probabilities,
    }
    for k, category in enumerate(model.categories):
        columns[f"p({category})"] = model.posterior[:, k]
    return pl.DataFrame(columns)


def coder_model_document(model: CoderModel) -> Document:
    """The answer, then every coder and category."""
    order = np.argsort(-round_scores(model.competence), kind="stable")
    rows = [_coder_row(model, k) for k in order[:MOST_CODERS].tolist()]
    columns = ("coder", "competence", *(("95% interval", "items") if model.rates else ()))
    shares = list(zip(model.categories, model.prevalence.tolist(), strict=True))
    sections = (
        Section(title="Coders", blocks=(Table.of("How often each coder is right", columns, rows),)),
        Section(
            title="Categories", blocks=(Table.of("How common each category is", ("category", "prevalence"), shares),)
        ),
    )
    reached = f"{model.likelihood_name.capitalize()} {model.log_likelihood:.4f} after {model.iterations} steps."
    return Document.of(
        "Coders", "How far can each coder be relied on?", (*model.sentences, reached), sections, warnings=model.warnings
    )


def _coder_row(model: CoderModel, place: int) -> tuple[Any, ...]:
    competence = (model.coders[place], float(model.competence[place]))
    return (*competence, model.rates[place].interval, model.rates[place].items) if model.rates else competence


def class_table(model: LatentClasses) -> pl.DataFrame:
    """One item per row: its likeliest class, how probable that is, and the probability of every class."""
    columns: dict[str, Any] = {
        "item": [str(item) for item in model.items],
        "class": pl.Series(model.likeliest, dtype=pl.Int64),
        "probability": model.probabilities,
    }
    for k in range(model.n_classes):
        columns[f"p(class {k + 1})"] = model.posterior[:, k]
    return pl.DataFrame(columns)


def classes_document(model: LatentClasses) -> Document:
    """The answer, then what each coder says to the items of each class."""
    classes = [f"class {k + 1} ({share:.0%})" for k, share in enumerate(model.prevalence)]
    rows = [
        (coder, category, *model.response[place, :, k].tolist())
        for place, coder in enumerate(model.coders[:MOST_CODERS])
        for k, category in enumerate(model.categories)
    ]
    tried = [(number, bic) for number, bic in sorted(model.bic.items())]
    sections = (
        Section(
            title="Classes",
            blocks=(Table.of("How often each coder gives the category", ("coder", "category", *classes), rows),),
        ),
        Section(title="Number of classes", blocks=(Table.of("Lower is better", ("classes", "BIC"), tried),)),
    )
    reached = (
        f"Log-likelihood {model.log_likelihood:.4f}, reached by {model.starts_at_best} of "
        f"{count_noun(model.starts, 'random start')}."
    )
    return Document.of(
        "Classes",
        "Which kinds of items are behind the labels?",
        (*model.sentences, reached),
        sections,
        warnings=model.warnings,
    )


PRESENTERS: Presenters = (
    Presenter(CoderModel, coder_model_document, item_table),
    Presenter(LatentClasses, classes_document, class_table),
)
