"""One form for every simulated setting: what is drawn, what the program says of it, and how often that is true."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Literal
from zlib import crc32

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the program said of one simulated data set.

    ``holds``: whether the printed interval holds the true value, or the test did not accuse; ``None`` where nothing
    was printed (no value, no verdict), which is counted apart.
    """

    holds: bool | None
    trusted: bool = True


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One row of the page: a world, and how the program does in it.

    ``simulate`` draws one data set and asks the program; what it needs of the world (a population, its true value) is
    computed once and remembered. ``replications`` stands here only where one costs more than .2 s.
    """

    room: str  # "agreement", "ratings", "evaluation", …
    statistic: str  # what the interval or the test is about: "Krippendorff's alpha, interval scale"
    where: str  # "7 categories, 30 items, 2 coders, true value .963"
    simulate: Callable[[np.random.Generator], Said]
    kind: Literal["interval", "test"] = "interval"
    nominal: float = 0.95
    replications: int | None = None

    @property
    def name(self) -> str:
        """What it is called in the stored results."""
        return f"{self.room}: {self.statistic}; {self.where}"

    @property
    def seed(self) -> int:
        """Fixed by the name, so that adding a setting changes no other."""
        return crc32(self.name.encode())


@dataclass(frozen=True, kw_only=True)
class Observed:
    """How often the program was right in one setting: over all that it printed, and over what it called trusted."""

    room: str
    statistic: str
    where: str
    kind: str
    nominal: float
    replications: int
    printed: int
    held: int
    trusted: int
    trusted_held: int

    @property
    def share(self) -> float:
        """Of all printed, how many held."""
        return self.held / self.printed if self.printed else float("nan")

    @property
    def trusted_share(self) -> float:
        """Of those called trusted, how many held."""
        return self.trusted_held / self.trusted if self.trusted else float("nan")

    @property
    def is_trusted(self) -> bool:
        """Whether the program calls its intervals trusted here, but for rare samples."""
        return self.trusted >= self.printed / 20

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share."""
        return sqrt(self.share * (1 - self.share) / self.printed) if self.printed else float("nan")


def observe(setting: Setting, replications: int) -> Observed:
    """Simulate a setting so often, from its own seed."""
    random = np.random.default_rng(setting.seed)
    said = [setting.simulate(random) for _ in range(replications)]
    printed = [one for one in said if one.holds is not None]
    trusted = [one for one in printed if one.trusted]
    return Observed(
        room=setting.room,
        statistic=setting.statistic,
        where=setting.where,
        kind=setting.kind,
        nominal=setting.nominal,
        replications=replications,
        printed=len(printed),
        held=sum(bool(one.holds) for one in printed),
        trusted=len(trusted),
        trusted_held=sum(bool(one.holds) for one in trusted),
    )


def holds(interval: tuple[float, float] | object, truth: float) -> bool | None:
    """Whether an interval holds the truth, but for rounding; ``None`` where it has no ends."""
    low, high = interval  # type: ignore[misc]
    return None if np.isnan(low) or np.isnan(high) else bool(low - 1e-9 <= truth <= high + 1e-9)
