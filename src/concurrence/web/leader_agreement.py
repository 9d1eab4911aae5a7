"""The leader's agreement figures: labels from the store, statistics from ``concur agree``, nothing else.

A follow-up is shown twice and named so: on the items that both coders gave the answer it hangs on, and as
one combined label of both steps over all items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.annotation.campaigns import Campaign, coders_of, rounds_of
from concurrence.annotation.decisions import Judged, judged_items, question_labels, self_consistency_labels
from concurrence.annotation.store import Store
from concurrence.core.interval import Interval
from concurrence.core.labels import Labels
from concurrence.web.leader_page import LeaderPage, OfRound
from concurrence.web.models import OptionalName

if TYPE_CHECKING:
    from concurrence.agreement.dual.true_agreement import TrueAgreement
    from concurrence.agreement.results import Agreement, AgreementReport, PairAgreement

EVERYTHING = "everything"
TWO_CODERS = ("percent_agreement", "cohen_kappa", "scott_pi", "krippendorff_alpha", "gwet_ac1")
MORE_CODERS = ("percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """One way to look at a question."""

    key: str
    question: str
    combined: bool
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One coefficient with its interval; ``note`` says why there is none."""

    coefficient: str
    title: str
    value: float | None
    low: float | None
    high: float | None
    method: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFigures:
    """The agreement on one part, or on everything."""

    part: str
    items: int
    coders: tuple[str, ...]
    figures: tuple[Figure, ...]
    note: str | None = None


def aspects(campaign: Campaign, *, n_coders: int = 2) -> list[Aspect]:
    """The ways to look at a campaign's questions, each named for what it is."""
    found, who = [], "both coders" if n_coders == 2 else "at least two coders"
    for question in campaign.questionnaire.questions:
        if question.parent is None:
            found.append(Aspect(key=question.id, question=question.id, combined=False, title=question.id))
            continue
        condition = f"{question.parent} {' or '.join(question.parent_answers)}"
        ways = len(campaign.questionnaire.path_labels(question.id))
        chain = " and ".join(campaign.questionnaire.chain(question.id))
        apart = f"{question.id}, on the items that {who} called {condition}"
        together = f"{chain} as a {NUMBERS.get(ways, str(ways))}-way label"
        found.append(Aspect(key=question.id, question=question.id, combined=False, title=apart))
        found.append(Aspect(key=f"{question.id}*", question=question.id, combined=True, title=together))
    return found


def agreement_page(store: Store, campaign: Campaign, wanted: OfRound) -> dict[str, Any]:
    """Agreement per question and part with intervals; a follow-up where both called for it, and combined."""
    judged = _judged(store, campaign, wanted.round)
    n_coders = len({row.coder for row in judged})
    return {
        "round": wanted.round,
        "rounds": _rounds(store, campaign),
        "level": 0.95,
        "aspects": [
            {"aspect": aspect, "parts": _by_part(_labels(campaign, judged, aspect))}
            for aspect in aspects(campaign, n_coders=n_coders)
        ],
        "self_consistency": _self_consistency(store, campaign, judged, wanted.round),
    }


def _labels(campaign: Campaign, judged: Sequence[Judged], aspect: Aspect) -> Labels:
    labels = question_labels(campaign, judged, aspect.question, combined=aspect.combined)
    if aspect.combined or campaign.questionnaire[aspect.question].parent is None:
        return labels
    # Where one coder alone met the condition, nobody can agree or disagree: such items must not shape chance.
    return labels.select_items((labels.codes >= 0).sum(axis=1) >= 2)


def _judged(store: Store, campaign: Campaign, round_name: str | None) -> list[Judged]:
    return store.read(lambda connection: judged_items(connection, campaign, round_name=round_name))


def _rounds(store: Store, campaign: Campaign) -> list[str]:
    return [row.name for row in store.read(lambda connection: rounds_of(connection, campaign))]


def _by_part(labels: Labels) -> list[PartFigures]:
    groups = [] if labels.groups is None else sorted(set(labels.groups.tolist()))
    parts = [(EVERYTHING, labels)]
    if len(groups) > 1:
        parts += [(part, labels.select_items(np.asarray(labels.groups == part))) for part in groups]
    return [_part_figures(name, part) for name, part in parts]


def _part_figures(part: str, labels: Labels) -> PartFigures:
    met = labels.codes[(labels.codes >= 0).sum(axis=1) >= 2] >= 0
    active = [coder for coder, seen in zip(labels.coders, met.any(axis=0), strict=True) if seen]
    if len(active) < 2:
        return PartFigures(part=part, items=0, coders=(), figures=(), note="No two coders share an item here yet.")
    shared = labels.select_coders(active)
    report = agree(shared, coefficients=TWO_CODERS if len(active) == 2 else MORE_CODERS)
    figures = [_figure(found) for found in report.coefficients.values()]
    if len(active) == 2 and len(labels.categories) == 2:
        figures.append(_true_figure(_true(shared)))
    return PartFigures(part=part, items=len(met), coders=tuple(active), figures=tuple(figures))


def agree(labels: Labels, *, coefficients: Sequence[str] | None = None, expert: str | None = None) -> "AgreementReport":
    """The statistics, imported when they are first asked for: they would double the time a server needs to start."""
    from concurrence.agreement.agree import agree as study

    return study(labels, coefficients=coefficients, expert=expert)


def _true(labels: Labels) -> "TrueAgreement":
    from concurrence.agreement.dual.true_agreement import true_agreement

    first, second = labels.codes[(labels.codes >= 0).all(axis=1)].T
    table = np.bincount(first * 2 + second, minlength=4).reshape(2, 2)
    return true_agreement(table)


def _figure(found: "Agreement") -> Figure:
    low, high = found.confidence_interval()
    return Figure(
        coefficient=found.coefficient,
        title=found.title,
        value=_known(found.value),
        low=_known(low),
        high=_known(high),
        method=found.interval_method,
        note=found.note,
    )


def _true_figure(found: "TrueAgreement") -> Figure:
    bounds = found.homogeneity
    return Figure(
        coefficient="true_agreement",
        title="True agreement (dual model, homogeneity)",
        value=_known(found.estimate),
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        method="exact",
        note=found.note,
    )


def _known(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)


def _self_consistency(
    store: Store, campaign: Campaign, judged: Sequence[Judged], round_name: str | None
) -> list[dict[str, Any]]:
    again = store.read(lambda connection: judged_items(connection, campaign, round_name=round_name, repeats=True))
    rows = []
    for coder in dict.fromkeys(row.coder for row in again):
        for question in campaign.questionnaire.ids:
            labels = self_consistency_labels(campaign, judged, again, coder, question)
            if labels is None:
                continue
            same = float((labels.codes[:, 0] == labels.codes[:, 1]).mean())
            rows.append({"coder": coder, "question": question, "items": labels.n_items, "percent_agreement": same})
    return rows


def expert_page(store: Store, campaign: Campaign, wanted: OfRound) -> dict[str, Any]:
    """The expert against each coder: kappa, and intervals for true agreement."""
    people = store.read(lambda connection: coders_of(connection, campaign, "expert"))
    expert = people[0].name if people else None
    judged = _judged(store, campaign, wanted.round)
    tables = []
    for aspect in aspects(campaign):
        labels = _labels(campaign, judged, aspect)
        rows = _expert_rows(labels, expert) if expert in labels.coders and labels.n_coders > 1 else []
        tables.append({"aspect": aspect, "rows": rows})
    rounds = _rounds(store, campaign)
    return {"expert": expert, "round": wanted.round, "rounds": rounds, "level": 0.95, "tables": tables}


def _expert_rows(labels: Labels, expert: str | None) -> list[dict[str, Any]]:
    report = agree(labels, coefficients=["percent_agreement"], expert=expert)
    found = report.expert.rows if report.expert else ()
    return [
        {
            "coder": row.coder,
            "items": row.items,
            "cohen_kappa": _known(row.cohen_kappa),
            "interval": _bounds(row.interval),
            "homogeneity": _bounds(row.homogeneity),
            "conservative": _bounds(row.conservative),
            "size": _known(row.size),
            "group": row.group,
            "note": row.note,
        }
        for row in found
        if row.items > 0
    ]


def _bounds(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_known(bound) for bound in interval]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfQuestion:
    """One question, by default the first, in one round or all."""

    question: OptionalName = None
    round: OptionalName = None


def pairs_page(store: Store, campaign: Campaign, wanted: OfQuestion) -> dict[str, Any]:
    """Every two coders on one question: kappa and the confusion matrix."""
    chosen = campaign.questionnaire[wanted.question or campaign.questionnaire.ids[0]]
    labels = question_labels(campaign, _judged(store, campaign, wanted.round), chosen.id)
    found = agree(labels).pairs if labels.n_coders > 1 else ()
    return {
        "question": chosen.id,
        "questions": campaign.questionnaire.ids,
        "round": wanted.round,
        "rounds": _rounds(store, campaign),
        "coders": labels.coders,
        "categories": labels.categories,
        "pairs": [_pair(pair) for pair in found if pair.items > 0],
    }


def _pair(pair: "PairAgreement") -> dict[str, Any]:
    return {
        "coders": pair.coders,
        "items": pair.items,
        "percent_agreement": _known(pair.percent_agreement),
        "cohen_kappa": _known(pair.cohen_kappa),
        "scott_pi": _known(pair.scott_pi),
        "confusion": None if pair.confusion is None else pair.confusion.tolist(),
    }


PAGES = (
    LeaderPage(name="agreement", tab="Agreement", data=agreement_page, query=OfRound),
    LeaderPage(name="pairs", tab="Pairs of coders", data=pairs_page, query=OfQuestion),
    LeaderPage(name="expert", tab="Expert", data=expert_page, query=OfRound),
)
