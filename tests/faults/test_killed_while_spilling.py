"""Killed in the middle of spilling, then run again: the right result, and nothing stale in it."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from concurrence import count_pairs, read_corpus, read_pairs
from concurrence.files.spill import LOCK, spill_folder
from support.servers import PATIENCE


@pytest.fixture
def corpus(tmp_path):
    path, words = tmp_path / "corpus.txt", random.Random(1)
    lines = (" ".join(f"w{words.randrange(50_000)}" for _ in range(30)) for _ in range(12_000))
    path.write_text("\n".join(lines) + "\n")
    return path


def start(corpus, out):
    options = ["--rule", "window-pairs:10", "--max-memory", "250MB", "-o", str(out)]
    command = [sys.executable, "-m", "concurrence", "pairs", str(corpus), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for(condition, process):
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, "it ended before it spilled"
        assert time.monotonic() < give_up
        time.sleep(0.002)


def test_sigkill_while_spilling(corpus, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    process = start(corpus, out / "pairs.parquet")
    wait_for(lambda: list(out.glob(".concur-spill-*/*.run")), process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (out / "pairs.parquet").exists()
    stale = list(out.glob(".concur-spill-*"))
    assert stale

    again = start(corpus, out / "pairs.parquet")
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    expected = count_pairs(read_corpus(corpus), rule="window-pairs:10").table
    assert read_pairs(out / "pairs.parquet").table.equals(expected)
    assert [path.name for path in out.iterdir()] == ["pairs.parquet"]


def test_interrupted_runs_clean_up(corpus, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    process = start(corpus, out / "pairs.parquet")
    wait_for(lambda: list(out.glob(".concur-spill-*/*.run")), process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode not in (0, 1)
    assert list(out.iterdir()) == []


def test_folders_of_living_processes_are_left_alone(tmp_path):
    with spill_folder(tmp_path) as first:
        with spill_folder(tmp_path) as second:
            assert first.is_dir()
            assert second.is_dir()
        assert not second.exists()
    dead = tmp_path / ".concur-spill-dead"
    dead.mkdir()
    (dead / LOCK).touch()
    with spill_folder(tmp_path):
        assert not dead.exists()


def test_what_a_killed_writer_left_is_removed(tmp_path):
    from concurrence.files.atomic import replacing

    left = tmp_path / ".abc.part-pairs.csv"
    left.write_text("half")
    os.utime(left, (1, 1))
    with replacing(tmp_path / "pairs.csv") as temporary:
        temporary.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]
