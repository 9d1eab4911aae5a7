"""Opening an index: a folder of numpy files behind one small file that says what belongs to it.

``index.json`` is written last and replaced at once, so an index is either whole or not there. It names the folder of
the data, and the size and checksum of every file in it.
"""

import json
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from concurrence.core.corpus import LOWER, Corpus, Documents, Regions, Spacing, Written
from concurrence.core.errors import InvalidInputError
from concurrence.core.inventory import Inventory, UnreadFile
from concurrence.core.layers import Layer, Vocabulary
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import from_json, value

FORMAT, VERSION = "concurrence-index", 2
MANIFEST = "index.json"
CHECKED_AT_ONCE = 4 << 20
"""Files up to this size are compared with their checksum whenever an index is opened."""
AGAIN = "make it again with concur index"
PARTS = {
    "data": str,
    "layers": list,
    "tokens": int,
    "sentences": int,
    "documents": int,
    "broken": int,
    "inventory": dict,
    "sources": list,
    "regions": list,
    "files": dict,
}
"""What ``index.json`` must have besides its format and version."""


def is_index(path: Any) -> bool:
    """Whether a path is a folder that holds an index, or one in the making."""
    try:
        folder = Path(path)
        return folder.is_dir() and ((folder / MANIFEST).is_file() or any(folder.glob("data-*")))
    except (TypeError, OSError):
        return False


def index_among(corpus: Sequence[Any]) -> Path | None:
    """The folder of the index, if the corpus is one; an index cannot be read together with other files."""
    folders = [Path(part) for part in corpus if isinstance(part, str | Path) and is_index(part)]
    if folders and len(corpus) > 1:
        raise InvalidInputError(f"{folders[0]} is an index, which cannot be read together with other files.")
    return folders[0] if folders else None


def read_manifest(folder: Path) -> dict[str, Any]:
    """What ``index.json`` says, if it is an index of this version."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except FileNotFoundError as error:
        raise InvalidInputError(f"{folder} is no finished index ({MANIFEST} is missing); {AGAIN}.") from error
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{folder / MANIFEST} cannot be read as an index; {AGAIN}.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InvalidInputError(f"{folder / MANIFEST} is not that of an index; {AGAIN}.")
    if manifest.get("version") != VERSION:
        raise InvalidInputError(
            f"{folder} is an index of version {manifest.get('version')}, and this program reads version {VERSION}; "
            f"{AGAIN}."
        )
    if any(type(manifest.get(name)) is not kind for name, kind in PARTS.items()):
        raise InvalidInputError(f"{folder / MANIFEST} is damaged; {AGAIN}.")
    return manifest


def open_index(path: str | Path, *, check: bool | Collection[str] = False) -> Corpus:
    """Open an index; nothing large is read. ``check`` compares every file, or those named, with its checksum."""
    folder = Path(path)
    manifest = read_manifest(folder)
    data = folder / manifest["data"]
    try:
        _check_files(folder, data, manifest["files"], check)
        return _load_corpus(data, manifest)
    except InvalidInputError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(f"{folder}: the index is damaged; {AGAIN}.") from error


def _load_corpus(data: Path, manifest: dict[str, Any]) -> Corpus:
    layers = {
        name: Layer(
            codes=_array(data, f"{name}.codes"),
            vocabulary=_vocabulary(data, name),
            postings=_array(data, f"{name}.postings"),
            begins=_array(data, f"{name}.begins"),
        )
        for name in manifest["layers"]
    }
    documents = json.loads((data / "documents.json").read_text("utf-8"))
    spacing = json.loads((data / "spacing.json").read_text("utf-8"))
    written = Written(
        positions=_array(data, "written.positions"),
        codes=_array(data, "written.codes"),
        texts=tuple(spacing["written"]),
    )
    return Corpus(
        layers=layers,
        heads=_array(data, "heads") if (data / "heads.npy").exists() else None,
        regions={name: _regions(data, name) for name in manifest["regions"]},
        sources=tuple(manifest["sources"]),
        broken=manifest["broken"],
        inventory=from_json(Inventory, manifest["inventory"]),
        documents=Documents(
            starts=_array(data, "documents"),
            names=tuple(documents["names"]),
            metadata={name: tuple(texts) for name, texts in documents["metadata"].items()},
        ),
        spacing=Spacing(gaps=_array(data, "gaps"), texts=tuple(spacing["texts"]), written=written),
        stored_sentences=_array(data, "sentences"),
        stored_lower=replace(
            layers["form"], vocabulary=_vocabulary(data, LOWER), merged=_array(data, f"{LOWER}.merged")
        ),
    )


def checksum(path: Path) -> int:
    """A checksum of a file, read piece by piece."""
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            crc = zlib.crc32(piece, crc)
    return crc


def _check_files(folder: Path, data: Path, files: dict[str, dict[str, int]], check: bool | Collection[str]) -> None:
    for name, file in files.items():
        path = data / name
        size = path.stat().st_size if path.is_file() else -1
        all_of_it = size <= CHECKED_AT_ONCE or (check if isinstance(check, bool) else name in check)
        if size != file["size"] or (all_of_it and checksum(path) != file["crc32"]):
            fault = "is missing" if size < 0 else "is damaged"
            raise InvalidInputError(f"{folder}: {name} of the index {fault}; {AGAIN}.")


def _array(data: Path, name: str) -> Any:
    path = data / f"{name}.npy"
    large = path.stat().st_size > 1 << 16
    return np.load(path, mmap_mode="r").view(np.ndarray) if large else np.load(path)


def _regions(data: Path, name: str) -> Regions:
    starts, ends = _array(data, f"region.{name}")
    return Regions(starts=starts, ends=ends, attributes=StoredAttributes(data / f"region.{name}.json"))


class StoredAttributes(Mapping[str, tuple[str, ...]]):
    """The attributes of regions, read when a rule needs them; no query does."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        attributes = json.loads(self._path.read_text("utf-8"))
        return {name: tuple(texts) for name, texts in attributes.items()}

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _vocabulary(data: Path, name: str) -> Vocabulary:
    return Vocabulary(
        text=_array(data, f"{name}.text"),
        offsets=_array(data, f"{name}.offsets"),
        stored_order=_array(data, f"{name}.order"),
    )


@value
class IndexSummary(Result):
    """What an index holds; ``layers`` are the numbers of different words in each, ``files`` those of each format.

    ``attributes`` are what is known of its documents.
    """

    path: str
    tokens: int
    sentences: int
    documents: int
    layers: dict[str, int]
    bytes: int
    broken: int = 0
    files: dict[str, int] = field(default_factory=dict)
    left_out: tuple[UnreadFile, ...] = ()
    encodings: dict[str, str] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        parts = [count_noun(self.tokens, "token"), count_noun(self.sentences, "sentence")]
        left_out = f" {count_noun(self.broken, 'broken line')} left out." if self.broken else ""
        return f"{', '.join(parts)} and {count_noun(self.documents, 'document')} in {self.path}.{left_out}"


def summary(path: str | Path) -> IndexSummary:
    """What an index holds."""
    folder = Path(path)
    corpus, manifest = open_index(folder), read_manifest(folder)
    return IndexSummary(
        path=str(folder),
        tokens=manifest["tokens"],
        sentences=manifest["sentences"],
        documents=manifest["documents"],
        layers={
            name: len(layer.vocabulary)
            for name, layer in (*corpus.layers.items(), (LOWER, corpus.lower))
            if name in ("form", LOWER) or len(layer.vocabulary)
        },
        bytes=sum(file["size"] for file in manifest["files"].values()),
        broken=manifest["broken"],
        files=corpus.inventory.files,
        left_out=corpus.inventory.left_out,
        encodings=corpus.inventory.encodings,
        attributes=tuple(name for name in corpus.documents.metadata if name != "path"),
        warnings=corpus.inventory.warnings,
    )
