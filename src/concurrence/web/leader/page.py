"""What one of the leader's pages is: its row holds all that its HTML page, its JSON twin and its tab need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store
from concurrence.web.models import OptionalName


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderPage:
    """A page ``/c/ID/leader/…`` from the template of its name, and its twin ``/api/campaigns/ID/…``.

    ``data`` makes what both show, from a value of the type ``query``, whose fields are the parameters of the
    address; its docstring is what the OpenAPI document says of the twin. A page whose address holds a parameter
    is listed under no tab of its own; ``tab`` is the one it belongs to.
    """

    name: str
    tab: str
    data: Callable[[Store, Campaign, Any], Any]
    query: type
    page_query: type | None = None  # where the page starts from other defaults than its twin
    address: str | None = None  # of the twin, where it is not the name
    page_address: str | None = None  # of the page, where it is not the twin's
    kept: bool = True  # until a decision, a ruling or a new person comes; otherwise made anew for each visit
    beside: Callable[[Store, Campaign], dict[str, Any]] | None = None  # what the page alone shows beside its data
    timely: bool = False  # whether the data change with the hour, and not only with what comes in

    @property
    def twin(self) -> str:
        return f"/{self.name}" if self.address is None else self.address

    @property
    def page(self) -> str:
        return self.twin if self.page_address is None else self.page_address


@dataclass(frozen=True, slots=True, kw_only=True)
class NoQuery:
    """No choice: the whole campaign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundQuery:
    """One round, or all."""

    round: OptionalName = None
