"""The sdist has all it takes to make the wheel, and the wheel has every file of the package."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "concurrence"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel made from the sdist, as an installer makes it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_has_every_file_of_the_package(wheel):
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    ours = {f"concurrence/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in files}
    assert {"concurrence/report/references.bib", "concurrence/web/templates/join.html"} <= ours.keys()
    assert {name: data for name, data in wheel.items() if name.startswith("concurrence/")} == ours
