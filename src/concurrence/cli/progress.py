"""One progress bar for all commands: on standard error, after a second, and only on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

PATIENCE = 1.0

Report = Callable[[int, int], None]
"""Told how much is done, and of how much (0 where nobody knows)."""


@contextmanager
def progress(label: str) -> Iterator[Report]:
    """Give a function to report progress to; the bar appears once a second has gone by.

    ``with progress("counting") as report: work(progress=report)``, and the work calls ``report(done, total)``.
    """
    if not sys.stderr.isatty():
        yield _say_nothing
        return
    with ExitStack() as stack:
        yield _after_patience(label, stack)


def _say_nothing(done: int, total: int) -> None:
    """Report to nobody: standard error is not a terminal."""


def _after_patience(label: str, stack: ExitStack) -> Report:
    start = time.monotonic()
    bars: list[Report] = []

    def report(done: int, total: int) -> None:
        if not bars and time.monotonic() - start >= PATIENCE:
            bars.append(_bar(label, stack))
        if bars:
            bars[0](done, total)

    return report


def _bar(label: str, stack: ExitStack) -> Report:
    from rich.console import Console
    from rich.progress import Progress

    bar = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
    task = bar.add_task(label, total=None)

    def update(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total or None)

    return update
