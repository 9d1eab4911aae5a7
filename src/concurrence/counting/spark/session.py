"""A Spark session for counting: its memory, its interpreter, its progress, and its failures in our words."""

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.core.system import machine_memory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUIET = {"spark.ui.showConsoleProgress": "false", "spark.ui.enabled": "false"}
MOVES_ONLY = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java only moves bytes here; to compile it well and to collect on all cores costs more than it saves."""
SHARE = 4
"""Java gets this part of the memory; the rest is for Python, which counts, and for the files that are read."""
LEAST, MOST = 1 << 30, 8 << 30
SPLIT_SETTING = "spark.sql.files.maxPartitionBytes"
SECONDS_BETWEEN_LOOKS = 0.5
LONGEST_CAUSE = 300

Stage = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Opens the progress of a stage by its name; what it gives is called with how much is done and the total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Which Spark to use, with which settings, and a folder for this process's own temporary files."""

    folder: Path
    master: str | None = None
    settings: Mapping[str, str]

    @property
    def is_local(self) -> bool:
        return self.master is None or self.master.startswith("local")

    @property
    def memory_setting(self) -> str:
        return "spark.driver.memory" if self.is_local else "spark.executor.memory"


def parse_settings(settings: Iterable[str]) -> dict[str, str]:
    """Settings of Spark from ``key=value``."""
    pairs = [setting.partition("=") for setting in settings]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise InvalidInputError(f"The setting {key!r} must be written as spark.key=value.")
    return {key.strip(): value.strip() for key, _, value in pairs}


def default_settings(cluster: Cluster) -> dict[str, str]:
    """What is set where the user sets nothing: how Java runs, and its memory where it is on this machine."""
    settings = {**QUIET, **{f"spark.{side}.extraJavaOptions": MOVES_ONLY for side in ("driver", "executor")}}
    if cluster.is_local and (memory := machine_memory()) is not None:
        settings["spark.driver.memory"] = f"{min(max(memory // SHARE, LEAST), MOST) >> 20}m"
    return {**settings, **cluster.settings}


@contextmanager
def session(cluster: Cluster) -> "Iterator[SparkSession]":
    """A Spark session; one that was there before stays."""
    try:
        import pyarrow  # noqa: F401
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("--engine spark", "spark") from error
    os.environ.setdefault("PYSPARK_PYTHON", cluster.settings.get("spark.pyspark.python", sys.executable))
    before = SparkSession.getActiveSession()
    builder = SparkSession.builder.appName("concurrence")
    if cluster.master is not None:
        builder = builder.master(cluster.master)
    for key, setting in default_settings(cluster).items():
        builder = builder.config(key, setting)
    try:
        spark = before or builder.getOrCreate()
    except (PySparkRuntimeError, Py4JError, OSError) as error:
        raise InvalidInputError(
            f"Spark could not start; it needs a Java runtime and a master it can reach: {_shortened(str(error))}"
        ) from error
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        if before is None:
            with suppress(Exception):  # a Java that is dead cannot be stopped
                spark.stop()


def _silence_bridge() -> None:
    """Keep the bridge to Java from printing tracebacks; where Java is gone, it fails in every thread until Python ends.

    It writes to its own loggers and to the root's.
    """
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_ours)


def _is_ours(record: logging.LogRecord) -> bool:
    return "py4j" not in record.pathname


def announcement(spark: "SparkSession", cluster: Cluster, split_bytes: int) -> str:
    """Where Spark runs, with how much memory, and where to change it."""
    setting = cluster.memory_setting
    memory = spark.sparkContext.getConf().get(setting, "1g")
    return (
        f"Spark on {spark.sparkContext.master}: {memory} of memory for Java ({setting}), "
        f"splits of at most {split_bytes / 1e6:.0f} MB ({SPLIT_SETTING}); change them with --spark-conf."
    )


@contextmanager
def in_our_words(cluster: Cluster) -> Iterator[None]:
    """Turn what Spark says of its failures into one sentence."""
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException, PythonException

    way_out = (
        f"If it ran out of memory, give it more (--spark-conf {cluster.memory_setting}=8g) or make the splits smaller "
        f"(--spark-conf {SPLIT_SETTING}=16m)."
    )
    _silence_bridge()
    try:
        yield
    except Py4JJavaError as error:
        raise InvalidInputError(f"Spark gave up: {_cause(error.java_exception)} {way_out}") from error
    except PythonException as error:  # a traceback: what went wrong is its last line
        raise InvalidInputError(
            f"Spark gave up: {_shortened(str(error).strip().splitlines()[-1])} {way_out}"
        ) from error
    except PySparkException as error:
        raise InvalidInputError(f"Spark gave up: {_shortened(str(error))} {way_out}") from error
    except (Py4JError, ConnectionError, EOFError) as error:
        raise InvalidInputError(f"Spark's driver (its Java process) died. {way_out}") from error


def _cause(java_exception: Any) -> str:
    try:
        return _shortened(str(java_exception.getMessage()))
    except Exception:
        return "its Java process died."


def _shortened(text: str) -> str:
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    first = first if len(first) <= LONGEST_CAUSE else f"{first[:LONGEST_CAUSE]} …"
    return first if first.endswith((".", "…")) else f"{first}."


@contextmanager
def watched(spark: "SparkSession", names: Iterable[str], stage: Stage | None) -> Iterator[None]:
    """Report the tasks of each stage while something runs; the stages have these names in their order."""
    if stage is None:
        yield
        return
    over = Event()
    watcher = Thread(target=_watch, args=(spark.sparkContext.statusTracker(), list(names), stage, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(tracker: Any, names: list[str], stage: Stage, over: Event) -> None:
    reported: list[int] = []
    with ExitStack() as stack, suppress(Exception):  # where Spark is gone, others say so
        report: Callable[[int, int], None] | None = None
        while not over.wait(SECONDS_BETWEEN_LOOKS):
            active = max(tracker.getActiveStageIds(), default=None)
            info = None if active is None else tracker.getStageInfo(active)
            if active is None or info is None:
                continue
            if active not in reported:
                stack.close()
                report = stack.enter_context(stage(names[min(len(reported), len(names) - 1)]))
                reported.append(active)
            if report is not None:
                report(info.numCompletedTasks, info.numTasks)
