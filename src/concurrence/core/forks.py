"""Forked processes: polars computes with threads, and threads do not live on in a fork.

A process that is forked after polars has computed would wait for them forever. What computes with polars refuses there
and names the way out. Before polars has computed, a fork is as good as any other process.
"""

import os
import re
import sys
from pathlib import Path

from concurrence.core.errors import InvalidInputError

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
