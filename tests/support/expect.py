"""What tests compare with: printed numbers, the tables they were printed of, and data sets beside the project."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

PUBLISHED = Path(__file__).parents[1] / "published" / "data"

# What others made and the project does not hold; the fixture ``data_set`` finds it, or leaves the test out.
BESIDE = Path(__file__).parents[3] / "shared" / "data"
ALTTEST = {
    f"labels/alttest/{name}/{who}_annotations.json": "Calderon et al. 2025, nitaytech/AltTest"
    for name in (
        *("wax", "lgbteen", "mtbench", "framing", "cebab_aspects"),
        *("summeval", "10k_prompts", "cebab_stars", "lesion"),
    )
    for who in ("human", "llm")
}
DATA_SETS = {
    "corpora/de_gsd-ud-dev.conllu": "Universal Dependencies, German GSD",
    "corpora/de_gsd-ud-test.conllu": "Universal Dependencies, German GSD",
    "corpora/en_ewt.conllu.gz": "Universal Dependencies, English EWT",
    **ALTTEST,
    "labels/crowdscale_googlekg.csv": "CrowdScale 2013",
    "labels/nordiachange1.csv": "Kutuzov et al. 2022",
    "labels/pandalm.csv": "PandaLM",
    "labels/snow_rte.csv": "Snow et al. 2008",
    "labels/snow_temp.csv": "Snow et al. 2008",
    "labels/snow_wsd.csv": "Snow et al. 2008",
    "mwe/en.csv": "computed from PARSEME 1.1, English",
    "mwe/eu.csv": "computed from PARSEME 1.1, Basque",
    "mwe/hi.csv": "computed from PARSEME 1.1, Hindi",
    "mwe/fa.csv": "computed from PARSEME 1.1, Persian",
}


def left_out(names: Sequence[str]) -> str:
    """What the end of a run says of the tests that found no data set; a name for each of them.

    >>> left_out(["labels/pandalm.csv", "labels/snow_wsd.csv", "labels/pandalm.csv"])
    'Left out: 3 tests of 2 data sets that are not beside the project: labels/pandalm.csv, labels/snow_wsd.csv.'
    >>> left_out(["labels/pandalm.csv"])
    'Left out: 1 test of 1 data set that is not beside the project: labels/pandalm.csv.'
    """
    sets = sorted(set(names))
    tests = "1 test" if len(names) == 1 else f"{len(names)} tests"
    which = "1 data set that is" if len(sets) == 1 else f"{len(sets)} data sets that are"
    return f"Left out: {tests} of {which} not beside the project: {', '.join(sets)}."


# What was compared, as (published, ours, equal), while a list is here: the conformance page is made of it.
record: list[tuple[str, str, bool]] | None = None


class Printed:
    """A number as printed somewhere; equal to what has its digits."""

    __array_ufunc__ = None  # let numpy ask us, not compare element by element
    __hash__ = None

    def __init__(self, text: str, within: float) -> None:
        self.text, self.abs = text, within

    def __eq__(self, value: Any) -> bool:
        equal = value is not None and bool(abs(float(value) - float(self.text)) <= self.abs)
        if record is not None:
            record.append((self.text, "none" if value is None else f"{float(value):.7g}", equal))
        return equal

    def __repr__(self) -> str:
        return f"{self.text} ± {self.abs:.2g}"


def printed(text: str, *, within: float = 0.0) -> Printed:
    """Expect a printed number, to half a unit of its own last digit, or to a tolerance that has a reason."""
    decimals = len(text.partition(".")[2])
    return Printed(text, max(within, 0.5 * 10**-decimals + 1e-12))


def all_close(ours: Any, published: Any, *, rtol: float) -> None:
    """Expect many published numbers at once."""
    np.testing.assert_allclose(ours, published, rtol=rtol, atol=0)
    if record is not None:
        a, b = np.asarray(ours, dtype=float), np.asarray(published, dtype=float)
        finite = np.isfinite(b) & (b != 0)
        worst = np.max(np.abs(a[finite] / b[finite] - 1), initial=0.0)
        record.append((f"{a.size} values", f"largest relative difference {worst:.1e}", True))
