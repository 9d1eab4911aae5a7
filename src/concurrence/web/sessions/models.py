"""What opens a session, and the list of sessions."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from concurrence.web.models import Answer, Strict


class Token(Strict):
    """The part of an invitation link after the ``#``."""

    token: Annotated[str, StringConstraints(min_length=16, max_length=200, pattern=r"^[A-Za-z0-9_-]*$")]


class SessionAnswer(Answer):
    """Who the visitor is now, and the page to open."""

    campaign: int | None = Field(description="Null for an organiser, whose link opens a desk.")
    name: str
    role: Literal["coder", "expert", "leader", "organiser"]
    page: str


class SessionOut(Answer):
    """One open session; times are milliseconds since 1970."""

    id: int
    role: Literal["coder", "expert", "leader", "organiser"]
    opened: int
    seen: int
    device: str | None
    address: str | None
    current: bool = Field(description="Whether it is this browser's.")


class SessionsAnswer(Answer):
    """One's own open sessions, in a campaign or at a desk."""

    campaign: int | None
    sessions: list[SessionOut]
