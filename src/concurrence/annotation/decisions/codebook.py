"""What somebody needs who gets the labels of a campaign and nothing else: a codebook, a dataset card, a file's name."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

import polars as pl
from sqlalchemy import Connection, func, select

from concurrence.annotation.campaigns.campaign import Campaign, coders_of, rounds_of
from concurrence.annotation.campaigns.manuals import versions_of
from concurrence.annotation.database.schema import CODER, EVENT, ITEM, MANUAL
from concurrence.annotation.questions.questionnaire import Question
from concurrence.core.sentences import count_noun

COLUMNS = ("question", "type", "text", "asked_if", "label", "label_text", "key", "rule", "manual_version")
LONGEST_NAME = 80


def export_name(campaign: Campaign, what: str, ending: str, *, time: int) -> str:
    """The name of an exported file: campaign, question or kind of table, and date; without anything that is a path.

    The letters of names are those that any system and any header takes: ASCII.
    """
    date = datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d")
    name = _plain(campaign.name) or f"campaign-{campaign.id}"
    return "-".join(filter(None, (name, _plain(what), date))) + ending


def _plain(text: str) -> str:
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", ascii_)[:LONGEST_NAME].strip("-")


def codebook_table(connection: Connection, campaign: Campaign) -> pl.DataFrame:
    """One row for each label of each question, in the order they were declared; the manual in its newest version."""
    version = connection.execute(select(func.max(MANUAL.c.version)).where(MANUAL.c.campaign_id == campaign.id)).scalar()
    rows = [
        row for question in campaign.questionnaire.questions for row in _question_rows(question, str(version or ""))
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def _question_rows(question: Question, version: str) -> list[tuple[str | None, ...]]:
    condition = f"{question.parent}={'|'.join(question.parent_answers)}" if question.parent else None
    choices = {question.label(choice.id): choice for choice in question.choices}
    labels = question.categories or tuple(choices) or (None,)
    rows: list[tuple[str | None, ...]] = []
    for label in labels:
        choice = choices.get(label) if label is not None else None
        words = (label, choice.text if choice else None, choice.key if choice else None)
        rows.append((question.id, question.type, question.text, condition, *words, question.rule, version))
    return rows


def dataset_card(connection: Connection, campaign: Campaign, *, file: str, columns: list[str], time: int) -> str:
    """A description in Markdown to publish with the labels: what is known, and what only people can add."""
    items = connection.execute(select(func.count(ITEM.c.id)).where(ITEM.c.campaign_id == campaign.id)).scalar() or 0
    rounds = [row.name for row in rounds_of(connection, campaign)]
    parts = [
        f"# {_line(campaign.name)}",
        f"Labels from an annotation campaign: {count_noun(items, 'item')}, "
        f"{count_noun(len(rounds), 'round')} ({', '.join(map(_line, rounds))}). "
        f"Made {_day(campaign.created)}, exported {_day(time)}.",
        f"The labels are in `{_line(file)}`, with the columns {', '.join(f'`{_line(name)}`' for name in columns)}.",
        "## Questions",
        *(_question_words(question) for question in campaign.questionnaire.questions),
        "## Who judged",
        _table(("coder", "role", "decisions, changes included", "manual versions"), _people(connection, campaign)),
        "## Manual",
        *_manual(connection, campaign),
        "## To be added by you",
        "Licence; language of the texts; where the items come from and how they were chosen; who the coders are, and "
        "whether they agreed to be named.",
    ]
    return "\n\n".join(parts) + "\n"


def _question_words(question: Question) -> str:
    condition = f" Asked if {question.parent} is {' or '.join(question.parent_answers)}." if question.parent else ""
    texts = {choice.id: choice.text for choice in question.choices}
    choices = "".join(f"\n- `{_line(name)}`: {_line(text)}" for name, text in texts.items())
    labels = choices or "".join(f"\n- `{_line(label)}`" for label in question.categories)
    return f"**{_line(question.id)}** ({question.type}): {_line(question.text)}{_line(condition)}\n{labels}".rstrip()


def _people(connection: Connection, campaign: Campaign) -> list[tuple[str, ...]]:
    query = (
        select(CODER.c.name, func.count(EVENT.c.id), func.min(EVENT.c.manual_version), func.max(EVENT.c.manual_version))
        .join(EVENT, EVENT.c.coder_id == CODER.c.id)
        .where(EVENT.c.campaign_id == campaign.id)
        .group_by(CODER.c.name)
    )
    counts = {name: (count, low, high) for name, count, low, high in connection.execute(query)}
    rows: list[tuple[str, ...]] = []
    for person in coders_of(connection, campaign):
        count, low, high = counts.get(person.name, (0, None, None))
        versions = "" if low is None else str(low) if low == high else f"{low} to {high}"
        if count or person.role != "leader":
            rows.append((person.name, person.role, str(count), versions))
    return rows


def _manual(connection: Connection, campaign: Campaign) -> list[str]:
    versions = versions_of(connection, campaign)
    query = select(MANUAL.c.text).where(MANUAL.c.campaign_id == campaign.id).order_by(MANUAL.c.version.desc()).limit(1)
    text = connection.execute(query).scalar() or ""
    if not versions or not text.strip():
        return ["There was no manual."]
    rows = [(str(one.version), _day(one.created), one.note or "") for one in reversed(versions)]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    newest = f"The newest version:\n\n{fence}markdown\n{text.strip()}\n{fence}"
    return [_table(("version", "date", "note"), rows), newest]


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *(tuple(map(_line, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(text: str) -> str:
    """A text that stays in its line and its cell, and brings no HTML."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;") if text.strip() else text


def _day(time: int) -> str:
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d")
