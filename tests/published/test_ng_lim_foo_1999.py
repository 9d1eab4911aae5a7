"""Ng, Lim & Foo (1999), A case study on inter-annotator agreement for word sense disambiguation."""

import json

import pytest

from concurrence.api.labels import merge
from concurrence.core import Labels
from concurrence.merging.results import GroupingScore, MergedGroup, summarise_groups
from published.ng_1999 import TABLES
from support.expect import PUBLISHED, printed


@pytest.fixture(scope="module")
def change():
    """A table with the printed figures of the noun *change*; the paper's own table is not published."""
    return json.loads((PUBLISHED / "ng1999_change.json").read_text())


def test_the_noun_change_before_and_after(change):
    found = merge(Labels.from_table(change["table"], categories=change["senses"])).groups["all"]
    assert (found.before.items, found.before.categories) == (111, 7)
    assert found.before.percent_agreement == printed("0.38")
    assert found.before.kappa == printed("-0.09")
    assert found.classes == (("1", "2", "3", "4", "6"), ("5", "8"))
    assert (found.after.percent_agreement, found.after.kappa) == (1.0, 1.0)
    assert found.chance_p_value < 0.05
    assert not found.collapsed


def test_the_noun_change_step_by_step(change):
    found = merge(Labels.from_table(change["table"], categories=change["senses"]), guards=False).groups["all"]
    assert [step.kappa for step in found.steps] == pytest.approx(change["kappa_after_each_merge"], abs=0.0005)


@pytest.mark.parametrize(("groups", "agreed", "items", "share", "_kappa"), TABLES.values(), ids=list(TABLES))
def test_agreement_in_sum_is_the_sum_of_agreements_over_the_sum_of_items(groups, agreed, items, share, _kappa):
    """The printed shares are those of the printed sums, spread over as many words as the row has."""
    words = []
    for k in range(groups):
        a, n = agreed // groups + (k < agreed % groups), items // groups + (k < items % groups)
        standing = GroupingScore(categories=2, items=n, agreed=a, percent_agreement=a / n, kappa=0.5)
        words.append(MergedGroup(key=str(k), before=standing, after=standing, classes=()))
    row = summarise_groups(words).raw
    assert (row.groups, row.agreed, row.items) == (groups, agreed, items)
    assert row.percent_agreement == printed(share)
