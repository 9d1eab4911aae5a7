"""A checksum of files and code: what a build made from them is reused as long as it stays the same."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def checksum_of(files: Iterable[Path]) -> str:
    """A checksum of these files and of the code of the package."""
    digest = hashlib.sha256()
    for file in [*files, *sorted(SOURCE.rglob("*.py"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
