"""Spans of INCEpTION and WebAnno: WebAnno TSV 3, UIMA CAS as JSON and as XMI, and the folder of an exported project.

An annotator has a file for every document; in an exported project, it is ``annotation/DOCUMENT/ANNOTATOR.tsv`` (or
``.json``, ``.xmi``, or one of these in a ``.zip``). Offsets count units of UTF-16, as Java does, and become characters.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.codes import columns_option
from concurrence.files.spans.join_sheets import join_span_sheets
from concurrence.files.spans.options import SpanFileOptions
from concurrence.files.spans.span_sheet import SpanSheet
from concurrence.files.tables.sheets import DAMAGED
from concurrence.files.tables.text import UNNAMED_ENCODING, read_bytes, split_lines, validate_text

TSV_HEAD = b"#FORMAT=WebAnno TSV 3"
FOLDERS = ("annotation", "curation")
ENDINGS = (".tsv", ".json", ".xmi", ".zip")
INITIAL = "INITIAL_CAS"
TECHNICAL = re.compile(
    r"\.(segmentation|lexmorph|metadata|syntax|transform)\.|^uima\.|TagsetDescription|LayerDefinition"
)
"""Types of tokens, sentences, parts of speech and of the document itself, which are no layer of spans."""
FEATURES = ("value", "label", "entity", "category")
"""The feature that is the label, where a layer has several."""
UNIT = re.compile(r"^\d+-\d+(?:\.\d+)?$")
CELL = re.compile(r"^(?P<value>.*?)(?:\[(?P<number>\d+)\])?$", re.DOTALL)


@dataclass(slots=True, kw_only=True)
class LayerSpan:
    """An annotation: where it stands in units of UTF-16, its layer, and its features."""

    layer: str
    start: int
    end: int
    place: int = 0
    features: dict[str, str] = field(default_factory=dict)


def is_inception_folder(folder: Path) -> bool:
    """Whether a folder is an exported project, or its folder of annotations."""
    return folder.name in FOLDERS or any((folder / name).is_dir() for name in FOLDERS)


def is_inception_file(path: Path, data: bytes) -> bool:
    """Whether a file is one of INCEpTION's, by its beginning."""
    head = data[:4096]
    if path.suffix.lower() == ".zip":
        return any(name.endswith(".xmi") for name in _archive_names(data))
    if path.suffix.lower() == ".xmi" or head.removeprefix(b"\xef\xbb\xbf").startswith(TSV_HEAD):
        return True
    return path.suffix.lower() == ".json" and b'"%FEATURE_STRUCTURES"' in data and b'"%TYPE' in data


def read_inception_folder(folder: Path, options: SpanFileOptions) -> SpanSheet:
    """The spans of all annotators of an exported project."""
    root = folder if folder.name in FOLDERS else next(folder / name for name in FOLDERS if (folder / name).is_dir())
    paths = sorted(path for path in root.glob("*/*") if path.suffix.lower() in ENDINGS and path.stem != INITIAL)
    if not paths:
        raise InvalidInputError(
            f"{folder} holds no annotations. Export the project with its annotations in a format such as WebAnno TSV "
            "v3.3, UIMA CAS JSON or XMI."
        )
    return join_span_sheets([read_inception_file(path, read_bytes(path), options) for path in paths])


def read_inception_file(path: Path, data: bytes, options: SpanFileOptions) -> SpanSheet:
    """The spans of one annotator, who is called like the file, in one document, which is called like its folder."""
    document = path.parent.name if path.parent.parent.name in FOLDERS else None
    name, suffix = str(path), path.suffix.lower()
    if suffix == ".zip":
        member = next(one for one in _archive_names(data) if one.endswith((".xmi", ".json", ".tsv")))
        data, suffix = _read_member(data, member, name), Path(member).suffix
    if suffix == ".tsv":
        units, spans = _read_tsv(validate_text(data, name, encoding=options.encoding or UNNAMED_ENCODING), name)
        title = None
    else:
        units, spans, title = _read_json(data, name) if suffix == ".json" else _read_xmi(data, name)
    chosen = _choose_layer(spans, (options.columns or {}).get("label"), name)
    text = units.decode("utf-16-le", errors="replace")
    astral = len(text) * 2 < len(units)
    sheet = SpanSheet(name=name, place=lambda line: f"{name}, line {line}" if line else name, says_who_read=True)
    document = document or title or "1"
    sheet.texts[document] = text
    sheet.add(document, path.stem, 0)
    for span, label in chosen:
        start, end = (_characters(units, one) if astral else one for one in (span.start, span.end))
        sheet.add(document, path.stem, span.place).mark(start, end, label)
    return sheet


def _archive_names(data: bytes) -> list[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, *DAMAGED):
        return []


def _read_member(data: bytes, member: str, name: str) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read(member)
    except (zipfile.BadZipFile, NotImplementedError, *DAMAGED) as error:
        raise InvalidInputError(f"{name} is not a valid .zip file: {error}.") from error


def _characters(units: bytes, position: int) -> int:
    """How many characters stand before so many units of UTF-16."""
    return len(units[: 2 * position].decode("utf-16-le", errors="replace"))


def _choose_layer(spans: Sequence[LayerSpan], named: str | None, name: str) -> list[tuple[LayerSpan, str]]:
    """The spans of the only layer, or of the one that was named, each with its label."""
    layer_name, _, feature_name = (named or "").partition("|")
    layers = dict.fromkeys(span.layer for span in spans)
    if named:
        layers = {one: None for one in layers if layer_name in (one, one.rpartition(".")[2])}
    if len(layers) > 1:
        names = ", ".join(layers)
        raise InvalidInputError(
            f"{name}: there are annotations in several layers ({names}). Choose one with "
            f"{columns_option('label', next(iter(layers)).rpartition('.')[2])}."
        )
    own = [span for span in spans if span.layer in layers]
    features = dict.fromkeys(feature for span in own for feature in span.features)
    if feature_name and own and feature_name not in features:
        raise InvalidInputError(f"{name}: the layer {next(iter(layers))} has no feature {feature_name!r}.")
    common = [feature for feature in FEATURES if feature in features]
    chosen = feature_name or (common[0] if common else next(iter(features), ""))
    if not feature_name and not common and len(features) > 1:
        layer = next(iter(layers)).rpartition(".")[2]
        raise InvalidInputError(
            f"{name}: the layer {layer} has several features ({', '.join(features)}). Choose one with "
            f"{columns_option('label', f'{layer}|{chosen}')}."
        )
    return [(span, span.features.get(chosen) or span.layer.rpartition(".")[2]) for span in own]


# WebAnno TSV 3


def _read_tsv(data: bytes, name: str) -> tuple[bytes, list[LayerSpan]]:
    """The text in units of UTF-16, as far as tokens tell it, and the annotations."""
    columns: list[tuple[str | None, str]] = []
    tokens: list[tuple[int, int, str]] = []
    spans: dict[tuple[str, int], LayerSpan] = {}
    for line, text in enumerate(split_lines(data), start=1):
        if text.startswith("#T_"):
            columns += _declared_columns(text)
        fields = text.split("\t")
        if text.startswith("#") or not UNIT.match(fields[0]):
            continue
        if len(fields) < 3 + len(columns):
            raise InvalidInputError(
                f"{name}, line {line}: {len(fields)} columns, but the layers that are declared have {3 + len(columns)}."
            )
        start, end = _offsets(fields[1], name, line)
        if "." not in fields[0]:
            tokens.append((start, end, fields[2]))
        for key, span in _cells(columns, fields[3:], start, end, line):
            if key not in spans:
                spans[key] = span
            spans[key].start, spans[key].end = min(spans[key].start, start), max(spans[key].end, end)
            spans[key].features |= span.features
    if not tokens:
        raise InvalidInputError(f"{name} holds no tokens.")
    units = bytearray(" ".encode("utf-16-le") * max(end for _, end, _ in tokens))
    for start, end, text in tokens:
        width = 2 * (end - start)
        token = _unescape(text).encode("utf-16-le")
        units[2 * start : 2 * end] = token if len(token) == width else b" \0" * (end - start)
    return bytes(units), list(spans.values())


def _declared_columns(line: str) -> list[tuple[str | None, str]]:
    """The columns of a layer, each with its layer (none where it is of relations or chains) and its feature."""
    kind, _, rest = line.partition("=")
    layer, *features = rest.split("|")
    own = layer if kind == "#T_SP" and not TECHNICAL.search(layer) else None
    return [(own, feature) for feature in features or [""]]


def _offsets(cell: str, name: str, line: int) -> tuple[int, int]:
    start, _, end = cell.partition("-")
    if not (start.isdecimal() and end.isdecimal()):
        raise InvalidInputError(f"{name}, line {line}: {cell!r} is no range of characters such as 0-6.")
    return int(start), int(end)


def _cells(
    columns: Sequence[tuple[str | None, str]], cells: Sequence[str], start: int, end: int, line: int
) -> Iterator[tuple[tuple[str, int], LayerSpan]]:
    """The annotations on a unit; those on several units and those on top of each other have a number."""
    for (layer, feature), cell in zip(columns, cells, strict=False):
        if layer is None or cell in ("_", ""):
            continue
        for part in re.split(r"(?<!\\)\|", cell):
            match = CELL.match(part)
            value = _unescape(match["value"]) if match else part
            number = int(match["number"]) if match and match["number"] else -line
            features = {feature: value} if value not in ("*", "_") and not feature.startswith("ROLE_") else {}
            yield (layer, number), LayerSpan(layer=layer, start=start, end=end, place=line, features=features)


def _unescape(text: str) -> str:
    return re.sub(r"\\(->|.)", r"\1", text) if "\\" in text else text


# UIMA CAS


def _read_json(data: bytes, name: str) -> tuple[bytes, list[LayerSpan], str | None]:
    try:
        cas = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{name}: not valid JSON ({error}).") from error
    structures = cas.get("%FEATURE_STRUCTURES") if isinstance(cas, dict) else None
    if isinstance(structures, Mapping):
        structures = list(structures.values())
    if not isinstance(structures, list):
        raise InvalidInputError(f"{name} holds no list %FEATURE_STRUCTURES, which a UIMA CAS in JSON has.")
    return _from_structures([(str(one.get("%TYPE")), one) for one in structures if isinstance(one, dict)], name)


def _read_xmi(data: bytes, name: str) -> tuple[bytes, list[LayerSpan], str | None]:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InvalidInputError(f"{name}: an XMI file of UIMA declares no document type; this one is not read.")
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - without a document type there are no entities
    except ElementTree.ParseError as error:
        raise InvalidInputError(f"{name}: not valid XML ({error}).") from error
    return _from_structures([(_type_of_tag(element.tag), dict(element.attrib)) for element in root], name)


def _type_of_tag(tag: str) -> str:
    """The name of a type, from the namespace of its element: ``http:///webanno/custom.ecore`` and ``PHI``."""
    namespace, _, own = tag.removeprefix("{").partition("}")
    return f"{namespace.removeprefix('http:///').removesuffix('.ecore').replace('/', '.')}.{own}"


def _from_structures(
    structures: Sequence[tuple[str, Mapping[str, Any]]], name: str
) -> tuple[bytes, list[LayerSpan], str | None]:
    """The text in units of UTF-16, the annotations, and the title of the document."""
    texts = [one.get("sofaString") for kind, one in structures if kind == "uima.cas.Sofa"]
    text = next((one for one in texts if isinstance(one, str)), None)
    if text is None:
        raise InvalidInputError(f"{name} holds no text (a uima.cas.Sofa with its sofaString).")
    title = next((one.get("documentTitle") for kind, one in structures if kind.endswith(".DocumentMetaData")), None)
    spans = [
        LayerSpan(
            layer=kind,
            start=_position(one["begin"], kind, name),
            end=_position(one["end"], kind, name),
            features=_features(one),
        )
        for kind, one in structures
        if "begin" in one and "end" in one and not TECHNICAL.search(kind)
    ]
    relations = {"Governor", "Dependent", "governor", "dependent", "source", "target"}
    linked = {kind for kind, one in structures if relations & {key.removeprefix("@") for key in one}}
    kept = [span for span in spans if span.layer not in linked]
    return text.encode("utf-16-le"), kept, str(title) if title else None


def _position(value: Any, kind: str, name: str) -> int:
    if not str(value).isdecimal():
        raise InvalidInputError(f"{name}: an annotation of the layer {kind} begins or ends at {value!r}, no number.")
    return int(value)


def _features(structure: Mapping[str, Any]) -> dict[str, str]:
    """The features of an annotation that are text, without those that every annotation has."""
    return {
        key: str(value)
        for key, value in structure.items()
        if isinstance(value, str) and key not in ("begin", "end", "sofa") and not key.startswith(("%", "@", "^", "{"))
    }
