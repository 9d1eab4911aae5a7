"""Any laptop: what macOS or Windows lacks is not needed to read, count, write and serve."""

import os
import pkgutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

import concurrence
from concurrence.core import system
from concurrence.files.atomic import replacing
from concurrence.files.spill import spill_folder
from support.thorough import always

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(concurrence.__path__, "concurrence.")
    if not module.name.endswith("__main__") and ".migrations." not in module.name
)

# The standard library and other packages ask for some of these names at their own import, as is right on this system.
ELSEWHERE = """
import asyncio, importlib, os, multiprocessing, ssl, sys, sysconfig
for name in ("alembic.command", "alembic.runtime.migration", "click", "fastapi", "fastexcel", "jinja2",
             "latex2mathml.converter", "markdown_it", "nh3", "numba", "numpy", "polars", "psycopg", "pyspark.sql",
             "rapidfuzz", "rich.console", "scipy.optimize", "scipy.special", "scipy.stats", "sentencex",
             "sqlalchemy.dialects.sqlite", "starlette.testclient", "uvicorn", "vl_convert"):
    importlib.import_module(name)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("sched_getaffinity", "fork", "getuid", "geteuid", "fchmod", "register_at_fork", "uname"):
    if hasattr(os, name):
        delattr(os, name)
"""


PROGRAM = """
from pathlib import Path
from starlette.testclient import TestClient
folder, *modules = sys.argv[1:]
for name in modules:
    importlib.import_module(name)

import concurrence
from concurrence.annotation.database.store import Store
from concurrence.cli.app import main
from concurrence.core import system
from concurrence.web.app import create_app
from concurrence.web.settings import Settings

os.chdir(folder)
print(system.fcntl, system.usable_cores() >= 1)
print(concurrence.read_labels("labels.csv").n_labels)
sys.argv = ["concur", "pairs", "corpus.txt", "--max-memory", "250MB", "-o", "pairs.csv", "--json"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(concurrence.read_pairs("pairs.csv").table.row(0)[:3])
with Store(Path("campaigns.db")) as store, TestClient(create_app(store, Settings(secret=b"s" * 32))) as client:
    print(client.get("/").status_code, client.get("/api/openapi.json").status_code)
print(*sorted(path.name for path in Path().iterdir()))
"""


def test_importing_reading_counting_writing_and_serving(tmp_path):
    pytest.importorskip("pyspark")  # imports every module, those for Spark too
    (tmp_path / "labels.csv").write_text("item,coder,label\n1,a,x\n1,b,y\n")
    (tmp_path / "corpus.txt").write_text("a rose is a rose\n" * 3)
    command = [sys.executable, "-c", ELSEWHERE + PROGRAM, str(tmp_path), *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names, labels, *_, pair, served, files = done.stdout.splitlines()
    assert (names, labels, pair, served) == ("None True", "2", "('a', 'rose', 6)", "200 200")
    assert files == "campaigns.db corpus.txt labels.csv pairs.csv pairs.csv.meta.json"


@pytest.mark.parametrize("encoding", always("cp1252", of=["cp1252", "ascii", "utf-8"]))
def test_output_is_utf8_whatever_the_system_writes(tmp_path, encoding):
    table = tmp_path / "tableau_β.csv"
    table.write_text(",χ,β\nχ,40,15\nβ,20,25\n", "utf-8")
    command = [sys.executable, "-m", "concurrence", "agree", str(table), "--table"]
    said = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, env=said, check=False)
    assert done.returncode == 0, done.stderr
    assert "χ" in done.stdout.decode("utf-8")
    lost = subprocess.run([*command[:-2], str(tmp_path / "χ.csv")], capture_output=True, env=said, check=False)
    assert "χ.csv does not exist" in lost.stderr.decode("utf-8")


@pytest.fixture(params=["Windows", "no locks"])
def other_system(request, monkeypatch):
    """A system without fcntl; that of Windows locks one byte, which only one may hold."""
    held = set()

    def locking(handle, mode, size):
        file = os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR)
        if file in held:
            raise PermissionError(13, "Permission denied")
        held.add(file)

    monkeypatch.setattr(system, "fcntl", None)
    windows = SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setattr(system, "msvcrt", windows if request.param == "Windows" else None)
    return request.param


def test_locks_of_other_systems(other_system, tmp_path):
    with (tmp_path / "a").open("wb") as first, (tmp_path / "a").open("rb") as second:
        assert system.lock(first.fileno()) == (other_system == "Windows")
        assert not system.lock(second.fileno())


@pytest.mark.usefixtures("other_system")
def test_files_and_folders_on_other_systems(tmp_path):
    left = tmp_path / ".abc.part-a.csv"
    left.write_text("half")
    os.utime(left, (1, 1))
    with replacing(tmp_path / "a.csv") as temporary:
        temporary.write_text("whole")
    assert (tmp_path / "a.csv").read_text() == "whole"
    with spill_folder(tmp_path) as first:
        with spill_folder(tmp_path) as second:
            assert first.is_dir()
        assert not second.exists()
    assert not first.exists()


def test_cores_where_the_system_does_not_say(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert system.usable_cores() == 1
