"""Many coders, many pairs: what is told of them without being asked, and what only on request."""

import numpy as np
import pytest

import concurrence
from concurrence import Labels


def labels_of(coders, *, items=60, groups=None):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (items, coders)).astype(np.int32)
    names = tuple(f"c{number:02d}" for number in range(coders))
    return Labels(codes=codes, categories=("a", "b"), coders=names, groups=groups)


@pytest.mark.parametrize(("coders", "asked", "told"), [(20, False, True), (21, False, False), (21, True, True)])
def test_confusion_tables_of_more_than_twenty_coders_come_on_request(coders, asked, told):
    report = concurrence.agree(labels_of(coders), confusion=asked)
    assert len(report.pairs) == coders * (coders - 1) // 2
    for pair in report.pairs:
        assert (pair.confusion is not None) is told
        assert (pair.proportions is not None) is told
        assert pair.confusion is None or int(pair.confusion.sum()) == pair.items


def test_the_other_figures_of_a_pair_do_not_depend_on_it():
    labels = labels_of(21)
    without, having = (concurrence.agree(labels, confusion=asked).pairs for asked in (False, True))
    for one, other in zip(without, having, strict=True):
        assert (one.coders, one.items, one.percent_agreement) == (other.coders, other.items, other.percent_agreement)
        assert (one.cohen_kappa, one.scott_pi) == (other.cohen_kappa, other.scott_pi)


@pytest.mark.parametrize("asked", [False, True])
def test_groups_have_confusion_tables_on_request(concur, tmp_path, asked):
    rows = [f"{item},{coder},{(item + len(coder)) % 2},w{item % 2}" for item in range(8) for coder in ("x", "yy")]
    (tmp_path / "labels.csv").write_text("item,coder,label,word\n" + "\n".join(rows) + "\n")
    options = ("--confusion",) if asked else ()
    grouped = concur("agree", tmp_path / "labels.csv", "--by", "word", *options, "--json").json
    assert [group["pairs"][0]["confusion"] is not None for group in grouped["groups"].values()] == [asked] * 2
    whole = concur("agree", tmp_path / "labels.csv", "--json").json
    assert whole["pairs"][0]["confusion"] is not None


@pytest.mark.parametrize(("coders", "asked", "listed"), [(20, False, 190), (21, False, 0), (21, True, 210)])
def test_groups_of_more_than_twenty_coders_list_their_pairs_on_request(coders, asked, listed):
    words = [f"w{item % 3}" for item in range(60)]
    grouped = concurrence.agree_by_group(labels_of(coders, groups=words), confusion=asked)
    assert {name: len(group.pairs) for name, group in grouped.groups.items()} == dict.fromkeys(
        ("w0", "w1", "w2"), listed
    )
    for group in grouped.groups.values():
        assert np.isfinite(group["mean_pairwise_kappa"].value)
