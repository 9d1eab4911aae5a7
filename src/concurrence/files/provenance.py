"""Where a file came from: command, version, seed and checksums of the inputs."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from concurrence._version import __version__
from concurrence.core.errors import InvalidInputError
from concurrence.files.standard_input import input_checksum

PARQUET_KEY = "concurrence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Everything needed to make a result again."""

    command: str
    version: str = __version__
    seed: int | None = None
    inputs: dict[str, str] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        entries = asdict(self)
        return entries if self.details else {key: value for key, value in entries.items() if key != "details"}


def checksums(paths: Iterable[str | Path]) -> dict[str, str]:
    """The SHA-256 of each file by its name; of standard input, that of the bytes that were read."""
    digests: dict[str, str] = {}
    for path in map(Path, paths):
        if str(path) == "-":
            digests |= {"-": digest} if (digest := input_checksum()) else {}
        elif path.is_file():
            with path.open("rb") as source:
                digests[str(path)] = hashlib.file_digest(source, "sha256").hexdigest()
    return digests


def read_provenance(path: Path) -> dict[str, Any]:
    """What is known about how a file was made; empty if nothing is, or if the file cannot be read."""
    if path.suffix == ".parquet":
        import polars as pl

        try:
            text = pl.read_parquet_metadata(path).get(PARQUET_KEY)
        except (OSError, pl.exceptions.PolarsError):  # whoever reads the table says what is wrong with it
            return {}
    else:
        sidecar = meta_path(path)
        text = sidecar.read_text("utf-8") if sidecar.is_file() else None
    if text is None:
        return {}
    try:
        provenance = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"{meta_path(path)} is not JSON: {error}.") from error
    return provenance if isinstance(provenance, dict) else {}


def write_provenance(path: Path, provenance: Provenance) -> None:
    """Write what is known of a text file's making beside it."""
    from concurrence.files.atomic import replacing

    with replacing(meta_path(path)) as temporary:
        temporary.write_text(json.dumps(provenance.as_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")


def meta_path(path: Path) -> Path:
    return path.with_name(path.name + ".meta.json")
