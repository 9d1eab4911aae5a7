"""What leaders see of every two coders: a matrix of one coefficient, and a confusion matrix of the pair they open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store
from concurrence.annotation.questions.questionnaire import Question
from concurrence.core.labels import Labels
from concurrence.web.leader.page import LeaderPage
from concurrence.web.leader.rounds import agree_by_one, agreement_of_round, answers_in_round, rounds_in
from concurrence.web.models import OptionalName

if TYPE_CHECKING:
    from concurrence.agreement.labels.results import PairAgreement

FEW = 3  # pairs; so many are open at once


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsQuery:
    """One question, by default the first, in one round or all; ``first`` and ``second`` name the pair to open."""

    question: OptionalName = None
    round: OptionalName = None
    first: OptionalName = None
    second: OptionalName = None


def pairs_page(store: Store, campaign: Campaign, query: PairsQuery) -> dict[str, Any]:
    """Kappa and the confusion matrix of each pair of coders on one question; alpha where the answers are ordered."""
    labelled = [one.id for one in campaign.questionnaire.questions if one.measured.command == "agree"]
    chosen = campaign.questionnaire[query.question or (labelled or campaign.questionnaire.ids)[0]]
    current = answers_in_round(store, campaign, query.round)
    labels = current.where(~current.repeats).labels(chosen.id)
    met = [pair for pair in (agreement_of_round(labels).pairs if labels.n_coders > 1 else ()) if pair.items > 0]
    return {
        "question": chosen.id,
        "questions": labelled,
        **rounds_in(store, campaign, query.round),
        "coders": labels.coders,
        "categories": labels.categories,
        "pairs": met,
        **_matrix(chosen, labels, met),
        "open": [place for place, pair in enumerate(met) if _is_open(pair, query, len(met))],
    }


def _is_open(pair: "PairAgreement", query: PairsQuery, count: int) -> bool:
    if query.first is None or query.second is None:
        return count <= FEW
    return {query.first, query.second} == set(pair.coders)


def _matrix(question: Question, labels: Labels, pairs: Sequence["PairAgreement"]) -> dict[str, Any]:
    """One coefficient for every two coders: kappa, or alpha by the scale of the question, so that near is not far."""
    scale = question.measured.scale
    if scale == "nominal":
        values, title = [pair.cohen_kappa for pair in pairs], "Cohen's kappa"
    else:
        reports = [
            agree_by_one(labels.select_coders(pair.coders), coefficient="krippendorff_alpha", scale=scale)
            for pair in pairs
        ]
        values, title = [report["krippendorff_alpha"].value for report in reports], f"Krippendorff's alpha ({scale})"
    return {"coefficient": title, "values": values}


PAGES = (LeaderPage(name="pairs", tab="Pairs of coders", data=pairs_page, query=PairsQuery),)
