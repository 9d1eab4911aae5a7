"""Settings, memory and progress of a Spark session, without one."""

from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from concurrence.cli.spark import parse_bytes
from concurrence.core.errors import InvalidInputError
from concurrence.core.system import machine_memory
from concurrence.counting.spark import session as spark_session
from concurrence.counting.spark.session import Cluster, default_settings


def cluster(master, **settings):
    return Cluster(folder=Path(), master=master, settings=settings)


@pytest.mark.parametrize(("memory", "share"), [(64 << 30, "8192m"), (8 << 30, "2048m"), (1 << 30, "1024m")])
def test_java_gets_a_share_of_the_memory_of_this_machine(memory, share, monkeypatch):
    monkeypatch.setattr(spark_session, "machine_memory", lambda: memory)
    assert default_settings(cluster("local[2]"))["spark.driver.memory"] == share
    assert default_settings(cluster(None))["spark.driver.memory"] == share


def test_what_the_user_sets_holds_and_a_cluster_has_its_own_memory(monkeypatch):
    own = cluster("local", **{"spark.driver.memory": "3g"})
    assert default_settings(own)["spark.driver.memory"] == "3g"
    away = cluster("spark://elsewhere:7077")
    assert "spark.driver.memory" not in default_settings(away)
    assert away.memory_setting == "spark.executor.memory"
    monkeypatch.setattr(spark_session, "machine_memory", lambda: None)
    assert "spark.driver.memory" not in default_settings(cluster("local"))


def test_the_memory_of_this_machine_is_known_or_nothing():
    memory = machine_memory()
    assert memory is None or memory > 1 << 28


@pytest.mark.parametrize("wrong", ["", "16", "x", "16q", "0m", "1.5m"])
def test_sizes_are_written_as_spark_writes_them(wrong):
    assert parse_bytes("16M", "s") == parse_bytes("16mb", "s") == 1 << 24
    if wrong != "16":
        with pytest.raises(InvalidInputError, match="such as 16m"):
            parse_bytes(wrong, "s")


def test_each_stage_has_its_own_progress():
    seen, over = [], Event()
    states = iter([(), (3,), (3,), (), (7, 5), (9,)])

    def stages():
        state = next(states, None)
        if state is None:
            over.set()
        return state or ()

    @contextmanager
    def stage(name):
        yield lambda done, total: seen.append((name, done, total))

    tracker = SimpleNamespace(
        getActiveStageIds=stages, getStageInfo=lambda at: SimpleNamespace(numCompletedTasks=at, numTasks=10)
    )
    spark_session.SECONDS_BETWEEN_LOOKS, before = 0.001, spark_session.SECONDS_BETWEEN_LOOKS
    try:
        spark_session._watch(tracker, ["counting", "adding up"], stage, over)
    finally:
        spark_session.SECONDS_BETWEEN_LOOKS = before
    assert seen == [("counting", 3, 10), ("counting", 3, 10), ("adding up", 7, 10), ("adding up", 9, 10)]
