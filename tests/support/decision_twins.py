"""The labels of a campaign's questions by obvious loops over its decisions, beside the arrays of ``annotation``."""

from collections.abc import Callable, Sequence

import numpy as np

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.decisions.outcomes import JudgedItem
from concurrence.core.labels import MISSING, Labels, ordered_categories


def question_labels(
    campaign: Campaign, judgements: Sequence[JudgedItem], question: str, *, combined: bool = False
) -> Labels:
    """The answers to one question as labels with the declared choices; the groups are the items' parts.

    A follow-up has a label only where its coder met the condition, so two coders meet on the items that both
    called so. With ``combined`` the label is the whole path, such as ``no`` or ``yes/figurative``.
    """
    questionnaire = campaign.questionnaire
    if combined:
        categories = questionnaire.path_labels(question)
        return _labels(judgements, categories, lambda row: questionnaire.path_label(row.answers, question))
    return _labels(judgements, questionnaire[question].categories, lambda row: row.labels.get(question))


def _labels(
    judgements: Sequence[JudgedItem], categories: Sequence[str], label: Callable[[JudgedItem], str | None]
) -> Labels:
    labelled = [(row, text) for row in judgements if (text := label(row)) is not None]
    all_categories = tuple(categories) or ordered_categories({text for _, text in labelled})
    index = {category: code for code, category in enumerate(all_categories)}
    rounds = {row.round for row, _ in labelled}
    keys = {(row.item if len(rounds) < 2 else f"{row.item} ({row.round})"): row.part for row, _ in labelled}
    items = {key: position for position, key in enumerate(keys)}
    coders = {name: position for position, name in enumerate(dict.fromkeys(row.coder for row, _ in labelled))}
    codes = np.full((len(items), len(coders)), MISSING, dtype=np.int32)
    for row, text in labelled:
        key = row.item if len(rounds) < 2 else f"{row.item} ({row.round})"
        codes[items[key], coders[row.coder]] = index[text]
    return Labels(
        codes=codes,
        categories=all_categories,
        coders=tuple(coders),
        items=np.array(list(items), dtype=object),
        groups=np.array(list(keys.values()), dtype=object),
        categories_declared=bool(categories),
    )


def self_consistency_labels(
    campaign: Campaign, first: Sequence[JudgedItem], second: Sequence[JudgedItem], coder: str, question: str
) -> Labels | None:
    """A coder's first and second answers on the hidden repeats as the labels of two coders, where there are any."""
    once = {(row.round, row.item): row.labels.get(question) for row in first if row.coder == coder}
    twice = {(row.round, row.item): row.labels.get(question) for row in second if row.coder == coder}
    rows = [[once.get(key), label] for key, label in twice.items() if label is not None and once.get(key) is not None]
    if not rows:
        return None
    declared = campaign.questionnaire[question].categories or None
    return Labels.from_rows(rows, coders=["first", "again"], categories=declared)
