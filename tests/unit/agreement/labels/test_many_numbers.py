"""Measurements that are compared as if they were names: a question, and where it must not be asked."""

import numpy as np
import pytest

from concurrence import Labels, agree


def labels_of(names):
    """Two coders who agree on most of the items; every category occurs."""
    codes = np.arange(len(names))
    return Labels(codes=np.stack([codes, np.roll(codes, 1) * (codes % 3 == 0) + codes * (codes % 3 > 0)], axis=1),
                  categories=tuple(names), coders=("a", "b"))  # fmt: skip


def warned(labels, **options):
    return [one.text for one in agree(labels, **options).warnings if one.code == "many_numbers"]


def test_many_numbers_on_a_nominal_scale_are_a_question():
    (text,) = warned(labels_of([f"{k / 10}" for k in range(300)]))
    assert "300 different numbers" in text
    assert 'Did you mean scale="interval"?' in text


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio", "circular"])
def test_a_scale_of_numbers_is_no_question(scale):
    assert not warned(labels_of([str(k) for k in range(300)]), scale=scale)


def test_weights_are_no_question():
    assert not warned(labels_of([str(k) for k in range(300)]), weights="linear")


@pytest.mark.parametrize(
    "names",
    [[f"w{k}" for k in range(300)], [*map(str, range(300)), "none"], [str(k) for k in range(200)]],
    ids=["words", "numbers and a word", "few numbers"],
)
def test_names_and_few_numbers_are_no_question(names):
    assert not warned(labels_of(names))


def test_the_command_asks_by_its_option(concur, tmp_path):
    rows = [f"{k},{coder},{k / 10}" for k in range(300) for coder in "ab"]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["item,coder,label", *rows]) + "\n", "utf-8")
    nominal, interval = concur("agree", path, "--json"), concur("agree", path, "--scale", "interval", "--json")
    (text,) = [one["text"] for one in nominal.json["warnings"] if one["code"] == "many_numbers"]
    assert "Did you mean --scale interval?" in text
    assert "many_numbers" not in {one["code"] for one in interval.json["warnings"]}
    assert nominal.json.keys() == interval.json.keys()
    assert "--scale interval" in " ".join(concur("agree", path).out.split())
