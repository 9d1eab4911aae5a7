"""Fixtures that tests of several rooms use."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from support.examples import USUAL
from support.expect import BESIDE, DATA_SETS, left_out
from support.parts import left_out_for_parts, missing_part, must_be_complete

LEFT_OUT = "data set left out"
PART_MISSING = "part missing"

# The same examples in every run: a change is what makes a test fail. --hypothesis-profile=search draws new ones.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
settings.register_profile("default", patient, max_examples=25, derandomize=True)
settings.register_profile("thorough", patient, max_examples=USUAL, derandomize=True)
settings.register_profile("quick", patient, max_examples=10, derandomize=True)
settings.register_profile("search", patient, max_examples=1000)
settings.load_profile("default")

# What a shell or a CI service may set for everybody would change what is printed, and where campaigns are kept.
for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "CONCURRENCE_DB", "CONCURRENCE_SECRET_FILE"):
    os.environ.pop(name, None)


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def data_set(record_property):
    """The file of a data set that others made: ``data_set("labels/pandalm.csv")``; without it the test is left out."""

    def path(name):
        file = BESIDE / name
        if not file.is_file():
            record_property(LEFT_OUT, name)
            pytest.skip(f"needs {name} ({DATA_SETS[name]}), which is not beside the project")
        return file

    return path


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for examples in the modules that tests share, not in hundreds of modules of tests, which have none."""
    collectors = yield
    of_tests = file_path.name.startswith("test_")
    return [one for one in collectors if not (of_tests and isinstance(one, DoctestModule))]


@pytest.hookimpl(tryfirst=True)  # before fixtures start what is not there
def pytest_runtest_setup(item):
    """Leave a test out whose part is not installed; in CI that is an error."""
    part = missing_part([marker.name for marker in item.iter_markers()])
    if part is None:
        return
    if must_be_complete():
        pytest.fail(f"{part} is not installed; with CI=true every test must run", pytrace=False)
    item.user_properties.append((PART_MISSING, part))
    pytest.skip(f"needs {part}, which is not installed")


@pytest.hookimpl(wrapper=True, tryfirst=True)  # after what others have to say
def pytest_terminal_summary(terminalreporter):
    """Say how many tests were left out for want of which data sets and which parts."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    wants = [(key, value, report.location[0]) for report in skipped for key, value in report.user_properties]
    if names := [value for key, value, _ in wants if key == LEFT_OUT]:
        terminalreporter.write_line(left_out(names))
    for line in left_out_for_parts([(value, file) for key, value, file in wants if key == PART_MISSING]):
        terminalreporter.write_line(line)


@pytest.fixture
def concur(capsys):
    """Run a command in this process: ``concur("agree", path, "--json").json``."""
    from concurrence.cli.app import main

    def run(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Finished(stopped.value.code or 0, captured.out, captured.err)

    return run


@pytest.fixture
def concur_process():
    """Run a command as its own process, as a user would."""

    def run(*arguments, **options):
        command = [sys.executable, "-m", "concurrence", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)
        return Finished(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def postgres():
    """A real PostgreSQL server of our own; ``postgres.new_database()`` gives the address of an empty database."""
    import shutil

    from support.servers import Postgres, postgres_folder

    folder = postgres_folder()
    server = Postgres(folder).create().start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)
