"""The Pythons of this machine that can run the project."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST, BEYOND = 11, 20
# Debian has interpreters that cannot make environments, and shims may stand for versions that are switched off.
PROBE = "import ensurepip, sys, venv; print(*sys.version_info[:3], sys.version_info.releaselevel)"


def pythons() -> dict[tuple[int, ...], str]:
    """All interpreters from 3.11 on, oldest version first."""
    return dict(sorted((version, path) for path in _candidates() if (version := _version(path))))


def ends() -> dict[tuple[int, ...], str]:
    """The oldest and the newest of them, which may be the same."""
    interpreters = pythons()
    return {version: interpreters[version] for version in (min(interpreters), max(interpreters))}


def _candidates() -> Iterator[str]:
    """Interpreters by name: this one, those on the path, and those that pyenv keeps."""
    yield getattr(sys, "_base_executable", sys.executable)
    kept = _pyenv_folder()
    for minor in range(OLDEST, BEYOND):
        name = f"python3.{minor}"
        yield from (path for folder in os.get_exec_path() if (path := shutil.which(name, path=folder)))
        yield from sorted(map(str, kept.glob(f"versions/*/bin/{name}"))) if kept else ()


def _pyenv_folder() -> Path | None:
    if shutil.which("pyenv") is None:
        return None
    done = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()) if done.returncode == 0 else None


def _version(path: str) -> tuple[int, ...] | None:
    """The version of an interpreter, or nothing where it does not start, is too old, or is not released yet."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False, env=plain)
    except OSError:
        return None
    *numbers, level = done.stdout.split() or [""]
    version = tuple(map(int, numbers))
    return version if done.returncode == 0 and level == "final" and version >= (3, OLDEST) else None


if __name__ == "__main__":
    for version, path in pythons().items():
        print(".".join(map(str, version)), path)
