"""Making an index of tokens, and tokens of an index."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.encoded import EncodedCorpus, Layer, Regions, Vocabulary, Written
from concurrence.core.errors import InvalidInputError
from concurrence.core.forks import refuse_in_fork
from concurrence.core.tokens import Column, Documents, Spacing, Tokens
from concurrence.corpus.indexed import FORMAT, MANIFEST, VERSION, checksum, is_index, open_index, read_manifest
from concurrence.kernels.machine_code import machine_code


def write_index(tokens: Tokens, path: str | Path) -> None:
    """Write the tokens as an index; an older one of that name is replaced once the new one is whole."""
    refuse_in_fork()
    folder = Path(path)
    refuse_folder(folder)
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _new_data(folder) as data:
            for name, column in tokens.columns.items():
                _write_layer(data, name, column)
            _write_lower(data, tokens.columns["form"].words)
            _write_rest(data, tokens)
    except BaseException:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "data": data.name,
        "layers": list(tokens.columns),
        "tokens": tokens.n_tokens,
        "sentences": tokens.n_sentences,
        "documents": len(_documents(tokens).names),
        "broken": tokens.broken,
        "sources": list(tokens.sources),
        "regions": sorted(tokens.regions),
        "files": {file.name: {"size": file.stat().st_size, "crc32": checksum(file)} for file in sorted(data.iterdir())},
    }
    _publish(folder, data, manifest)


def append_to_index(tokens: Tokens, path: str | Path) -> None:
    """Add tokens to an index, which is as if all had been read together."""
    folder = Path(path)
    refuse_folder(folder, append=True)
    manifest = read_manifest(folder)
    known = indexed_tokens(folder, attributes=frozenset({"head", *manifest["layers"]}), keeps_text=True)
    write_index(append_tokens(replace(known, sources=tuple(manifest["sources"])), tokens), folder)


def refuse_folder(folder: Path, *, append: bool = False) -> None:
    """Refuse to put an index where something else is, and to append to what is none."""
    if append and not is_index(folder):
        raise InvalidInputError(
            f"{folder} is not an index, so nothing can be appended to it; without --append a new one is made."
        )
    if folder.exists() and not is_index(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(f"{folder} exists and is not an index; name a new folder.")


def indexed_tokens(folder: Path, *, attributes: frozenset[str], keeps_text: bool = False) -> Tokens:
    """The tokens of an index, with the attributes that are wanted."""
    manifest = read_manifest(folder)
    wanted = [name for name in manifest["layers"] if name == "form" or name in attributes]
    used = {"heads.npy", "gaps.npy", *(f"{name}.codes.npy" for name in wanted)}
    corpus, data = open_index(folder, check=used), folder / manifest["data"]
    spacing = None
    if keeps_text and corpus.gaps is not None:
        spacing = Spacing(gaps=corpus.gaps, texts=tuple(corpus.gap_texts), written=corpus.written)
    return Tokens(
        columns={name: _column(corpus.layers[name]) for name in wanted},
        heads=corpus.heads if "head" in attributes else None,
        regions={name: _read_regions(data, name) for name in manifest["regions"]},
        sources=(str(folder / MANIFEST),),
        broken=manifest["broken"],
        documents=Documents(
            starts=corpus.document_starts,
            names=tuple(corpus.document_names),
            metadata={name: tuple(texts) for name, texts in corpus.metadata.items()},
        ),
        spacing=spacing,
    )


def encoded(tokens: Tokens) -> EncodedCorpus:
    """Tokens in memory as a corpus to ask about, without postings."""
    layers = {
        name: Layer(codes=column.codes, vocabulary=_vocabulary(column.words)) for name, column in tokens.columns.items()
    }
    small, merged = Vocabulary.numbered(tokens.columns["form"].words.str.to_lowercase())
    layers["lower"] = Layer(codes=layers["form"].codes, vocabulary=small, merged=merged)
    documents = _documents(tokens)
    spacing = tokens.spacing
    return EncodedCorpus(
        layers=layers,
        sentences=tokens.sentence_starts(),
        document_starts=documents.starts,
        document_names=documents.names,
        metadata=documents.metadata,
        heads=tokens.heads,
        gaps=None if spacing is None else spacing.gaps,
        gap_texts=(" ", "") if spacing is None else spacing.texts,
        written=Written() if spacing is None else spacing.written,
        regions=tokens.regions,
        sources=tokens.sources,
    )


def append_tokens(first: Tokens, second: Tokens) -> Tokens:
    """Two corpora as one; the words of the first keep their numbers."""
    one, two = (list(tokens.columns) + ["head"] * (tokens.heads is not None) for tokens in (first, second))
    if set(one) != set(two):
        raise InvalidInputError(
            f"The files to append have the attributes {', '.join(two)}, but the index has {', '.join(one)}; "
            "make an index of their own for them."
        )
    return _appended_tokens(first, second)


def _appended_tokens(first: Tokens, second: Tokens) -> Tokens:
    size = len(first.columns["form"].codes)
    heads = None
    if first.heads is not None and second.heads is not None:
        heads = np.concatenate([first.heads, np.where(second.heads < 0, second.heads, second.heads + size)])
    one, two = _documents(first), _documents(second)
    names = dict.fromkeys((*one.metadata, *two.metadata))
    blank = {id(one): ("",) * len(one.names), id(two): ("",) * len(two.names)}
    documents = Documents(
        starts=np.concatenate([one.starts, two.starts + size]),
        names=(*one.names, *two.names),
        metadata={
            name: (*one.metadata.get(name, blank[id(one)]), *two.metadata.get(name, blank[id(two)])) for name in names
        },
    )
    return Tokens(
        columns={name: _appended(first.columns[name], second.columns[name]) for name in first.columns},
        heads=heads,
        regions=_appended_regions(first, second, size),
        sources=(*first.sources, *second.sources),
        broken=first.broken + second.broken,
        documents=documents,
        spacing=_appended_spacing(first, second, size),
    )


def _appended(first: Column, second: Column) -> Column:
    words = pl.concat([first.words.rename("word"), second.words.rename("word")]).unique(maintain_order=True)
    index = pl.DataFrame({"word": words, "code": np.arange(len(words), dtype=np.int32)})
    new = pl.DataFrame({"word": second.words}).join(index, on="word", how="left", maintain_order="left")["code"]
    codes = np.append(new.to_numpy(), np.int32(-1))[second.codes].astype(np.int32)
    return Column(codes=np.concatenate([first.codes, codes]), words=words)


def _appended_regions(first: Tokens, second: Tokens, size: int) -> dict[str, Regions]:
    regions = dict(first.regions)
    for name, two in second.regions.items():
        one = regions.get(name)
        moved = Regions(starts=two.starts + size, ends=two.ends + size, attributes=two.attributes)
        if one is None:
            regions[name] = moved
            continue
        names = dict.fromkeys((*one.attributes, *two.attributes))
        regions[name] = Regions(
            starts=np.concatenate([one.starts, moved.starts]),
            ends=np.concatenate([one.ends, moved.ends]),
            attributes={
                key: (
                    *one.attributes.get(key, ("",) * len(one.starts)),
                    *two.attributes.get(key, ("",) * len(two.starts)),
                )
                for key in names
            },
        )
    return regions


def _appended_spacing(first: Tokens, second: Tokens, size: int) -> Spacing | None:
    one, two = first.spacing, second.spacing
    if one is None or two is None:
        return None
    texts = list(dict.fromkeys((*one.texts, *two.texts)))[:255]
    moved = np.array([texts.index(text) if text in texts else 0 for text in two.texts], dtype=np.uint8)
    return Spacing(
        gaps=np.concatenate([one.gaps, moved[two.gaps]]),
        texts=tuple(texts),
        written=one.written.followed_by(two.written, size),
    )


@contextmanager
def _new_data(folder: Path) -> Iterator[Path]:
    # beneath the folder as the caller wrote it: from Python 3.12 on, mkdtemp spells it out from the root
    data = folder / Path(tempfile.mkdtemp(prefix="data-", dir=folder)).name
    data.chmod(0o755)
    try:
        yield data
    except OSError as error:
        shutil.rmtree(data, ignore_errors=True)
        raise InvalidInputError(f"{folder} cannot be written: {error.strerror or error}.") from error
    except BaseException:
        shutil.rmtree(data, ignore_errors=True)
        raise


def _publish(folder: Path, data: Path, manifest: dict[str, Any]) -> None:
    """Put the new data in the place of the old ones at once, then remove what is no longer named."""
    waiting = data / "manifest"
    waiting.write_text(json.dumps(manifest, ensure_ascii=False, indent=1), "utf-8")
    waiting.replace(folder / MANIFEST)
    for other in folder.glob("data-*"):
        if other.name != data.name:
            shutil.rmtree(other, ignore_errors=True)


def _write_layer(data: Path, name: str, column: Column) -> None:
    np.save(data / f"{name}.codes.npy", column.codes)
    _write_vocabulary(data, name, _vocabulary(column.words))
    frequencies = np.zeros(len(column.words), dtype=np.int64)
    _count(column.codes, frequencies)
    begins = np.concatenate([[0], np.cumsum(frequencies)])
    np.save(data / f"{name}.begins.npy", begins)
    size = int(begins[-1])
    postings = np.lib.format.open_memmap(data / f"{name}.postings.npy", mode="w+", dtype=np.int32, shape=(size,))
    _post(column.codes, begins[:-1].copy(), postings)
    postings.flush()


def _write_vocabulary(data: Path, name: str, vocabulary: Vocabulary) -> None:
    for part in ("text", "offsets", "order"):
        np.save(data / f"{name}.{part}.npy", getattr(vocabulary, part))


def _vocabulary(words: pl.Series) -> Vocabulary:
    return Vocabulary.of(words.to_list(), order=words.arg_sort().to_numpy().astype(np.int32))


def _write_lower(data: Path, words: pl.Series) -> None:
    small, merged = Vocabulary.numbered(words.str.to_lowercase())
    _write_vocabulary(data, "lower", small)
    np.save(data / "lower.merged.npy", merged)


def _write_rest(data: Path, tokens: Tokens) -> None:
    documents = _documents(tokens)
    np.save(data / "sentences.npy", tokens.sentence_starts())
    np.save(data / "documents.npy", documents.starts)
    known = {"names": documents.names, "metadata": dict(documents.metadata)}
    (data / "documents.json").write_text(json.dumps(known, ensure_ascii=False), "utf-8")
    if tokens.heads is not None:
        np.save(data / "heads.npy", tokens.heads)
    gaps = tokens.spacing.gaps if tokens.spacing is not None else _spaced(tokens)
    np.save(data / "gaps.npy", gaps)
    texts, written = (
        ((" ", ""), Written()) if tokens.spacing is None else (tokens.spacing.texts, tokens.spacing.written)
    )
    np.save(data / "written.positions.npy", written.positions)
    np.save(data / "written.codes.npy", written.codes)
    spacing = {"texts": texts, "written": list(written.texts)}
    (data / "spacing.json").write_text(json.dumps(spacing, ensure_ascii=False), "utf-8")
    for name, regions in tokens.regions.items():
        np.save(data / f"region.{name}.npy", np.stack([regions.starts, regions.ends]))
        attributes = {key: list(texts) for key, texts in regions.attributes.items()}
        (data / f"region.{name}.json").write_text(json.dumps(attributes, ensure_ascii=False), "utf-8")


def _spaced(tokens: Tokens) -> NDArray[np.uint8]:
    """A space before every token but the first of a sentence."""
    border = tokens.columns["form"].codes < 0
    gaps = border.astype(np.uint8)
    gaps[1:] |= border[:-1]
    gaps[:1] = 1
    return gaps


def _documents(tokens: Tokens) -> Documents:
    if tokens.documents is not None and len(tokens.documents.names):
        return tokens.documents
    name = Path(tokens.sources[0]).name if tokens.sources else "corpus"
    return Documents(starts=np.zeros(1, dtype=np.int64), names=(name,))


def _read_regions(data: Path, name: str) -> Regions:
    starts, ends = np.load(data / f"region.{name}.npy")
    attributes = json.loads((data / f"region.{name}.json").read_text("utf-8"))
    return Regions(starts=starts, ends=ends, attributes={key: tuple(texts) for key, texts in attributes.items()})


def _column(layer: Layer) -> Column:
    words = pl.Series("word", layer.vocabulary.words, dtype=pl.String)
    return Column(codes=np.asarray(layer.codes), words=words)


@machine_code
def _count(codes: Any, frequencies: Any) -> None:
    for code in codes:
        if code >= 0:
            frequencies[code] += 1


@machine_code
def _post(codes: Any, at: Any, postings: Any) -> None:
    for position in range(len(codes)):
        code = codes[position]
        if code >= 0:
            postings[at[code]] = position
            at[code] += 1
