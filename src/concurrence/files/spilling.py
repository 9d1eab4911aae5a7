"""Folders for what does not fit into memory; they go with the process that made them.

A folder holds a lock as long as its process lives. One that a killed process left behind has none: it is
never read, and removed the next time somebody needs such a folder.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from concurrence.core.errors import InvalidInputError

PREFIX = ".concur-spill-"
LOCK = "lock"


@contextmanager
def spill_folder(parent: Path | None = None) -> Iterator[Path]:
    """Give an empty folder that is gone afterwards."""
    where = Path(tempfile.gettempdir()) if parent is None else parent
    sweep(where)
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{PREFIX}new-", dir=where))
        lock = os.open(made / LOCK, os.O_CREAT | os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError as error:
        raise InvalidInputError(f"{where}: no folder for spilling can be made here: {error.strerror}.") from error
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def sweep(parent: Path) -> None:
    """Remove the folders of processes that are no more."""
    for folder in parent.glob(f"{PREFIX}*"):
        try:
            lock = os.open(folder / LOCK, os.O_RDWR)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(lock)
