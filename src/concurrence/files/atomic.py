"""Writing that leaves either the old file or the whole new one."""

import errno
import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.core.system import file_mode, lock

SECONDS_UNLOCKED = 5.0


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path`` that takes its place when all went well.

    Whatever happens inside, ``path`` is never seen half-written, and no temporary file stays behind; what a
    killed process left is removed the next time. The endings are kept, so that writers which look at them still
    know the format.
    """
    path = Path(path)
    try:
        refuse_unwritable(path)
        _remove_abandoned(path)
        handle, name = tempfile.mkstemp(prefix=".", suffix=f".part-{path.name}", dir=path.parent)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be written: {error.strerror}.") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "rb"):
            lock(handle)
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            temporary.chmod(file_mode())
            os.utime(temporary)
        # Windows renames and removes closed files only; one that was touched just now is swept by nobody.
        temporary.replace(path)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InvalidInputError(f"{path} cannot be written: {error.strerror}.") from error
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _remove_abandoned(path: Path) -> None:
    """Remove what processes that were killed while they wrote ``path`` left behind."""
    for remnant in path.parent.glob(f".*.part-{glob.escape(path.name)}"):
        with suppress(OSError):  # its writer may finish meanwhile
            # One that was only just made may not be locked yet.
            if time.time() - remnant.stat().st_mtime < SECONDS_UNLOCKED:
                continue
            with remnant.open("rb+") as file:
                abandoned = lock(file.fileno())
            if abandoned:
                remnant.unlink()


def refuse_unwritable(path: Path) -> None:
    """Refuse a place where no file can be, before any work is done for it."""
    if str(path) == "-":
        raise InvalidInputError("- is standard input; name a file to write to.")
    if not path.parent.is_dir():
        raise InvalidInputError(f"{path}: the folder {path.parent} does not exist; create it first.")
    if path.is_dir():
        raise InvalidInputError(f"{path} is a folder; name a file in it.")
