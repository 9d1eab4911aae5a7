"""Dunning (1993), Computational Linguistics 19(1), 61-74: 56 bigrams with printed log-likelihood."""

from concurrence import Contingency
from concurrence.measures.significance import log_likelihood
from support.expect import PUBLISHED, printed


def test_all_56_printed_values():
    lines = (PUBLISHED / "dunning1993.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    assert len(rows) == 56
    for pair, f, f1, f2, n, value in rows:
        t = Contingency.from_signature(f=int(f), f1=int(f1), f2=int(f2), n=int(n))
        assert abs(float(log_likelihood(t))) == printed(value), pair
