"""Tables that were uploaded for a campaign that is not made yet: files of the server, for a few hours.

A draft belongs to one organiser. It ends when its campaign is made, when newer ones of hers come, or with the server;
nothing of it is in the database.
"""

import os
import secrets
import shutil
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from concurrence.web.desk.upload_jobs import UploadedFile
from concurrence.web.errors import Refusal

KEPT_SECONDS = 12 * 3600
MOST = 3  # of one organiser
PREFIX = "concurrence-drafts-"


def _remove_abandoned() -> None:
    """Remove the folders of servers of this user that were killed, or ended with the machine."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if os.name == "posix" and process.isdigit() and not _is_running(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True


@dataclass(slots=True)
class Draft:
    """An uploaded table, and the last preview of the campaign made of it."""

    id: str
    owner: int
    file: UploadedFile
    since: float
    part: str | None = None
    manual: str = ""
    questions: tuple[str, ...] = ()
    campaign: str = ""
    coder: str = ""


class Drafts:
    """All drafts of a server."""

    def __init__(self) -> None:
        self._drafts: dict[str, Draft] = {}
        self._folder: Path | None = None
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """Where uploaded files lie; only the server's user can read it."""
        with self._lock:
            if self._folder is None:
                _remove_abandoned()
                self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)  # though nobody closes it
            return self._folder

    def add(self, owner: int, file: UploadedFile) -> Draft:
        """Keep an uploaded file as a draft; the oldest of the same organiser gives way."""
        draft = Draft(id=secrets.token_urlsafe(16), owner=owner, file=file, since=time.monotonic())
        with self._lock:
            self._drafts[draft.id] = draft
            mine = sorted((one for one in self._drafts.values() if one.owner == owner), key=lambda one: one.since)
            late = [one for one in self._drafts.values() if one.since < time.monotonic() - KEPT_SECONDS]
        for old in {one.id for one in (*mine[:-MOST], *late)}:
            self.drop(old)
        return draft

    def find(self, owner: int, number: str) -> Draft:
        draft = self._drafts.get(number)
        if draft is None or draft.owner != owner:
            raise Refusal(404, "The uploaded table is no longer there; upload it again.")
        return draft

    def drop(self, number: str) -> None:
        with self._lock:
            draft = self._drafts.pop(number, None)
        if draft is not None:
            draft.file.path.unlink(missing_ok=True)

    def close(self) -> None:
        with self._lock:
            folder, self._folder = self._folder, None
            self._drafts.clear()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
