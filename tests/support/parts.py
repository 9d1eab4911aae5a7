"""Programs that some tests need and a machine may lack; a marker on a test names the part it needs."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# The shell is the same browser without windows; it opens a page in a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")  # not on everyone's path
POSTGRESQL = sorted(program.parent for program in Path("/usr/lib/postgresql").glob("*/bin/initdb"))


@dataclass(frozen=True)
class Part:
    """A program by the name people know, and whether this machine has it."""

    name: str
    is_there: Callable[[], bool]


PARTS = {
    "browser": Part("Chromium", lambda: CHROMIUM is not None),
    "postgres": Part("a PostgreSQL server", lambda: bool(POSTGRESQL)),
    "spark": Part("Java", lambda: shutil.which("java") is not None or "JAVA_HOME" in os.environ),
    "latex": Part("LaTeX", lambda: shutil.which("pdflatex") is not None),
    "nginx": Part("nginx", lambda: NGINX is not None),
    "openssl": Part("OpenSSL", lambda: shutil.which("openssl") is not None),
}


def missing_part(markers: Sequence[str]) -> str | None:
    """The first part that a test with these markers needs and this machine lacks."""
    names = (PARTS[marker].name for marker in markers if marker in PARTS and not PARTS[marker].is_there())
    return next(names, None)


def must_be_complete() -> bool:
    """Whether a missing part is an error: in CI nothing may be left out because somebody forgot to install it."""
    return os.environ.get("CI") == "true"


def left_out_for_parts(tests: Sequence[tuple[str, str]]) -> list[str]:
    """What the end of a run says of tests whose part is missing; each test as its part and its file.

    >>> left_out_for_parts([("Java", "b.py"), ("Java", "a.py"), ("LaTeX", "a.py"), ("Java", "b.py")])
    ['Left out: 3 tests that need Java, which is not installed: a.py (1), b.py (2).', \
'Left out: 1 test that needs LaTeX, which is not installed: a.py (1).']
    """
    lines = []
    for part in sorted({part for part, _ in tests}):
        files = Counter(file for name, file in tests if name == part)
        number = files.total()
        need = "1 test that needs" if number == 1 else f"{number} tests that need"
        places = ", ".join(f"{file} ({count})" for file, count in sorted(files.items()))
        lines.append(f"Left out: {need} {part}, which is not installed: {places}.")
    return lines
