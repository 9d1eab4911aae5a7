"""How much memory may be used, and where to put the rest."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Spill:
    """A budget of memory in bytes, and a folder for what does not fit."""

    budget: int
    folder: Path
