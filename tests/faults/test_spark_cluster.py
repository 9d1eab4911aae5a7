"""A Spark cluster of real processes: a worker that is killed in the middle, and a driver that dies."""

import os
import subprocess
import sys

import polars as pl
import pytest

from concurrence import read_corpus
from concurrence.counting.count import count_to_rows
from support.clusters import HOW, Standalone, needs_java

pytestmark = needs_java

LINES = "".join(f"a{k % 7} b{k % 5} c{k % 3} d{k % 11}\n" for k in range(2000))


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(LINES)
    return path


PROGRAM = """
import sys
from pathlib import Path
from support.clusters import count_and_kill
count_and_kill(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
"""


@pytest.mark.thorough
def test_a_worker_is_killed_in_the_middle_and_the_rows_are_the_same(corpus, tmp_path):
    with Standalone(tmp_path) as standalone:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        command = [sys.executable, "-c", PROGRAM, str(corpus), str(tmp_path), standalone.master]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        alive = [process.poll() is None for process in standalone.processes]
        assert int((tmp_path / "killed").read_text()) in [process.pid for process in standalone.processes]
    assert sorted(alive) == [False, True, True]
    here = count_to_rows(read_corpus(corpus), HOW)
    assert pl.read_parquet(tmp_path / "there.parquet").rows() == here.pairs().table.rows()
    assert int(done.stdout) == here.counted.tokens


def test_a_driver_that_dies_is_one_sentence(corpus, concur_process, tmp_path):
    """The interpreter of the workers kills the Java process that starts it."""
    killer = tmp_path / "python"
    killer.write_text("#!/bin/sh\nkill -9 $PPID\n")
    killer.chmod(0o755)
    output = tmp_path / "pairs.csv"
    done = concur_process(
        *("pairs", corpus, "--engine", "spark", "--master", "local[1]", "-o", output),
        *("--spark-conf", "spark.driver.memory=512m"),
        env={**os.environ, "PYSPARK_PYTHON": str(killer), "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert done.code == 2
    last = done.err.strip().splitlines()[-1]
    assert last.startswith("concur: Spark's driver (its Java process) died. ")
    assert "--spark-conf spark.driver.memory=" in last
    assert "Traceback" not in done.err, done.err
    assert not output.exists()
    assert [path.name for path in tmp_path.glob(".*")] == []
