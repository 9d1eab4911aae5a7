"""What the pages of agreement share: what stands in a round, the names of the rounds, and the study itself."""

from typing import TYPE_CHECKING, Any

from concurrence.annotation.campaigns.campaign import Campaign, rounds_of
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.current_answers import CurrentAnswers, answers_of_round, load_current_answers
from concurrence.core.labels import Labels

if TYPE_CHECKING:
    from concurrence.agreement.labels.results import AgreementReport


def answers_in_round(store: Store, campaign: Campaign, round_name: str | None) -> CurrentAnswers:
    """What stands in one round, or in all that count."""
    whole = load_current_answers(store, campaign)
    return store.read(lambda connection: answers_of_round(connection, campaign, whole, round_name))


def rounds_in(store: Store, campaign: Campaign, round_name: str | None) -> dict[str, Any]:
    """The chosen round and the names of all, for the tabs of a page."""
    rounds = store.read(lambda connection: rounds_of(connection, campaign))
    return {"round": round_name, "rounds": [row.name for row in rounds]}


def agreement_of_round(
    labels: Labels, *, pairs: bool = True, expert: str | None = None, scale: str = "nominal"
) -> "AgreementReport":
    """The statistics, imported when they are first asked for: they would double the time a server needs to start."""
    from concurrence.agreement.labels.agree import analyse_labels
    from concurrence.agreement.labels.options import AgreeOptions

    return analyse_labels(labels, AgreeOptions(pairs=pairs, expert=expert, scale=scale))


def agree_by_one(labels: Labels, *, coefficient: str, scale: str) -> "AgreementReport":
    """The same study, of which one coefficient alone is wanted."""
    from concurrence.agreement.labels.agree import analyse_labels
    from concurrence.agreement.labels.options import AgreeOptions

    return analyse_labels(labels, AgreeOptions(scale=scale, coefficients=(coefficient,), pairs=False))
