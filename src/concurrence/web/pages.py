"""Pages from templates; all text is escaped, the manual alone is sanitised HTML."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from concurrence.report.pages.procedures import method_name

if TYPE_CHECKING:
    from concurrence.annotation.campaigns.campaign import Campaign

FOLDERS = (Path(__file__).parent / "templates", Path(__file__).parent / "explorer" / "templates")

ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDERS),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:z.{digits}f}"


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}%"


def _interval(ends: Any, unit: str = "number") -> str:
    """Two ends, as a list or by name; a dash where there is no interval."""
    low, high = ends.values() if isinstance(ends, dict) else ends
    format_end = FILTERS[unit]
    return "–" if low is None else f"[{format_end(low)}, {format_end(high)}]"


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")


OPTION = re.compile(r"(--[a-z][a-z-]*[a-z](?: \d+)?)")
UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000))


def _ago(milliseconds: int | None, at: int | None = None) -> Markup:
    """How long ago a moment is, with the moment itself for machines and as a tooltip.

    >>> _ago(1_000_000, at=1_000_000 + 2 * 3_600_000).striptags()
    '2 hours ago'
    """
    if milliseconds is None:
        return Markup("–")
    passed = (time_ns() // 1_000_000 if at is None else at) - milliseconds
    words = next((_some(passed // size, unit) for unit, size in UNITS if passed >= size), "just now")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(_iso(milliseconds), _time(milliseconds), words)


def _iso(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC).isoformat(timespec="seconds")


def _some(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def _date(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    return f"{moment.day} {moment:%B %Y}"


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _options(text: str) -> Markup:
    """A sentence in which the options of a command look like those, and stay in one piece.

    >>> print(_options("Less than <5? Use --bootstrap 2000."))
    Less than &lt;5? Use <code class="option">--bootstrap 2000</code>.
    """
    option = Markup('<code class="option">{}</code>')
    return Markup("").join(option.format(part) if k % 2 else part for k, part in enumerate(OPTION.split(text)))


FILTERS: dict[str, Callable[..., str]] = {
    "number": _number,
    "percent": _percent,
    "interval": _interval,
    "time": _time,
    "ago": _ago,
    "date": _date,
    "iso": _iso,
    "method": method_name,
    "capitalize_first": _capitalize_first,
    "options": _options,
}
ENVIRONMENT.filters.update(FILTERS)


def export_of(campaign: "Campaign", question: str, round_name: str | None = None) -> str:
    """Where the answers to a question are, on which its command gives the numbers of the leader's page.

    Nobody can agree on a follow-up that one coder alone was asked, so such items are left out, as on the page.
    """
    questioned = campaign.questionnaire[question]
    # As it is: a quoted label would be another one to the command.
    parameters = {"question": question, "quote": "false"} | ({"round": round_name} if round_name else {})
    if questioned.parent is not None and questioned.measured.command == "agree":
        parameters["shared"] = "true"
    return f"/api/campaigns/{campaign.id}/export?{urlencode(parameters)}"


ENVIRONMENT.globals["export_of"] = export_of


def render(template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    return HTMLResponse(ENVIRONMENT.get_template(template).render(**values), status, headers=headers)
