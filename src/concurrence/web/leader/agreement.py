"""What leaders see of agreement: the reports of ``concur agree`` on the labels of the store, and nothing else.

A follow-up is shown twice and named so: on the items that both coders gave the answer it hangs on, and as
one combined label of both steps over all items.
"""

import csv
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

import numpy as np

from concurrence.annotation.campaigns.campaign import Campaign, coders_of
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.current_answers import CurrentAnswers
from concurrence.annotation.decisions.outcomes import judged_items
from concurrence.annotation.questions.types.row import MARK
from concurrence.core.labels import Labels, ordered_categories
from concurrence.core.numerals import parse_numbers
from concurrence.web.leader import pairs
from concurrence.web.leader.page import LeaderPage, RoundQuery
from concurrence.web.leader.parts import PartReport, headline_of, report_parts
from concurrence.web.leader.rounds import agreement_of_round, answers_in_round, rounds_in
from concurrence.web.leader.studies import other_parts

MARKED = f" --sets '{MARK}'"
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """One way to look at a question."""

    key: str
    question: str
    combined: bool
    title: str


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


def agreement_page(store: Store, campaign: Campaign, query: RoundQuery) -> dict[str, Any]:
    """Agreement for each question and part, with intervals; a follow-up question where it applies, and combined."""
    current = answers_in_round(store, campaign, query.round)
    first = current.where(~current.repeats)
    n_coders = len(set(first.coders.tolist()))
    rounds = [first.round_names[number] for number in dict.fromkeys(first.rounds.tolist())]
    apart = rounds if query.round is None and len(rounds) > 1 else []
    return {
        **rounds_in(store, campaign, query.round),
        "aspects": [
            {"aspect": aspect, **_measured(store, campaign, first, aspect, query.round, apart)}
            for aspect in aspects(campaign, n_coders=n_coders)
        ],
        "self_consistency": _self_consistency(campaign, current),
    }


def _measured(
    store: Store,
    campaign: Campaign,
    current: CurrentAnswers,
    aspect: Aspect,
    round_name: str | None,
    rounds: Sequence[str],
) -> dict[str, Any]:
    """The parts by the command that measures the question's type, and that command as one would type it.

    The ``rounds`` have a row of their own each.
    """
    how = campaign.questionnaire[aspect.question].measured
    if how.command != "agree":
        judged = store.read(lambda connection: judged_items(connection, campaign, round_name=round_name))
        return other_parts(store, campaign, judged, aspect.question, rounds)
    scale = "nominal" if aspect.combined else how.scale
    labels = _labels(campaign, current, aspect)
    groups = [] if labels.groups is None else sorted(set(labels.groups.tolist()))
    numbers = {name: number for number, name in current.round_names.items()}
    parts = report_parts(
        lambda some: _report(some, scale),
        labels,
        parts={part: labels.select_items(np.asarray(labels.groups == part)) for part in groups},
        rounds={name: _labels(campaign, current.where(current.rounds == numbers[name]), aspect) for name in rounds},
    )
    if aspect.combined:
        return {"command": None, "parts": parts}
    option = "" if scale == "nominal" else f" --scale {scale}"
    return {"command": f"concur agree labels.csv{option}{MARKED if how.sets else _declared(labels)}", "parts": parts}


def _declared(labels: Labels) -> str:
    """The options that name all choices where the labels alone do not show them or their order, and keep them apart."""
    categories = labels.categories
    numbers = parse_numbers(categories)
    apart = " --as-text" if numbers is not None and len(np.unique(numbers)) < len(categories) else ""
    all_seen = set(np.unique(labels.codes)) >= set(range(len(categories)))
    if not labels.categories_declared or (all_seen and not apart and ordered_categories(set(categories)) == categories):
        return apart
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(categories)
    return f"{apart} --categories {shlex.quote(line.getvalue())}"


def _labels(campaign: Campaign, current: CurrentAnswers, aspect: Aspect) -> Labels:
    labels = current.labels(aspect.question, combined=aspect.combined)
    if not aspect.combined and campaign.questionnaire[aspect.question].measured.sets:
        labels = replace(labels, set_separator=MARK)
    if aspect.combined or campaign.questionnaire[aspect.question].parent is None:
        return labels
    # Where one coder alone met the condition, nobody can agree or disagree: such items must not shape chance.
    return labels.select_items((labels.codes >= 0).sum(axis=1) >= 2)


def _report(labels: Labels, scale: str) -> PartReport:
    present = labels.codes >= 0
    shared = int((present.sum(axis=1) >= 2).sum())
    if not shared:
        return PartReport(note="No two coders share an item yet.")
    coders = [labels.coders[place] for place in np.flatnonzero(present.any(axis=0))]
    report = agreement_of_round(labels.select_coders(coders), scale=scale)
    return PartReport(items=shared, coders=report.data.coders, report=report, headline=headline_of(report))


def _self_consistency(campaign: Campaign, current: CurrentAnswers) -> list[dict[str, Any]]:
    coders = dict.fromkeys(current.coders[current.repeats].tolist())
    return [
        {"coder": current.coder_names[coder], "question": question, "report": agreement_of_round(labels)}
        for coder in coders
        for question in campaign.questionnaire.ids
        if (labels := current.repeated_labels(coder, question)) is not None
    ]


def expert_page(store: Store, campaign: Campaign, query: RoundQuery) -> dict[str, Any]:
    """The expert against each coder: kappa, and intervals for true agreement."""
    people = store.read(lambda connection: coders_of(connection, campaign, "expert"))
    expert = people[0].name if people else None
    current = answers_in_round(store, campaign, query.round)
    first = current.where(~current.repeats)
    tables = []
    for aspect in aspects(campaign):
        if campaign.questionnaire[aspect.question].measured.command != "agree":
            continue
        labels = _labels(campaign, first, aspect)
        report = (
            agreement_of_round(labels, pairs=False, expert=expert)
            if expert in labels.coders and labels.n_coders > 1
            else None
        )
        rows = report.expert.rows if report and report.expert else ()
        tables.append({"aspect": aspect, "rows": [row for row in rows if row.items > 0]})
    return {"expert": expert, **rounds_in(store, campaign, query.round), "tables": tables}


PAGES = (
    LeaderPage(name="agreement", tab="Agreement", data=agreement_page, query=RoundQuery),
    *pairs.PAGES,
    LeaderPage(name="expert", tab="Expert", data=expert_page, query=RoundQuery),
)
