"""Writing an index, adding to one, and reading one as a corpus."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import LOWER, Corpus, Documents, Regions, Spacing
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.layers import BORDER, MISSING, Layer, Vocabulary
from concurrence.core.values import to_json
from concurrence.corpus.index import FORMAT, MANIFEST, VERSION, checksum, is_index, open_index, read_manifest
from concurrence.kernels.machine_code import machine_code


def write_index(corpus: Corpus, path: str | Path) -> None:
    """Write a corpus as an index; an older one of that name is replaced once the new one is whole."""
    refuse_in_fork()
    folder = Path(path)
    refuse_folder(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _new_data(folder) as data:
            for name, layer in corpus.layers.items():
                _write_layer(data, name, layer)
            _write_lower(data, corpus.form)
            _write_rest(data, corpus)
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "data": data.name,
        "layers": list(corpus.layers),
        "tokens": corpus.n_tokens,
        "sentences": corpus.n_sentences,
        "documents": len(corpus.documents.names),
        "broken": corpus.broken,
        "inventory": to_json(corpus.inventory),
        "sources": list(corpus.sources),
        "regions": sorted(corpus.regions),
        "files": {file.name: {"size": file.stat().st_size, "crc32": checksum(file)} for file in sorted(data.iterdir())},
    }
    _publish(folder, data, manifest)


def append_to_index(corpus: Corpus, path: str | Path) -> None:
    """Add a corpus to an index; the result is as if both had been read together."""
    folder = Path(path)
    refuse_folder(folder, append=True)
    manifest = read_manifest(folder)
    indexed = indexed_corpus(folder, attributes=frozenset({"head", *manifest["layers"]}), keeps_text=True)
    write_index(join_corpora(replace(indexed, sources=tuple(manifest["sources"])), corpus), folder)


def refuse_folder(folder: Path, *, append: bool = False) -> None:
    """Refuse to overwrite a folder that is not an index, and to append to one that is not."""
    if append and not is_index(folder):
        raise InvalidInputError(
            f"{folder} is not an index, so nothing can be appended to it; without --append a new one is made."
        )
    if folder.exists() and not is_index(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(f"{folder} exists and is not an index; name a new folder.")


def indexed_corpus(folder: Path, *, attributes: frozenset[str], keeps_text: bool = False) -> Corpus:
    """The corpus of an index with the attributes that are wanted, its large files checked; its source is the index."""
    manifest = read_manifest(folder)
    names = [name for name in manifest["layers"] if name == "form" or name in attributes]
    corpus = open_index(folder, check={"heads.npy", "gaps.npy", *(f"{name}.codes.npy" for name in names)})
    return replace(
        corpus,
        layers={name: corpus.layers[name] for name in names},
        heads=corpus.heads if "head" in attributes else None,
        sources=(str(folder / MANIFEST),),
        spacing=corpus.spacing if keeps_text else Spacing(),
    )


def join_corpora(first: Corpus, second: Corpus) -> Corpus:
    """Two corpora as one; the words of the first keep their numbers."""
    one, two = (list(corpus.layers) + ["head"] * (corpus.heads is not None) for corpus in (first, second))
    if set(one) != set(two):
        raise InvalidInputError(
            f"The files to append have the attributes {', '.join(two)}, but the index has {', '.join(one)}; "
            "make an index of their own for them."
        )
    size, heads = first.size, None
    if first.heads is not None and second.heads is not None:
        heads = np.concatenate([first.heads, np.where(second.heads < 0, second.heads, second.heads + size)])
    return Corpus(
        layers={name: _joined_layers(first.layers[name], second.layers[name]) for name in first.layers},
        heads=heads,
        regions=_joined_regions(first, second, size),
        sources=(*first.sources, *second.sources),
        broken=first.broken + second.broken,
        inventory=first.inventory + second.inventory,
        documents=_joined_documents(first.documents, second.documents, size),
        spacing=_joined_spacing(first.spacing, second.spacing, size),
    )


def _joined_documents(first: Documents, second: Documents, size: int) -> Documents:
    return Documents(
        starts=np.concatenate([first.starts, second.starts + size]),
        names=(*first.names, *second.names),
        metadata=_joined_texts(first.metadata, second.metadata, len(first.names), len(second.names)),
    )


def _joined_texts(
    first: Mapping[str, tuple[str, ...]], second: Mapping[str, tuple[str, ...]], n: int, m: int
) -> dict[str, tuple[str, ...]]:
    """The texts of ``n`` things and of ``m`` others by name, empty where one of them has none of that name."""
    names = dict.fromkeys((*first, *second))
    return {name: (*first.get(name, ("",) * n), *second.get(name, ("",) * m)) for name in names}


def _joined_layers(first: Layer, second: Layer) -> Layer:
    words = pl.concat([first.words, second.words]).unique(maintain_order=True)
    index = pl.DataFrame({"word": words, "code": np.arange(len(words), dtype=np.int32)})
    new = pl.DataFrame({"word": second.words}).join(index, on="word", how="left", maintain_order="left")["code"]
    codes = np.append(new.to_numpy(), [MISSING, BORDER])[second.codes].astype(np.int32)
    return Layer(codes=np.concatenate([first.codes, codes]), vocabulary=Vocabulary.of(words.to_list()))


def _joined_regions(first: Corpus, second: Corpus, size: int) -> dict[str, Regions]:
    regions = dict(first.regions)
    for name, two in second.regions.items():
        one = regions.get(name)
        moved = Regions(starts=two.starts + size, ends=two.ends + size, attributes=two.attributes)
        if one is None:
            regions[name] = moved
            continue
        regions[name] = Regions(
            starts=np.concatenate([one.starts, moved.starts]),
            ends=np.concatenate([one.ends, moved.ends]),
            attributes=_joined_texts(one.attributes, two.attributes, len(one.starts), len(two.starts)),
        )
    return regions


def _joined_spacing(first: Spacing, second: Spacing, size: int) -> Spacing:
    if first.gaps is None or second.gaps is None:
        return Spacing()
    texts = list(dict.fromkeys((*first.texts, *second.texts)))[:255]
    moved = np.array([texts.index(text) if text in texts else 0 for text in second.texts], dtype=np.uint8)
    return Spacing(
        gaps=np.concatenate([first.gaps, moved[second.gaps]]),
        texts=tuple(texts),
        written=first.written.followed_by(second.written, size),
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


def _write_layer(data: Path, name: str, layer: Layer) -> None:
    np.save(data / f"{name}.codes.npy", layer.codes)
    _write_vocabulary(data, name, layer.vocabulary)
    frequencies = np.zeros(len(layer.vocabulary), dtype=np.int64)
    _count(layer.codes, frequencies)
    begins = np.concatenate([[0], np.cumsum(frequencies)])
    np.save(data / f"{name}.begins.npy", begins)
    size = int(begins[-1])
    postings = np.lib.format.open_memmap(data / f"{name}.postings.npy", mode="w+", dtype=np.int32, shape=(size,))
    _post(layer.codes, begins[:-1].copy(), postings)
    postings.flush()


def _write_vocabulary(data: Path, name: str, vocabulary: Vocabulary) -> None:
    if np.count_nonzero(vocabulary.text == ord("\n")) != len(vocabulary):
        raise InvalidInputError("A token holds a line break, which an index cannot keep.")
    for part in ("text", "offsets", "order"):
        np.save(data / f"{name}.{part}.npy", getattr(vocabulary, part))


def _write_lower(data: Path, form: Layer) -> None:
    vocabulary, merged = form.vocabulary.lowered
    _write_vocabulary(data, LOWER, vocabulary)
    np.save(data / f"{LOWER}.merged.npy", merged)


def _write_rest(data: Path, corpus: Corpus) -> None:
    documents, spacing = corpus.documents, corpus.spacing
    np.save(data / "sentences.npy", corpus.sentences)
    np.save(data / "documents.npy", documents.starts)
    names = {"names": documents.names, "metadata": dict(documents.metadata)}
    (data / "documents.json").write_text(json.dumps(names, ensure_ascii=False), "utf-8")
    if corpus.heads is not None:
        np.save(data / "heads.npy", corpus.heads)
    np.save(data / "gaps.npy", _single_spaces(corpus) if spacing.gaps is None else spacing.gaps)
    np.save(data / "written.positions.npy", spacing.written.positions)
    np.save(data / "written.codes.npy", spacing.written.codes)
    spaces = {"texts": spacing.texts, "written": list(spacing.written.texts)}
    (data / "spacing.json").write_text(json.dumps(spaces, ensure_ascii=False), "utf-8")
    for name, regions in corpus.regions.items():
        np.save(data / f"region.{name}.npy", np.stack([regions.starts, regions.ends]))
        attributes = {key: list(texts) for key, texts in regions.attributes.items()}
        (data / f"region.{name}.json").write_text(json.dumps(attributes, ensure_ascii=False), "utf-8")


def _single_spaces(corpus: Corpus) -> NDArray[np.uint8]:
    """A space before every token but the first of a sentence."""
    border = ~corpus.is_token
    gaps = border.astype(np.uint8)
    gaps[1:] |= border[:-1]
    gaps[:1] = 1
    return gaps


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
