"""Matched corpora as a document."""

from dataclasses import fields

from concurrence.matching.matches import MatchCounts
from concurrence.report.document import Document, Section, Table


def matches_document(counts: MatchCounts) -> Document:
    """The counts, and what is left to do, in sentences."""
    answer = [str(counts)]
    if counts.undecided:
        matches = "match" if counts.undecided == 1 else "matches"
        answer.append(
            f"{counts.undecided:,} close {matches} to verify: write with -o, fill in the column 'verified' with yes or "
            "no, and pass the file to --verified."
        )
    rows = [(entry.name.replace("_", " "), getattr(counts, entry.name)) for entry in fields(MatchCounts)]
    return Document(
        title="Matches",
        question="Which sentences did both groups label?",
        answer=tuple(answer),
        sections=(Section(title="Counts", blocks=(Table.of("Sentences", ("", "sentences"), rows),)),),
    )
