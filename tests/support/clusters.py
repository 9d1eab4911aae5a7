"""Annotated corpora to cut, counting in splits without Spark, and a Spark cluster of processes on this machine."""

import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import psutil
import pytest

from concurrence.counting.count import CountOptions

needs_java = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# A process of a minute is over before Java has compiled its code well: to compile it quickly takes half the time.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
HOW = CountOptions(rule="window-pairs:2")
TAGS = ("VERB", "NOUN", "ADP", "ADJ", "DET")
RELATIONS = ("obl", "case", "obj", "compound:prt", "advcl", "conj", "xcomp")


def conllu_text(sentences, seed=0):
    """Random trees in CoNLL-U; one tag stands in the last sentence alone."""
    draw = random.Random(seed)
    blocks = []
    for s in range(sentences):
        words = [f"# sent_id = {s}"]
        for w in range(1, draw.randrange(2, 9)):
            tag = "X1" if s == sentences - 1 and w == 1 else draw.choice(TAGS)
            head, relation = (0, "root") if w == 1 else (draw.randrange(1, w), draw.choice(RELATIONS))
            form, lemma = draw.choice("abcdé"), draw.choice("uvwß")
            words.append(f"{w}\t{form}\t{lemma}\t{tag}\tT{tag}\t_\t{head}\t{relation}\t_\t_")
        blocks.append("\n".join(words))
    return "\n\n".join(blocks) + "\n\n"


def vrt_text(sentences, seed=0):
    """Random vertical text: chapters over several sentences, clauses inside of one, phrases with their heads."""
    draw = random.Random(seed)
    lines = ["<!-- #vrt positional-attributes: word lemma pos -->", '<text id="1">']
    for s in range(sentences):
        if s % 5 == 2:
            lines.append(f'<chapter head="k{s % 3}">')
        lines.append(draw.choice(["<s>", f'<s n="{s}">']))
        for clause in range(draw.randrange(1, 4)):
            lines.append("<clause>")
            rare = ["rare"] * (s == sentences - 1 and clause == 0)
            for name in [*rare, *draw.choices(["pp", "vc"], k=draw.randrange(0, 4))]:
                lines += [f'<{name} head="{draw.choice("xyz")}">', f"a{draw.randrange(3)}\tl\tNOUN", f"</{name}>"]
            lines += [f"{draw.choice('abc')}\t{draw.choice('uv')}\t{draw.choice(TAGS)}", "</clause>"]
        lines.append("</s>")
        if s % 5 == 1 and s > 5:
            lines.append("</chapter>")
    ends, starts = lines.count("</chapter>"), sum(line.startswith("<chapter") for line in lines)
    lines += ["</chapter>"] * (starts - ends)
    return "\n".join([*lines, "</text>"]) + "\n"


def splits_of(path, reader, most):
    """The splits of a corpus, vertical text with its structures."""
    from concurrence.corpus.splits import cut_splits, plan_splits, with_structures

    splits = cut_splits(plan_splits([str(path)], format_=None, encoding="utf-8"), most)
    if splits[0].format == "vrt":
        splits = with_structures(splits, [reader.scan(split) for split in splits], skip_broken=reader.skip_broken)
    return splits


def count_by_hand(path, how, *, most, buckets=3, salt=0):
    """What Spark's tasks give for a corpus in splits, one after the other: rows with their words, and the spectrum."""
    from concurrence.corpus.splits import SplitReader
    from concurrence.counting.spark.partial import Bucket
    from concurrence.counting.spark.sums import vocabulary_of
    from concurrence.counting.spark.tasks import PAIRS, SPECTRUM, WORDS, CorpusNames, CountSplit, SumBucket

    reader = SplitReader(attributes=how.needed_attributes())
    splits = splits_of(path, reader, most)
    categories = CorpusNames()
    for split in splits:
        categories |= CorpusNames.of(reader(split))
    work = CountSplit(read=reader, how=how, names=categories, buckets=buckets, salt=salt)
    groups, sums = defaultdict(list), defaultdict(list)
    for split in splits:
        for kind, bucket, data in work(split):
            groups[kind, bucket].append(data)
    for (kind, bucket), parts in groups.items():
        for kind_of_sum, _, data in SumBucket(least=how.min_freq).sums(kind, bucket, parts):
            sums[kind_of_sum].append(data)
    words = vocabulary_of(sums[WORDS])
    rows = []
    for bucket in map(Bucket.unpacked, sums[PAIRS]):
        lefts = np.repeat(words.rank(bucket.left), bucket.sizes).tolist()
        rights = words.rank(bucket.right)[bucket.rights].tolist()
        for left, right, f in zip(lefts, rights, bucket.f.tolist(), strict=True):
            rows.append((words.words[left], words.words[right], f, int(words.first[left]), int(words.second[right])))
    return sorted(rows, key=lambda r: (-r[2], r[0], r[1])), np.sum([pickle.loads(s) for s in sums[SPECTRUM]], axis=0)


class Standalone:
    """A master and two workers, each a process of its own on the loopback interface."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.processes = []
        self.port = free_port()
        self.master = f"spark://127.0.0.1:{self.port}"

    def __enter__(self):
        self._start("master.Master", "--host", "127.0.0.1", "--port", self.port, "--webui-port", 0)
        while not listens(self.port):
            assert self.processes[0].poll() is None, "the master did not start"
            time.sleep(0.1)
        for _ in range(2):
            options = ("--host", "127.0.0.1", "--webui-port", 0, "--cores", 1, "--memory", "1g")
            self._start("worker.Worker", *options, "--work-dir", self.folder / "work", self.master)
        return self

    def _start(self, name, *arguments):
        import pyspark

        home = Path(pyspark.__file__).parent
        command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *arguments]
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED,
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }
        with (self.folder / f"{name}{len(self.processes)}.log").open("wb") as log:
            self.processes.append(subprocess.Popen([str(c) for c in command], env=environment, stdout=log, stderr=log))

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def listens(port):
    with socket.socket() as calling:
        return calling.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


SETTINGS = {
    "spark.executor.memory": "512m",
    "spark.driver.memory": "512m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": SHORT_LIVED,
    "spark.executor.extraJavaOptions": SHORT_LIVED,
}


def executor_of_this_task():
    """From a Python worker: the daemon that made it, the executor above that, and whoever started the executor."""
    executor = psutil.Process().parent()
    while "java" not in executor.name():
        executor = executor.parent()
    return executor


def count_and_kill(corpus, folder, master):
    """Count on a cluster, and kill the worker that is the first to read the second half of the corpus."""
    from concurrence.corpus.splits import SplitReader, cut_splits, plan_splits
    from concurrence.counting.spark.engine import SplitParts, count_with_spark
    from concurrence.counting.spark.session import Cluster, session

    reader, marker = SplitReader(attributes=HOW.needed_attributes()), folder / "killed"
    splits = cut_splits(plan_splits([str(corpus)], format_=None, encoding="utf-8"), 4000)

    def read_and_kill(split):
        if splits.index(split) >= len(splits) // 2:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return reader(split)
            executor = executor_of_this_task()
            worker = executor.parent()
            marker.write_text(f"{worker.pid}")
            worker.kill()
            executor.kill()
            signal.pause()  # the executor is gone, and this process goes with it
        return reader(split)

    cluster = Cluster(folder=folder, master=master, settings=SETTINGS)
    with session(cluster) as spark:
        parts = SplitParts(splits=splits, files=(str(corpus),), n_bytes=corpus.stat().st_size)
        counts = count_with_spark(spark, parts, HOW, read_and_kill, cluster)
    counts.pairs().table.write_parquet(folder / "there.parquet")
    print(counts.counted.tokens)
