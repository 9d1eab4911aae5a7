"""What leaders see of the work: everyone's progress, and how long they took."""

from typing import Any

from concurrence.annotation.campaigns.campaign import Campaign, manual_version, rounds_of
from concurrence.annotation.campaigns.training import training_results
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.decisions.adjudication import rulings, rulings_in_force, settled
from concurrence.annotation.decisions.current_answers import answers_of_round, load_current_answers
from concurrence.annotation.decisions.outcomes import Timing, coder_progress, timing
from concurrence.annotation.decisions.pace import pace_of, silent_coders
from concurrence.web.leader.page import LeaderPage, NoQuery
from concurrence.web.leader.rate import running_rates


def progress_page(store: Store, campaign: Campaign, _: NoQuery) -> dict[str, Any]:
    """The progress of every coder: totals, the pace of the last days, who has been silent."""
    current = load_current_answers(store, campaign)

    def work(connection: Any) -> dict[str, Any]:
        counted = answers_of_round(connection, campaign, current, None)
        differing = {
            (item, answers.question)
            for answers in map(counted.answers_to, campaign.questionnaire.ids)
            for item in answers.items[answers.differ].tolist()
        }
        in_force = rulings_in_force(campaign, rulings(connection, campaign))
        rows, at = coder_progress(connection, campaign, current), now()
        return {
            "pace": pace_of(rows, current, at),
            "silent": silent_coders(rows, at, since=campaign.created),
            "coders": rows,
            "rounds": [row.name for row in rounds_of(connection, campaign)],
            "manual_version": manual_version(connection, campaign),
            "differing": len(differing),
            "adjudicated": len(differing & settled(campaign, in_force)),
            "training": training_results(connection, campaign),
        }

    return {**store.read(work), "rates": running_rates(store, campaign)}


def timing_page(store: Store, campaign: Campaign, _: NoQuery) -> list[Timing]:
    """How long each coder took."""
    return store.read(lambda connection: timing(connection, campaign))


PAGES = (
    LeaderPage(name="progress", tab="Progress", data=progress_page, query=NoQuery, page_address="", timely=True),
    LeaderPage(name="timing", tab="Timing", data=timing_page, query=NoQuery),
)
