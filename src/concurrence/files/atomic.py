"""Writing that leaves either the old file or the whole new one."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from concurrence.core.errors import InvalidInputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path`` that takes its place when all went well.

    Whatever happens inside, ``path`` is never seen half-written, and no temporary file stays behind. The
    endings are kept, so that writers which look at them still know the format.
    """
    path = Path(path)
    try:
        if not path.parent.is_dir():
            raise InvalidInputError(f"{path}: the folder {path.parent} does not exist; make it first.")
        if path.is_dir():
            raise InvalidInputError(f"{path} is a folder; name a file in it.")
        handle, name = tempfile.mkstemp(prefix=".", suffix=f".part-{path.name}", dir=path.parent)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be written: {error.strerror}.") from error
    os.close(handle)
    temporary = Path(name)
    try:
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
