"""How much memory may be used, and where the rest goes."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Spill:
    """A memory budget in bytes, and a folder for what does not fit."""

    budget: int
    folder: Path
