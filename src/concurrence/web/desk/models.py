"""The requests and answers of the leader's desk."""

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from concurrence.annotation.campaigns.campaign import LONGEST_MANUAL
from concurrence.annotation.desk.campaign_from_table import CampaignForm, Columns
from concurrence.annotation.people.access import LINK_DAYS
from concurrence.annotation.questions.form import questions_file
from concurrence.core.errors import InvalidInputError
from concurrence.web.models import LARGEST_ID, NO_NUL, Answer, LongText, Name, Strict

MOST_PEOPLE = 200
MOST_QUESTIONS = 100
DAYS = 3650

Text = Annotated[str, StringConstraints(max_length=LONGEST_MANUAL, pattern=NO_NUL)]
Cell = Annotated[str, StringConstraints(max_length=2000, pattern=NO_NUL)]
Number = Annotated[int, Field(ge=-LARGEST_ID, le=LARGEST_ID)]
QuestionField = bool | Number | Cell | Annotated[list[Cell | dict[Cell, Cell]], Field(max_length=100)]
Names = Annotated[list[Name], Field(max_length=MOST_PEOPLE)]


class ColumnsIn(Strict):
    """Which columns of the table are what; all others stay with the items and are not shown to coders."""

    key: Name | None = Field(default=None, description="Names the items; must be different in every row.")
    text: Names = Field(default=[], description="Shown large.")
    contexts: Names = Field(default=[], description="Shown below as context lines.")
    facts: Names = Field(default=[], description="Shown beside the item.")
    part: Name | None = None
    round: Name | None = None


class CampaignIn(Strict):
    """A campaign to make of an uploaded table; the questions as in a questions file, or as the file itself."""

    name: Name
    columns: ColumnsIn
    questions: list[dict[Name, QuestionField]] = Field(default=[], max_length=MOST_QUESTIONS)
    comments: bool = Field(default=False, description="Whether the leader and the coders may comment on items.")
    training: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None, description="The share of the items with known answers that a coder must get right to go on."
    )
    questions_file: Text | None = Field(
        default=None, description="TOML; instead of ``questions``, ``comments`` and ``training``."
    )
    manual: Text = Field(default="", description="Markdown.")
    coders: Names
    expert: Name | None = None
    each_item: Annotated[int, Field(ge=1, le=MOST_PEOPLE)] | None = None
    repeats: Annotated[int, Field(ge=0, le=LARGEST_ID)] = 0

    def form(self, seed: int) -> CampaignForm:
        """What was filled in, as the room that makes campaigns takes it."""
        if not self.questions and not self.questions_file:
            raise InvalidInputError("Write at least one question.")
        columns = self.columns
        return CampaignForm(
            name=self.name,
            columns=Columns(
                key=columns.key,
                text=tuple(columns.text),
                contexts=tuple(columns.contexts),
                facts=tuple(columns.facts),
                part=columns.part,
                round=columns.round,
            ),
            questions=self.questions_file
            or questions_file(self.questions, comments=self.comments, training=self.training),
            manual=self.manual,
            coders=tuple(self.coders),
            expert=self.expert,
            each_item=self.each_item,
            repeats=self.repeats,
            seed=seed,
            training=self.training is not None and not self.questions_file,
        )


class CoderIn(Strict):
    """A new coder, with a part where the items have parts, or an expert, who judges everything."""

    name: Name
    part: Name | None = None
    round: Name | None = None
    expert: bool = False


class ReplacementIn(Strict):
    """Who left, and who goes on."""

    coder: Name
    successor: Name


class PersonIn(Strict):
    """Someone of the campaign."""

    coder: Name


class LinksIn(Strict):
    """New links for these people, which expire; on request they work once."""

    coders: Annotated[list[Name], Field(min_length=1, max_length=MOST_PEOPLE)]
    days: Annotated[float, Field(gt=0, le=DAYS)] | None = Field(
        default=LINK_DAYS, description="After how many days the links expire; null for never."
    )
    once: bool = False

    @model_validator(mode="before")
    @classmethod
    def _whole_days(cls, data: object) -> object:
        """A whole number of days is a number."""
        if isinstance(data, dict) and type(data.get("days")) is int:
            return {**data, "days": float(data["days"])}
        return data


class ManualIn(Strict):
    """A new version of the manual, and in a line what changed."""

    text: Text
    note: LongText | None = None


class DeletionIn(Strict):
    """The name of the campaign, typed once more."""

    name: Name


REQUESTS = (ColumnsIn, CampaignIn, CoderIn, ReplacementIn, PersonIn, LinksIn, ManualIn, DeletionIn)


class LedOut(Answer):
    """A campaign on the desk."""

    id: int
    name: str
    created: int
    items: int
    coders: int


class DeskAnswer(Answer):
    """Whose desk it is, and the campaigns on it."""

    name: str
    campaigns: list[LedOut]


class ColumnOut(Answer):
    """A column of an uploaded table; how many rows have something in it, and how many different texts there are."""

    name: str
    filled: int
    different: int


class SuggestedColumns(Answer):
    """What the columns most likely are."""

    key: str | None
    text: list[str]
    contexts: list[str]
    facts: list[str]
    part: str | None
    round: str | None


class TableAnswer(Answer):
    """An uploaded table: its columns and first rows, and what the columns most likely are."""

    draft: str
    name: str
    rows: int
    columns: list[ColumnOut]
    first: list[list[str | None]]
    suggested: SuggestedColumns


class PreviewAnswer(Answer):
    """The page that shows a campaign as its first coder will see it."""

    page: str
    items: int
    rounds: list[str]
    warnings: list[str] = Field(default=[], description="What is not wrong, and most likely not meant.")


class MadeAnswer(Answer):
    """A campaign that was made, its page, and how many items each person has."""

    campaign: int
    name: str
    page: str
    items: int
    rounds: list[str]
    tasks: dict[str, int]


class StaffedOut(Answer):
    """Who came or left: items to judge now, items that stay with who left, links that ended."""

    coder: str
    replaces: str | None
    items: int
    kept: int
    links_ended: int


class LinksAnswer(Answer):
    """The new links, each to be put behind the server's address. They cannot be shown again."""

    links: dict[str, str]


class RevokedAnswer(Answer):
    """How many links have ended."""

    revoked: int


class ChangeOut(Answer):
    """A line of what changed."""

    kind: str
    text: str


class VersionOut(Answer):
    """One version of the manual."""

    version: int
    created: int
    note: str | None
    changes: list[ChangeOut]


class PictureOut(Answer):
    """A picture; in the manual, it is written ``![words](/pictures/NAME)``."""

    name: str
    title: str
    size: int
    created: int


class ManualsAnswer(Answer):
    """The newest text of the manual, all versions (the newest first), and the pictures."""

    campaign: str
    text: str
    versions: list[VersionOut]
    pictures: list[PictureOut]


class VersionAnswer(Answer):
    """The number of the new version; a warning for each question whose rule is no heading of it."""

    version: int
    warnings: list[str]


class AddedOut(Answer):
    """How many items were new, and how many each person got."""

    round: str
    items: int
    tasks: dict[str, int]
