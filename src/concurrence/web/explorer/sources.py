"""Opening the indexes and lists that the explorer shows."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import polars as pl

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.judgements import Judgements
from concurrence.core.sentences import count_noun
from concurrence.corpus.index import is_index, open_index
from concurrence.files.pairs.formats import key_columns, read_candidates
from concurrence.files.pairs.samples import read_sample
from concurrence.files.tables.formats import read_table
from concurrence.files.tables.sheets import row_place
from concurrence.files.tables.text import FORMATS, read_bytes, table_ending
from concurrence.kernels.verdicts import judgements_from_table
from concurrence.web.explorer.corpus import ExplorerCorpus
from concurrence.web.explorer.lists import ExplorerList, open_list


@dataclass(frozen=True, kw_only=True, eq=False)
class ExplorerSources:
    """The corpora and lists that the explorer shows; their names are unique."""

    corpora: tuple[ExplorerCorpus, ...] = ()
    lists: tuple[ExplorerList, ...] = ()

    def corpus(self, name: str) -> ExplorerCorpus:
        """The corpus of a name; the first one without."""
        return _named("corpus", name, self.corpora)

    def list(self, name: str) -> ExplorerList:
        """The list of a name; the first one without."""
        return _named("list", name, self.lists)


T = TypeVar("T", ExplorerCorpus, ExplorerList)


def _named(kind: str, name: str, sources: tuple[T, ...]) -> T:
    if not sources:
        raise InvalidInputError(f"The explorer was started without a {kind}.")
    for one in sources:
        if name in ("", one.name):
            return one
    raise UnknownNameError(kind, name, [one.name for one in sources])


def open_sources(
    paths: Sequence[Path],
    *,
    gold: Sequence[Path] = (),
    samples: Sequence[Path] = (),
    measures: Sequence[str] = (),
    key: Sequence[str] | None = None,
    seed: int = 0,
    tell: Callable[[str], None] | None = None,
) -> ExplorerSources:
    """Open indexes and read lists; ``tell`` says what was opened."""
    say = tell or (lambda _: None)
    folders, files = [path for path in paths if path.is_dir()], [path for path in paths if not path.is_dir()]
    _refuse_others(folders, files)
    for option, given in (("--gold", gold), ("--sample", samples)):
        if len(given) not in (0, len(files)):
            raise InvalidInputError(
                f"There are {count_noun(len(files), 'list')} and {count_noun(len(given), f'{option} file')}; "
                "give one for each list, in the same order, or none."
            )
    if samples and not gold:
        raise InvalidInputError("A --sample is of use together with the judgements of its candidates; add --gold.")
    corpora = []
    for name, folder in _names(folders).items():
        corpora.append(ExplorerCorpus(name=name, path=str(folder), corpus=open_index(folder)))
        say(f"{name}: {corpora[-1].size}")
    lists = []
    for k, (name, path) in enumerate(_names(files).items()):
        beside = (gold[k] if gold else None, samples[k] if samples else None)
        lists.append(_list(name, path, beside, measures, key, seed, say))
    return ExplorerSources(corpora=tuple(corpora), lists=tuple(lists))


def _refuse_others(folders: Sequence[Path], files: Sequence[Path]) -> None:
    for folder in folders:
        if not is_index(folder):
            raise InvalidInputError(f"{folder} is no index; make one with concur index {folder} -o INDEX.")
    for path in files:
        if not path.exists():
            raise InvalidInputError(f"{path} does not exist.")
        if table_ending(path) not in FORMATS:
            raise _no_source(path)


def _no_source(path: Path) -> InvalidInputError:
    return InvalidInputError(
        f"{path} is neither an index nor a table of scores; of a corpus, make an index with concur index."
    )


def _candidates(path: Path, key: Sequence[str] | None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Read a list; text whose first line names none of its columns is a corpus."""
    try:
        return read_candidates(path, key=key)
    except InvalidInputError as error:
        if path.name.lower().removesuffix(".gz").endswith(".txt") and not _has_heading(path, key):
            raise _no_source(path) from error
        raise


def _has_heading(path: Path, key: Sequence[str] | None) -> bool:
    first = read_bytes(path).partition(b"\n")[0].decode("utf-8", "replace")
    names = {name.strip(' "\ufeff\r') for name in re.split(r"[\t,;]", first)}
    return bool(names & {*key_columns(path, key)})


def _names(paths: Sequence[Path]) -> dict[str, Path]:
    """A short name for each path, or the whole where two share it."""
    short = [path.name.split(".")[0] for path in paths]
    return {name if short.count(name) == 1 else str(path): path for name, path in zip(short, paths, strict=True)}


def _list(
    name: str,
    path: Path,
    beside: tuple[Path | None, Path | None],
    measures: Sequence[str],
    key: Sequence[str] | None,
    seed: int,
    tell: Callable[[str], None],
) -> ExplorerList:
    gold, drawn = beside
    sample = None if drawn is None else read_sample(drawn)
    table, keys = _candidates(path, key)
    tell(f"{name}: putting {count_noun(len(table), 'candidate')} in order …")
    judged: Judgements | None = None
    if gold is not None:
        judged = judgements_from_table(read_table(gold), table.select(keys), place=partial(row_place, gold))
    explored = open_list(name, path, table, keys, measures, judgements=judged, sample=sample, paths=beside, seed=seed)
    judgements = f", {count_noun(int(judged.judged.sum()), 'judgement')}" if judged is not None else ""
    tell(f"{name}: {count_noun(len(explored.measures), 'measure')}{judgements}.")
    return explored
