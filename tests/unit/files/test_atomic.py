"""A file is the old one or the whole new one, whatever happens."""

import errno
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from concurrence.core import InvalidInputError
from concurrence.files.atomic import replacing


def test_the_new_file_takes_the_place_of_the_old(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_text("old")
    with replacing(path) as temporary:
        assert temporary.name.endswith("a.csv.gz")
        assert temporary.parent == tmp_path
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_an_ordinary_file(tmp_path):
    mask = os.umask(0o027)
    try:
        with replacing(tmp_path / "a") as temporary:
            temporary.write_text("x")
    finally:
        os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_stays_behind_after_an_error(tmp_path, error):
    path = tmp_path / "a"
    path.write_text("old")

    def interrupted():
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_a_sentence(tmp_path):
    def full():
        with replacing(tmp_path / "a"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(InvalidInputError, match="a cannot be written: No space left on device"):
        full()
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path):
    for path, words in (
        (tmp_path / "no" / "a", "does not exist"),
        (tmp_path, "is a folder"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ):
        with pytest.raises(InvalidInputError, match=words), replacing(path):
            pass


def test_killed_in_the_middle(tmp_path):
    """Even a signal that cannot be caught leaves no half file under the name."""
    path = tmp_path / "a.csv"
    path.write_text("old")
    program = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from concurrence.files.atomic import replacing
        with replacing(Path(sys.argv[1])) as temporary:
            temporary.write_text("half")
            print("writing", flush=True)
            time.sleep(60)
        """
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGKILL)
    assert path.read_text() == "old"
