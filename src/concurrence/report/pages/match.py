"""Matched corpora as a document."""

from dataclasses import fields

from concurrence.matching.matches import MatchCounts, SentenceMatches
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

WORDS = {
    "exact": "exact matches",
    "close": "close matches",
    "unmatched_left": "left sentences without a match",
    "unmatched_right": "right sentences without a match",
    "accepted": "matches accepted",
    "rejected": "matches rejected",
    "undecided": "matches not decided yet",
    "left": "left sentences",
    "right": "right sentences",
    "dropped_left": "left sentences dropped for their label",
    "dropped_right": "right sentences dropped for their label",
}


def matches_document(counts: MatchCounts) -> Document:
    """The counts, and what is left to do, in sentences."""
    answer = [str(counts)]
    if counts.undecided:
        matches = "match" if counts.undecided == 1 else "matches"
        answer.append(
            f"{counts.undecided:,} close {matches} to verify: in the file written with -o, fill in the column "
            "'verified' with yes or no, then pass that file to --verified."
        )
    rows = [(WORDS[entry.name], getattr(counts, entry.name)) for entry in fields(MatchCounts)]
    return Document(
        title="Matches",
        question="Which sentences did both groups label?",
        answer=tuple(answer),
        sections=(Section(title="Counts", blocks=(Table.of("Sentences and matches", ("", "number"), rows),)),),
    )


def sentences_document(matches: SentenceMatches) -> Document:
    """The counts in a sentence, then the matches."""
    undecided = f"{matches.undecided:,} close {'matches' if matches.undecided > 1 else 'match'} to verify."
    answer = (str(matches), *([undecided] if matches.undecided else []))
    frame = matches.table.drop("left_text", "right_text")
    table = Table.of("Matches", frame.columns, frame.rows())
    section = Section(title="Matches", blocks=(table,))
    return Document(title="Matches", question="", answer=answer, sections=(section,))


PRESENTERS: Presenters = (
    Presenter(MatchCounts, matches_document),
    Presenter(SentenceMatches, sentences_document, SentenceMatches.to_frame),
)
