"""What people should judge next: a sample that carries its design, and the commands that draw and use it."""

import shlex
import tempfile
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.core.samples import Sample
from concurrence.files.pairs.samples import write_sample
from concurrence.files.provenance import Provenance
from concurrence.sampling.drawing import draw_sample
from concurrence.sampling.options import SampleOptions
from concurrence.web.explorer.lists import ExplorerList


def sample_of(explored: ExplorerList, measures: tuple[str, ...], n: int, size: int) -> Sample:
    """A random sample of the n-best list of one measure, or of the lists of two together."""
    if not 1 <= len(set(measures)) == len(measures) <= 2:
        raise InvalidInputError("Name one measure, or two that differ.")
    explored.size(n)
    for measure in measures:
        explored.best(measure)
    options = SampleOptions(size=size, design="union", best=[n], measures=measures, seed=explored.seed)
    return draw_sample(explored.candidates, options)


def commands(explored: ExplorerList, measures: tuple[str, ...], n: int, size: int) -> list[str]:
    """The same on the command line: draw the sample, make a campaign of it, and evaluate what people said."""
    scored = shlex.quote(explored.path)
    names = shlex.quote(",".join(measures))
    return [
        f"concur sample {scored} --design union -m {names} --best {n} --size {size} --seed {explored.seed} "
        "-o sample.csv",
        "concur campaign create my-campaign --items sample.csv --questions questions.toml --coders anna,ben",
        "concur serve",
    ]


def sample_file(explored: ExplorerList, measures: tuple[str, ...], n: int, size: int) -> bytes:
    """The sample as one Parquet file that holds its design, too."""
    drawn = sample_of(explored, measures, n, size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.parquet"
        write_sample(drawn, path, Provenance(command=commands(explored, measures, n, size)[0], seed=explored.seed))
        return path.read_bytes()
