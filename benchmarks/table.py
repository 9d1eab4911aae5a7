"""All areas in one table: what was measured, what was promised, and whether it was kept."""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.rows import RESULTS, Outcome, Row

TABLE = Path(__file__).parent / "results.md"
HEADER = ("area", "row", "value", "against", "ratio", "promise", "")
LIBRARIES = ("concurrence", "numpy", "polars", "scipy", "numba")


def text_table(outcomes: Sequence[Outcome], *, promises: bool = True) -> str:
    """The rows of some areas for a terminal, columns aligned."""
    lines = [HEADER, *(cells for outcome in outcomes for cells in cells_of(outcome, promises=promises))]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def write_table() -> Path:
    """Write ``results.md`` from the saved rows of every area, each with its date."""
    outcomes = [Outcome.from_json(json.loads(path.read_text("utf-8"))) for path in sorted(RESULTS.glob("*.json"))]
    rows = [row for outcome in outcomes for row in outcome.rows if row.limit is not None]
    failed = [outcome.area for outcome in outcomes if outcome.error]
    lines = [
        "# Benchmarks",
        "",
        "Written by `python -m benchmarks`. A ratio is ours over the other; a promise bounds it.",
        "",
        f"{machine()}.",
        "",
        f"{len(rows)} promises were measured, {sum(not row.holds for row in rows)} missed; "
        f"{len(failed)} areas failed{': ' if failed else ''}{', '.join(failed)}.",
        "",
        "| date | " + " | ".join(HEADER) + " |",
        "|" + "---|" * (len(HEADER) + 1),
        *(
            f"| {outcome.date} | " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
            for outcome in outcomes
            for cells in cells_of(outcome)
        ),
    ]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")
    return TABLE


def cells_of(outcome: Outcome, *, promises: bool = True) -> Iterable[tuple[str, ...]]:
    """The rows of an area as texts; an area that failed has one row."""
    if outcome.error:
        yield outcome.area, outcome.error, "", "", "", "", "FAILED"
    for row in outcome.rows:
        promise, verdict = _promise(row) if promises else ("", "")
        value, against = f"{row.ours:.4g} {row.quantity}", f"{row.against:.4g} ({row.peer})"
        yield row.area, row.work, value, against, f"{row.ratio:.3g}", promise, verdict


def _promise(row: Row) -> tuple[str, str]:
    return ("", "") if row.limit is None else (f"{row.limit_is} {row.limit:.3g}", "kept" if row.holds else "MISSED")


def machine() -> str:
    """What it ran on, and with which versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0.0
    system = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB"
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"{system}; Python {platform.python_version()}, {libraries}"
