"""What leaders see of agreement: the reports of ``concur agree`` on the labels of the store, and nothing else.

A follow-up is shown twice and named so: on the items that both coders gave the answer it hangs on, and as
one combined label of both steps over all items.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.annotation.campaigns import Campaign, coders_of, rounds_of
from concurrence.annotation.decisions import judged_items
from concurrence.annotation.standing import Standing, of_round, standing_of
from concurrence.annotation.store import Store
from concurrence.annotation.types.row import MARK
from concurrence.core.labels import Labels
from concurrence.web.leader_page import LeaderPage, OfRound
from concurrence.web.leader_studies import EVERYTHING, other_parts
from concurrence.web.models import OptionalName

if TYPE_CHECKING:
    from concurrence.agreement.results import AgreementReport

MARKED = f" --sets '{MARK}'"
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """One way to look at a question."""

    key: str
    question: str
    combined: bool
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartAgreement:
    """The agreement on one part, or on everything; ``items`` were judged by at least two coders."""

    part: str
    items: int
    coders: tuple[str, ...]
    report: "AgreementReport | None" = None
    note: str | None = None


def aspects(campaign: Campaign, *, n_coders: int = 2) -> list[Aspect]:
    """The ways to look at a campaign's questions, each named for what it is."""
    ways, who = [], "both coders" if n_coders == 2 else "at least two coders"
    for question in campaign.questionnaire.questions:
        if question.parent is None:
            ways.append(Aspect(key=question.id, question=question.id, combined=False, title=question.id))
            continue
        condition = f"{question.parent} {' or '.join(question.parent_answers)}"
        count = len(campaign.questionnaire.path_labels(question.id))
        chain = " and ".join(campaign.questionnaire.chain(question.id))
        combines = all(
            (one := campaign.questionnaire[step].measured).command == "agree" and not one.sets
            for step in campaign.questionnaire.chain(question.id)
        )
        apart = f"{question.id}, on the items that {who} called {condition}"
        together = f"{chain} as a {NUMBERS.get(count, str(count))}-way label" if count else f"{chain} as one label"
        ways.append(Aspect(key=question.id, question=question.id, combined=False, title=apart))
        if combines:
            ways.append(Aspect(key=f"{question.id}*", question=question.id, combined=True, title=together))
    return ways


def agreement_page(store: Store, campaign: Campaign, wanted: OfRound) -> dict[str, Any]:
    """Agreement for each question and part, with intervals; a follow-up question where it applies, and combined."""
    standing = _standing(store, campaign, wanted.round)
    first = standing.where(~standing.repeats)
    n_coders = len(set(first.coders.tolist()))
    return {
        **_rounds(store, campaign, wanted.round),
        "aspects": [
            {"aspect": aspect, **_measured(store, campaign, first, aspect, wanted.round)}
            for aspect in aspects(campaign, n_coders=n_coders)
        ],
        "self_consistency": _self_consistency(campaign, standing),
    }


def _measured(
    store: Store, campaign: Campaign, standing: Standing, aspect: Aspect, round_name: str | None
) -> dict[str, Any]:
    """The parts by the command that measures the question's type, and that command as one would type it."""
    how = campaign.questionnaire[aspect.question].measured
    if how.command != "agree":
        judged = store.read(lambda connection: judged_items(connection, campaign, round_name=round_name))
        return other_parts(store, campaign, judged, aspect.question)
    scale = "nominal" if aspect.combined else how.scale
    given = "" if scale == "nominal" else f" --scale {scale}"
    return {
        "command": f"concur agree labels.csv{given}{MARKED if how.sets else ''}",
        "parts": _by_part(_labels(campaign, standing, aspect), scale=scale),
    }


def _labels(campaign: Campaign, standing: Standing, aspect: Aspect) -> Labels:
    labels = standing.labels(aspect.question, combined=aspect.combined)
    if not aspect.combined and campaign.questionnaire[aspect.question].measured.sets:
        labels = replace(labels, set_separator=MARK)
    if aspect.combined or campaign.questionnaire[aspect.question].parent is None:
        return labels
    # Where one coder alone met the condition, nobody can agree or disagree: such items must not shape chance.
    return labels.select_items((labels.codes >= 0).sum(axis=1) >= 2)


def _standing(store: Store, campaign: Campaign, round_name: str | None) -> Standing:
    whole = standing_of(store, campaign)
    return store.read(lambda connection: of_round(connection, campaign, whole, round_name))


def _rounds(store: Store, campaign: Campaign, round_name: str | None) -> dict[str, Any]:
    rounds = store.read(lambda connection: rounds_of(connection, campaign))
    return {"round": round_name, "rounds": [row.name for row in rounds]}


def _by_part(labels: Labels, *, scale: str = "nominal") -> list[PartAgreement]:
    groups = [] if labels.groups is None else sorted(set(labels.groups.tolist()))
    parts = {EVERYTHING: labels}
    if len(groups) > 1:
        parts |= {part: labels.select_items(np.asarray(labels.groups == part)) for part in groups}
    return [_part_agreement(name, part, scale) for name, part in parts.items()]


def _part_agreement(part: str, labels: Labels, scale: str) -> PartAgreement:
    given = labels.codes >= 0
    shared = int((given.sum(axis=1) >= 2).sum())
    if not shared:
        return PartAgreement(part=part, items=0, coders=(), note="No two coders share an item yet.")
    present = [labels.coders[place] for place in np.flatnonzero(given.any(axis=0))]
    report = agree(labels.select_coders(present), scale=scale)
    return PartAgreement(part=part, items=shared, coders=report.data.coders, report=report)


def agree(
    labels: Labels, *, pairs: bool = True, expert: str | None = None, scale: str = "nominal"
) -> "AgreementReport":
    """The statistics, imported when they are first asked for: they would double the time a server needs to start."""
    from concurrence.agreement.agree import agree as study

    return study(labels, pairs=pairs, expert=expert, scale=scale)


def _self_consistency(campaign: Campaign, standing: Standing) -> list[dict[str, Any]]:
    coders = dict.fromkeys(standing.coders[standing.repeats].tolist())
    return [
        {"coder": standing.coder_names[coder], "question": question, "report": agree(labels)}
        for coder in coders
        for question in campaign.questionnaire.ids
        if (labels := standing.repeated_labels(coder, question)) is not None
    ]


def expert_page(store: Store, campaign: Campaign, wanted: OfRound) -> dict[str, Any]:
    """The expert against each coder: kappa, and intervals for true agreement."""
    people = store.read(lambda connection: coders_of(connection, campaign, "expert"))
    expert = people[0].name if people else None
    standing = _standing(store, campaign, wanted.round)
    first = standing.where(~standing.repeats)
    tables = []
    for aspect in aspects(campaign):
        if campaign.questionnaire[aspect.question].measured.command != "agree":
            continue
        labels = _labels(campaign, first, aspect)
        report = agree(labels, pairs=False, expert=expert) if expert in labels.coders and labels.n_coders > 1 else None
        rows = report.expert.rows if report and report.expert else ()
        tables.append({"aspect": aspect, "rows": [row for row in rows if row.items > 0]})
    return {"expert": expert, **_rounds(store, campaign, wanted.round), "tables": tables}


@dataclass(frozen=True, slots=True, kw_only=True)
class OfQuestion:
    """One question, by default the first, in one round or all."""

    question: OptionalName = None
    round: OptionalName = None


def pairs_page(store: Store, campaign: Campaign, wanted: OfQuestion) -> dict[str, Any]:
    """Kappa and the confusion matrix of each pair of coders on one question."""
    labelled = [one.id for one in campaign.questionnaire.questions if one.measured.command == "agree"]
    chosen = campaign.questionnaire[wanted.question or (labelled or campaign.questionnaire.ids)[0]]
    standing = _standing(store, campaign, wanted.round)
    labels = standing.where(~standing.repeats).labels(chosen.id)
    pairs = agree(labels).pairs if labels.n_coders > 1 else ()
    return {
        "question": chosen.id,
        "questions": labelled,
        **_rounds(store, campaign, wanted.round),
        "coders": labels.coders,
        "categories": labels.categories,
        "pairs": [pair for pair in pairs if pair.items > 0],
    }


PAGES = (
    LeaderPage(name="agreement", tab="Agreement", data=agreement_page, query=OfRound),
    LeaderPage(name="pairs", tab="Pairs of coders", data=pairs_page, query=OfQuestion),
    LeaderPage(name="expert", tab="Expert", data=expert_page, query=OfRound),
)
