"""What differs between operating systems: locks on files, usable cores, memory, file modes.

Nothing else in the package asks which system it runs on.
"""

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

BEYOND_ANY_TABLE = 1 << 40
"""Windows forbids others to touch a locked byte, so the one that is locked lies where no file has any."""


fcntl: Any = None
msvcrt: Any = None
with suppress(ImportError):
    fcntl = import_module("fcntl")
with suppress(ImportError):
    msvcrt = import_module("msvcrt")


def lock(handle: int) -> bool:
    """Lock an open file as long as this process keeps it open; whether nobody else holds it.

    Where the system has no locks, the answer is no: what may be in use is never taken for abandoned.
    """
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            os.lseek(handle, BEYOND_ANY_TABLE, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            return False
    except OSError:
        return False
    return True


def usable_cores() -> int:
    """How many cores this process may use; all there are, where the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_memory() -> int | None:
    """The memory of this machine in bytes, or of the container this runs in; nothing where the system does not say."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    with suppress(OSError, ValueError):
        return min(whole, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return whole


def file_mode() -> int:
    """The permissions of an ordinary new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
