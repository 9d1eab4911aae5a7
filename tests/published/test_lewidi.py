"""Example entries of the LeWiDi shared task, third edition (2025).

Source: README.md of github.com/Le-Wi-Di/le-wi-di.github.io, "Example Entries": annotations and their soft labels.
"""

import pytest

from concurrence import Labels, read_labels, soft_labels
from support.expect import printed

CSC = (
    "0123456",
    "2 5 3 3 2 6",
    {"0": "0.0", "1": "0.0", "2": "0.33", "3": "0.33", "4": "0.0", "5": "0.17", "6": "0.17"},
)
PARAPHRASE = ([str(k) for k in range(-5, 6)], "-3 -4 0 -4", {"-4": "0.5", "-3": "0.25", "0": "0.25", "5": "0.0"})
MULTIPICO = ("01", "0 0 0", {"0": "1.0", "1": "0"})


@pytest.mark.parametrize(("categories", "given", "expected"), [CSC, PARAPHRASE, MULTIPICO])
def test_soft_labels_of_the_examples(categories, given, expected):
    row = given.split()
    coders = [f"Ann{k}" for k in range(len(row))]
    labels = Labels.from_rows([row], coders=coders, items=["1"], categories=list(categories))
    entry = soft_labels(labels).as_lewidi()["1"]
    for name, share in expected.items():
        assert entry["soft_label"][name] == printed(share)
    assert list(entry["soft_label"]) == list(categories)
    assert entry["annotations"] == dict(zip(coders, row, strict=True))
    assert entry["annotators"] == ",".join(coders)
    assert entry["number of annotations"] == entry["number of annotators"] == len(row)


def test_several_labels_have_a_share_each(tmp_path):
    """VariErrNLI: contradiction by Ann1, entailment by Ann3; neutral by nobody, so that another item holds it here."""
    path = tmp_path / "nli.csv"
    path.write_text("item,Ann1,Ann3\n1,contradiction,entailment\n2,neutral+entailment,neutral\n")
    found = soft_labels(read_labels(path, shape="wide", sets="+")).as_lewidi()
    half = {"0": 0.5, "1": 0.5}
    assert found["1"]["soft_label"] == {"contradiction": half, "entailment": half, "neutral": {"0": 1.0, "1": 0.0}}
    assert found["2"]["soft_label"]["neutral"] == {"0": 0.0, "1": 1.0}
