"""Writing that leaves either the old file or the whole new one."""

import errno
import fcntl
import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from concurrence.core.errors import InvalidInputError

FRESH = 5.0


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
        _sweep(path)
        handle, name = tempfile.mkstemp(prefix=".", suffix=f".part-{path.name}", dir=path.parent)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be written: {error.strerror}.") from error
    temporary = Path(name)
    try:
        _lock(handle)
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InvalidInputError(f"{path} cannot be written: {error.strerror}.") from error
        raise
    finally:
        temporary.unlink(missing_ok=True)
        os.close(handle)


def _lock(handle: int) -> bool:
    """Mark a file as being written, as long as this process lives; whether nobody else had marked it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(path: Path) -> None:
    """Remove what processes that were killed while they wrote ``path`` left behind."""
    for left in path.parent.glob(f".*.part-{glob.escape(path.name)}"):
        # One that was only just made may not be marked yet.
        if time.time() - left.stat().st_mtime < FRESH:
            continue
        handle = os.open(left, os.O_RDWR)
        if _lock(handle):
            left.unlink(missing_ok=True)
        os.close(handle)


def refuse_unwritable(path: Path) -> None:
    """Refuse a place where no file can be, before any work is done for it."""
    if str(path) == "-":
        raise InvalidInputError("- is standard input; name a file to write to, or print with --json.")
    if not path.parent.is_dir():
        raise InvalidInputError(f"{path}: the folder {path.parent} does not exist; make it first.")
    if path.is_dir():
        raise InvalidInputError(f"{path} is a folder; name a file in it.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
