"""Matched corpora as a document."""

from concurrence.matching.matches import Matches
from concurrence.report.document import Document, Section, Table

COUNTS = (
    "exact", "close", "unmatched_left", "unmatched_right", "accepted", "rejected", "undecided",
    "left", "right", "dropped_left", "dropped_right",
)  # fmt: skip


def matches_json(matches: Matches) -> dict[str, int]:
    """How many sentences ended where."""
    return {name: getattr(matches, name) for name in COUNTS}


def matches_document(matches: Matches) -> Document:
    """The counts, and what is left to do, in sentences."""
    found = matches_json(matches)
    answer = [str(matches)]
    if found["undecided"]:
        answer.append(
            f"{found['undecided']:,} close matches wait for a person: write them with -o, fill the column 'verified', "
            "and give the file back with --verified."
        )
    rows = [(name.replace("_", " "), number) for name, number in found.items()]
    return Document(
        title="Matches",
        question="Which sentences did both groups label?",
        answer=tuple(answer),
        sections=(Section(title="Counts", blocks=(Table.of("Sentences", ("", "sentences"), rows),)),),
    )
