"""Comma lists are read alike everywhere, and options gathered into one value."""

from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from concurrence.cli.lists import COLUMNS, NAMES, NUMBERS, SHARES, SIZES, WHOLE_NUMBERS
from concurrence.cli.options import gather_options


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (NAMES, 'a b, c,"d,e"', ("a b", " c", "d,e")),
        (NAMES, "", ()),
        (COLUMNS, " MI , t_score,", ("MI", "t_score")),
        (WHOLE_NUMBERS, "5,10", (5, 10)),
        (NUMBERS, "0.5,-1", (0.5, -1.0)),
        (SHARES, "10%,0.5", (0.1, 0.5)),
        (SIZES, "50,100:300:100", (50, 100, 200, 300)),
    ],
)
def test_parts_between_commas(kind, text, expected):
    assert kind.convert(text, None, None) == expected
    assert kind.convert(expected, None, None) == expected


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        (WHOLE_NUMBERS, "5,0", "give whole numbers above 0, separated by commas, not '5,0'."),
        (WHOLE_NUMBERS, "5:9:2", "whole numbers above 0"),
        (NUMBERS, "a,b", "give numbers separated by commas, such as 0.68,0.60,0.51, not 'a,b'."),
        (SHARES, "0.1,120%", "a share must lie between 0 and 1, written as 0.1 or 10%, not '120%'."),
        (SIZES, "9:5:1", "give list sizes as 100,500,1000 or 100:5000:50, not '9:5:1'."),
    ],
)
def test_a_part_that_makes_no_sense_is_refused_by_what_is_expected(kind, text, sentence):
    with pytest.raises(click.BadParameter) as refused:
        kind.convert(text, None, None)
    assert sentence in refused.value.message


@dataclass(frozen=True, kw_only=True)
class Asked:
    size: int
    names: tuple[str, ...]


def test_options_are_gathered_and_the_others_stay():
    options = (click.option("--size", type=int, default=3), click.option("--names", type=NAMES, default=()))

    @click.command()
    @gather_options(Asked, "asked", options)
    @click.option("--other")
    def command(asked, other):
        click.echo(f"{asked} {other}")

    told = CliRunner().invoke(command, ["--names", "a,b", "--other", "x"]).output
    assert told == "Asked(size=3, names=('a', 'b')) x\n"
    listed = CliRunner().invoke(command, ["--help"]).output
    assert listed.index("--size") < listed.index("--names") < listed.index("--other")
