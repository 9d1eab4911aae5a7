"""A Spark cluster of real processes: a worker that is killed in the middle, and a driver that dies."""

import os
import signal

import psutil
import pytest

from clusters import Standalone, needs_java
from concurrence import read_corpus
from concurrence.corpus.splits import SplitReader, cut_splits, plan_splits
from concurrence.counting import Counting, count

pytestmark = needs_java

LINES = "".join(f"a{k % 7} b{k % 5} c{k % 3} d{k % 11}\n" for k in range(2000))
SETTINGS = {
    "spark.executor.memory": "512m",
    "spark.driver.memory": "512m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(LINES)
    return path


def executor_of_this_task():
    """From a Python worker: the daemon that made it, the executor above that, and whoever started the executor."""
    executor = psutil.Process().parent()
    while "java" not in executor.name():
        executor = executor.parent()
    return executor


def test_a_worker_is_killed_in_the_middle_and_the_rows_are_the_same(corpus, tmp_path):
    from concurrence.counting.spark import SplitParts, count_with_spark
    from concurrence.counting.spark_session import Cluster, session

    how = Counting(rule="window-pairs:2")
    read, killed = SplitReader(attributes=how.needed_attributes()), tmp_path / "killed"
    splits = cut_splits(plan_splits([str(corpus)], format_=None, encoding="utf-8"), 4000)

    def read_and_kill(split):
        if splits.index(split) >= len(splits) // 2:
            try:
                os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return read(split)
            executor = executor_of_this_task()
            worker = executor.parent()
            killed.write_text(f"{worker.pid}")
            worker.kill()
            executor.kill()
            signal.pause()  # the executor is gone, and this process goes with it
        return read(split)

    with Standalone(tmp_path) as standalone:
        cluster = Cluster(folder=tmp_path, master=standalone.master, settings=SETTINGS)
        with session(cluster) as spark:
            parts = SplitParts(splits=splits, files=(str(corpus),), n_bytes=corpus.stat().st_size)
            there = count_with_spark(spark, parts, how, read_and_kill, cluster)
        alive = [process.poll() is None for process in standalone.processes]
        assert int(killed.read_text()) in [process.pid for process in standalone.processes]
    assert sorted(alive) == [False, True, True]
    here = count(read_corpus(corpus), how)
    assert there.pairs().table.rows() == here.pairs().table.rows()
    assert there.counted.tokens == here.counted.tokens


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
    assert "Traceback" not in done.err
    assert not output.exists()
    assert [path.name for path in tmp_path.glob(".*")] == []
