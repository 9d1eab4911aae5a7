"""Frames: those of other libraries as ours, rows as a frame, and what polars cannot do in a forked process.

Polars computes with threads, and threads do not live on in a fork: a process that is forked after polars has computed
would wait for them forever. What computes with polars refuses there and names the way out. Before polars has computed,
a fork is as good as any other process.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    import polars as pl


THREADS = Path("/proc/self/task")
WORKER = re.compile(rb"polars-\d")


class _Process:
    """Whether polars has threads at the moment of a fork, and whether this process lost them in one."""

    has_threads = False
    lost_threads = False


def watch_forks() -> None:
    """Look from now on at every fork of this process."""
    if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
        os.register_at_fork(before=_look_for_threads, after_in_child=_lose_threads)


def refuse_in_fork() -> None:
    """Refuse to compute in a process that would wait for threads it does not have."""
    if _Process.lost_threads:
        raise InvalidInputError(
            "This process was forked after polars had started its threads, which do not live on in a fork; start "
            'worker processes with multiprocessing.get_context("spawn") (or "forkserver").'
        )


def _look_for_threads() -> None:
    """The threads of polars bear its name; where none can be listed, they may have been started with it."""
    _Process.has_threads = "polars" in sys.modules and (not THREADS.is_dir() or any(map(_is_worker, THREADS.iterdir())))


def _lose_threads() -> None:
    _Process.lost_threads |= _Process.has_threads


def _is_worker(task: Path) -> bool:
    try:
        return WORKER.match((task / "comm").read_bytes()) is not None
    except OSError:  # it has ended meanwhile
        return False


def frame_of(foreign: Any) -> "pl.DataFrame":
    """A frame of any library as one of polars; frames of pandas do not need pyarrow.

    A column of pandas with words among numbers becomes text.
    """
    refuse_in_fork()
    import polars as pl

    from concurrence.core.cells import of_one_kind

    if type(foreign).__module__.partition(".")[0] != "pandas":
        return pl.DataFrame(foreign)
    if find_spec("pyarrow") is not None:
        try:
            return pl.DataFrame(foreign)
        except (TypeError, ValueError):  # pyarrow takes one type per column
            pass
    columns = [foreign.iloc[:, place] for place in range(foreign.shape[1])]
    lists = [column.astype(object).where(column.notna(), None).tolist() for column in columns]
    return pl.DataFrame(
        [pl.Series(str(column.name), of_one_kind(cells)) for column, cells in zip(columns, lists, strict=True)]
    )


def rows_as_frame(rows: Iterable[Mapping[str, Any]]) -> "pl.DataFrame":
    """Rows with a key per column as a table (polars); a column with words among numbers becomes text."""
    import polars as pl

    from concurrence.core.cells import of_one_kind

    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {str(name): of_one_kind([row.get(name) for row in rows]) for name in names}
    return pl.DataFrame([pl.Series(name, cells, strict=False) for name, cells in columns.items()])


def require_columns(frame: "pl.DataFrame", names: Iterable[str], source: Any) -> None:
    """Refuse a table that lacks a column, naming the ones it has; ``source`` is what messages call the table."""
    for name in names:
        if name not in frame.columns:
            raise InvalidInputError(f"{source} has no column {name!r}; its columns are {', '.join(frame.columns)}.")
