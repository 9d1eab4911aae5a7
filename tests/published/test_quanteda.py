"""quanteda's textstat_collocations: the example "European Union" in its documentation, lambda and z as printed there.

The table of the pair has the counts 2, 0, 0 and 7, to each of which one half is added (Blaheta & Johnson 2001).
"""

import polars as pl

from concurrence import Contingency, score
from concurrence.core.sequences import SequenceTable
from concurrence.measures.table import MEASURES
from support.expect import printed

PAIR = {"f": [2], "f1": [2], "f2": [2], "N": [9]}


def test_european_union():
    scored = score(pl.DataFrame({"l1": ["European"], "l2": ["Union"], **PAIR}), "lambda,lambda_z").table
    assert scored["lambda"][0] == printed("4.317488")
    assert scored["lambda_z"][0] == printed("2.027787")


def test_the_form_for_longer_sequences_gives_the_same_for_two():
    cells = SequenceTable.of(PAIR, 2)
    assert cells.cells.tolist() == [[7, 0, 0, 2]]
    for name, value in (("lambda", "4.317488"), ("lambda_z", "2.027787")):
        assert MEASURES[name].sequences(cells)[0] == printed(value)
        assert MEASURES[name](Contingency.from_signature(f=2, f1=2, f2=2, n=9)) == printed(value)
