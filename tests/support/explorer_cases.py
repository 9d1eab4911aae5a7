"""A small treebank, a scored list with judgements and a sample, and the explorer as its own process."""

import os
import subprocess
import sys

import httpx
import numpy as np
import polars as pl

from concurrence import draw_sample
from concurrence.corpus.index_writer import write_index
from concurrence.corpus.reader import read_corpus
from concurrence.files.pairs.samples import write_sample
from support.servers import PATIENCE, free_port, wait_until

SENTENCES = {
    "menu": ["we serve strong tea", "they serve weak tea", "we drink strong black coffee", "we serve strong tea"],
    "review": ["she drinks strong tea", "a strong case", "the tea is strong", "she drinks weak coffee"],
    "diary": ["I drink strong tea", "a strong wind", "the <b>wind</b> & the tea"],
}
TAGS = {
    **dict.fromkeys(("serve", "drink", "drinks", "is"), "VERB"),
    **dict.fromkeys(("strong", "weak", "black"), "ADJ"),
    **dict.fromkeys(("tea", "coffee", "case", "wind", "<b>wind</b>"), "NOUN"),
}
LEMMAS = {"drinks": "drink", "is": "be"}
MEASURES = ("log_likelihood", "MI")


def conllu():
    """The sentences with parts of speech; an adjective depends on the noun behind it, all else on the verb."""
    lines = []
    for name, sentences in SENTENCES.items():
        lines.append(f"# newdoc id = {name}")
        for text in sentences:
            lines += [*_sentence(text.split()), ""]
    return "\n".join(lines) + "\n"


def _sentence(words):
    tags = [TAGS.get(word, "X") for word in words]
    root = tags.index("VERB") if "VERB" in tags else len(words) - 1
    for k, (word, tag) in enumerate(zip(words, tags, strict=True)):
        noun = next((n for n in range(k + 1, len(words)) if tags[n] == "NOUN"), root)
        head, relation = (noun, "amod") if tag == "ADJ" else (root, "obj" if tag == "NOUN" else "dep")
        head, relation = (-1, "root") if k == root else (head, relation)
        yield "\t".join((str(k + 1), word, LEMMAS.get(word, word), tag, "_", "_", str(head + 1), relation, "_", "_"))


def make_index(folder):
    (folder / "tea.conllu").write_text(conllu(), "utf-8")
    write_index(read_corpus(folder / "tea.conllu", keeps_text=True), folder / "tea")
    return folder / "tea"


def make_list(folder, *, size=300, name="scored"):
    """Candidates with two measures, of which one has ties, judgements of a sample, and the sample."""
    rng = np.random.default_rng(3)
    quality = rng.random(size)
    table = pl.DataFrame(
        {
            "l1": [f"verb{k % 20}" for k in range(size)],
            "l2": [f"noun{k}" for k in range(size)],
            "f": rng.integers(1, 60, size),
            "log_likelihood": 100 * quality + rng.random(size),
            "MI": np.round(5 * quality + 3 * rng.random(size), 1),
        }
    )
    table.write_parquet(folder / f"{name}.parquet")
    sample = draw_sample(table, size=size // 2, seed=1)
    write_sample(sample, folder / "sample.csv")
    true = dict(zip(table["l2"], quality > 0.6, strict=True))
    sampled_pairs = sample.table.select("l1", "l2")
    sampled_pairs.with_columns(pl.Series("tp", [int(true[noun]) for noun in sampled_pairs["l2"]])).write_csv(
        folder / "gold.csv"
    )
    return folder / f"{name}.parquet"


def with_judgements(folder):
    return ("--gold", folder / "gold.csv", "--sample", folder / "sample.csv")


class ServedExplorer:
    """``concur explore`` as its own process."""

    def __init__(self, *arguments):
        self.port = free_port()
        self.arguments = [*map(str, arguments), "--port", str(self.port)]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "concurrence", "explore", *self.arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
        )
        wait_until(self._answers, what="concur explore")
        return self

    def _answers(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"concur explore ended with {self.process.returncode}")
        try:
            return httpx.get(self.url, timeout=10).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self):
        self.process.terminate()
        self.stderr = self.process.communicate(timeout=PATIENCE)[1].decode()
