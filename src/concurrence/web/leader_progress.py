"""What leaders see of the work: everyone's progress, and how long they took."""

from typing import Any

from concurrence.annotation.adjudication import last_words, opinions, rulings
from concurrence.annotation.campaigns import Campaign, manual_version, rounds_of
from concurrence.annotation.decisions import Timing, judged_items, progress, timing
from concurrence.annotation.store import Store
from concurrence.web.leader_page import LeaderPage, Whole


def progress_page(store: Store, campaign: Campaign, _: Whole) -> dict[str, Any]:
    """The progress of every coder."""

    def work(connection: Any) -> dict[str, Any]:
        held = last_words(rulings(connection, campaign))
        differing = [row for row in opinions(campaign, judged_items(connection, campaign)) if row.differ]
        return {
            "coders": progress(connection, campaign),
            "rounds": [row.name for row in rounds_of(connection, campaign)],
            "manual_version": manual_version(connection, campaign),
            "differing": len(differing),
            "adjudicated": sum((row.item, row.question) in held for row in differing),
        }

    return store.read(work)


def timing_page(store: Store, campaign: Campaign, _: Whole) -> list[Timing]:
    """How long each coder took."""
    return store.read(lambda connection: timing(connection, campaign))


PAGES = (
    LeaderPage(name="progress", tab="Progress", data=progress_page, query=Whole, page_address=""),
    LeaderPage(name="timing", tab="Timing", data=timing_page, query=Whole),
)
