"""Folders for what does not fit into memory; they go with the process that made them.

A folder holds a lock as long as its process lives. One that a killed process left behind has none: it is
never read, and removed the next time somebody needs such a folder.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.core.system import lock

PREFIX = ".concur-spill-"
LOCK = "lock"


@contextmanager
def spill_folder(parent: Path | None = None) -> Iterator[Path]:
    """Give an empty folder that is gone afterwards."""
    parent_folder = Path(tempfile.gettempdir()) if parent is None else parent
    remove_abandoned_folders(parent_folder)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}new-", dir=parent_folder))
        handle = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR)
    except OSError as error:
        raise InvalidInputError(
            f"{parent_folder}: cannot create a folder for temporary files here: {error.strerror}."
        ) from error
    try:
        lock(handle)
        yield folder
    finally:
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned_folders(parent: Path) -> None:
    """Remove the folders of processes that have ended."""
    for folder in parent.glob(f"{PREFIX}*"):
        try:
            with (folder / LOCK).open("rb+") as file:
                abandoned = lock(file.fileno())
        except OSError:
            continue
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)
