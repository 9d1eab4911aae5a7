"""How often the printed intervals held the truth in simulations, and how often tests accused without cause."""

from collections.abc import Sequence
from itertools import groupby
from math import isnan, sqrt

from benchmarks import trust as simulations
from benchmarks.trust import least_covered, most_accused
from benchmarks.trust.settings import Observed

from pages.markdown import page, table

TITLE = "How often the intervals hold"
OPENING = """
An interval is a promise: of a hundred studies, 95 have one that holds the true value. This page shows whether they do.
For every setting below, studies of a world whose true value is known were simulated, and the interval that the program
*prints* was compared with the truth. *Trusted* intervals are those that it vouches for: JSON has `trusted: true` beside
them, or no such key where every interval is vouched for. Worlds, seeds and numbers of studies are fixed in
`benchmarks/trust/` before a run; `python -m benchmarks.trust --again` repeats it.

After ± stands the standard error of the simulation: a share of 0.930 ± 0.006 may well be one of 0.94.
""".strip()

TESTS = """
A test at the level 0.05 may accuse without cause in 5% of the studies. In these worlds there is nothing to find: no
agreement beyond chance, rankings of equal precision, judges that did not change. The headline of `evaluate` counts as a
test.
""".strip()


def stored_page() -> str:
    """The page of what is stored."""
    return trust(simulations.stored(), missing=len(simulations.works_of(simulations.rooms())))


def trust(stored: Sequence[Observed], *, missing: int = 0) -> str:
    """The page; it says so where nothing was simulated yet, or not everything."""
    observed = [one for one in stored if one.printed]
    if not observed:
        return page(TITLE, OPENING, "No simulation is stored.")
    intervals, tests = ([one for one in observed if one.kind == kind] for kind in ("interval", "test"))
    return page(
        TITLE,
        OPENING,
        summary(intervals, tests),
        f"{missing:,} further settings have not been simulated yet." if missing else "",
        "## Intervals",
        *(part for room, rows in groupby(intervals, lambda one: one.room) for part in _intervals(room, list(rows))),
        "## Tests",
        TESTS,
        table(["room", "test", "world", "accused", "studies"], [_test(one) for one in tests]),
    )


def summary(intervals: Sequence[Observed], tests: Sequence[Observed]) -> str:
    """How many settings keep the promise, and every one that does not."""
    trusted = [one for one in intervals if one.is_trusted]
    low = [one for one in trusted if one.trusted_share < least_covered(one.nominal)]
    large = [one for one in tests if 1 - one.share > most_accused(one.nominal)]
    missed = [(one, _share(one.trusted_held, one.trusted)) for one in low]
    missed += [(one, _share(one.printed - one.held, one.printed)) for one in large]
    lines = [
        f"- Intervals: {len(intervals):,} settings, {len(trusted):,} of them trusted. In {len(trusted) - len(low):,} "
        "of these the share that holds is at most 0.02 below the nominal one.",
        f"- Tests: {len(tests):,} settings. In {len(tests) - len(large):,} they accuse in at most 6% of the studies.",
        *(f"- Missed: {one.room}, {one.statistic}; {one.where}: {share}." for one, share in missed),
    ]
    return "\n".join(lines)


def _intervals(room: str, rows: Sequence[Observed]) -> tuple[str, str]:
    columns = ["statistic", "world", "nominal", "covers", "trusted", "covers where trusted", "studies"]
    return f"### {room.capitalize()}", table(columns, [_interval(one) for one in rows])


def _interval(one: Observed) -> list[str]:
    return [
        one.statistic,
        one.where,
        f"{one.nominal:g}",
        _share(one.held, one.printed),
        f"{one.trusted / one.printed:.0%}",
        _share(one.trusted_held, one.trusted) if one.is_trusted else "not trusted",
        f"{one.replications:,}",
    ]


def _test(one: Observed) -> list[str]:
    accused = _share(one.printed - one.held, one.printed)
    return [one.room, one.statistic, one.where, accused, f"{one.replications:,}"]


def _share(part: int, whole: int) -> str:
    share = part / whole if whole else float("nan")
    return "" if isnan(share) else f"{share:.3f} ± {sqrt(share * (1 - share) / whole):.3f}"
