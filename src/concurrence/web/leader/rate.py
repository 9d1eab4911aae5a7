"""What leaders see of a yes/no question on a drawn sample: the rate so far, with an interval that holds at every look.

The page is looked at all day, so the interval of a single look would promise too much.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.annotation.campaigns.campaign import Campaign, item_ids
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.adjudication import rulings, rulings_in_force
from concurrence.annotation.decisions.current_answers import CurrentAnswers, database_version, load_current_answers
from concurrence.annotation.decisions.outcomes import item_columns
from concurrence.kernels import estimates
from concurrence.kernels.anytime import anytime_total
from concurrence.kernels.estimates import StratumCounts

LEVEL = 0.95
ANSWERS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
UNSETTLED, NO, YES = -1, 0, 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnSample:
    """The items of a sample: by their number in the database the stratum of each, and how large the strata are."""

    stratum: dict[int, int]
    sizes: NDArray[np.int64]


def running_rates(store: Store, campaign: Campaign) -> list[dict[str, Any]]:
    """For every yes/no question of a campaign on a drawn sample, the share of yes so far and both its intervals."""
    questions = [
        one.id for one in campaign.questionnaire.questions if one.parent is None and _is_yes_no(one.categories)
    ]
    if not questions:
        return []
    version = store.read(database_version)
    drawn = store.cache.get(
        ("drawn", campaign.id, campaign.created), version.people, lambda: store.read(lambda c: _drawn(c, campaign))
    )
    if drawn is None:
        return []
    current = load_current_answers(store, campaign)
    in_force = store.read(lambda connection: rulings_in_force(campaign, rulings(connection, campaign)))
    ruled = {key: ruling.answer for key, ruling in in_force.items()}
    rates = (_running_rate(name, current, ruled, drawn) for name in questions)
    return [one for one in rates if one is not None]


def _is_yes_no(categories: tuple[str, ...]) -> bool:
    return {ANSWERS.get(name.lower()) for name in categories} == {True, False} and len(categories) == 2


def _drawn(connection: Any, campaign: Campaign) -> DrawnSample | None:
    """The sample that the items are; nothing where they were not drawn, or some of them more than once."""
    rows, numbers = item_columns(connection, campaign), item_ids(connection, campaign)
    if not rows or any("multiplicity" in row or not {"stratum", "probability"} <= row.keys() for row in rows.values()):
        return None
    names = sorted({row["stratum"] for row in rows.values()})
    place = {name: number for number, name in enumerate(names)}
    drawn, chances = np.zeros(len(names), dtype=np.int64), np.zeros(len(names))
    for row in rows.values():
        drawn[place[row["stratum"]]] += 1
        chances[place[row["stratum"]]] = _number(row["probability"])
    if not ((chances > 0) & (chances <= 1)).all():
        return None
    stratum = {numbers[key]: place[row["stratum"]] for key, row in rows.items()}
    return DrawnSample(stratum=stratum, sizes=np.rint(drawn / chances).astype(np.int64))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _running_rate(
    question: str, current: CurrentAnswers, ruled: Mapping[tuple[int, str], str | None], drawn: DrawnSample
) -> dict[str, Any] | None:
    verdicts = _verdicts(question, current, ruled)
    strata, judged, true = len(drawn.sizes), np.zeros(len(drawn.sizes), int), np.zeros(len(drawn.sizes), int)
    for item, verdict in verdicts.items():
        if verdict != UNSETTLED and item in drawn.stratum:
            judged[drawn.stratum[item]] += 1
            true[drawn.stratum[item]] += verdict
    if not judged.any():
        return None
    whole = float(drawn.sizes.sum())
    low, high = anytime_total(drawn.sizes, judged, true, level=LEVEL)
    cells = StratumCounts(size=drawn.sizes[None], sampled=judged[None], true=true[None])
    once = estimates.interval(cells, method="design" if strata > 1 else "hypergeometric", level=LEVEL)
    return {
        "question": question,
        "candidates": int(whole),
        "judged": int(judged.sum()),
        "yes": int(true.sum()),
        "unsettled": sum(verdict == UNSETTLED for verdict in verdicts.values()),
        "rate": float(estimates.shares(cells)[0]),
        "interval": [low / whole, high / whole],
        "fixed": [float(end[0]) for end in once],
        "level": LEVEL,
    }


def _verdicts(question: str, current: CurrentAnswers, ruled: Mapping[tuple[int, str], str | None]) -> dict[int, int]:
    """By item what the ruling says, else what most coders say; undecided where as many say yes as no."""
    answers = current.answers_to(question)
    signs = np.array([1 if ANSWERS[str(label).lower()] else -1 for label in answers.labels], dtype=np.int64)
    balance = np.bincount(answers.rows, weights=signs, minlength=len(answers.items)).astype(np.int64)
    verdicts = {
        item: YES if sum_ > 0 else NO if sum_ < 0 else UNSETTLED
        for item, sum_ in zip(answers.items.tolist(), balance.tolist(), strict=True)
    }
    for (item, about), answer in ruled.items():
        if about == question and answer is not None:
            verdicts[item] = YES if ANSWERS[current.questionnaire[question].label(answer).lower()] else NO
    return verdicts
