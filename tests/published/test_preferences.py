"""Printed figures of Bradley and Terry's model, with ties and with position."""

import numpy as np
import pytest

from concurrence import preferences
from concurrence.core.comparisons import Comparisons
from support.expect import printed

# Citations between four statistics journals (Stigler 1994), as in the vignette of the R package BradleyTerry2.
CITATIONS = [
    ("Biometrika", "Comm Statist", 730, 33),
    ("Biometrika", "JASA", 498, 320),
    ("Biometrika", "JRSS-B", 221, 284),
    ("Comm Statist", "JASA", 68, 813),
    ("Comm Statist", "JRSS-B", 17, 276),
    ("JASA", "JRSS-B", 142, 325),
]
# Davidson (1970), Example 2: six brands of chocolate pudding; wins, losses and ties.
PUDDING = [
    *(("1", "2", 19, 22, 16), ("1", "3", 16, 19, 12), ("2", "3", 19, 19, 10), ("1", "4", 18, 23, 13)),
    *(("2", "4", 23, 19, 9), ("3", "4", 19, 20, 15), ("1", "5", 13, 19, 18), ("2", "5", 16, 20, 12)),
    *(("3", "5", 16, 15, 17), ("4", "5", 17, 14, 16), ("1", "6", 18, 21, 12), ("2", "6", 22, 20, 12)),
    *(("3", "6", 13, 18, 10), ("4", "6", 14, 19, 18), ("5", "6", 11, 21, 12)),
]
# Agresti (2002), section 10.6: American League 1987, home teams in rows; wins and losses at home.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = """- 4-3 4-2 4-3 6-1 4-2 6-0
3-3 - 4-2 4-3 6-0 6-1 4-3
2-5 4-3 - 2-4 4-3 4-2 6-0
3-3 5-1 2-5 - 4-3 4-2 6-1
5-1 2-5 3-3 4-2 - 5-2 6-0
2-5 3-3 3-4 4-3 4-2 - 2-4
2-5 1-5 1-6 2-4 1-6 3-4 -"""


def counted(rows):
    """Comparisons from rows of two items and how often each outcome was seen."""
    items = tuple(dict.fromkeys(name for row in rows for name in row[:2]))
    cells = [
        (items.index(row[0]), items.index(row[1]), outcome, count)
        for row in rows
        for outcome, count in enumerate(row[2:])
        if count
    ]
    first, second, outcome, count = (np.array(column) for column in zip(*cells, strict=True))
    return Comparisons(
        items=items, first=first, second=second, outcome=outcome, count=count, coder=np.zeros(len(first), dtype=int)
    )


def games():
    table = [line.split() for line in BASEBALL.splitlines()]
    return counted(
        [
            (TEAMS[home], TEAMS[away], *map(int, cell.split("-")))
            for home, line in enumerate(table)
            for away, cell in enumerate(line)
            if cell != "-"
        ]
    )


def test_citations():
    report = preferences(counted(CITATIONS))
    of = {name: one.strength - report["Biometrika"].strength for name, one in report.items.items()}
    assert printed("-2.9491") == of["Comm Statist"]
    assert printed("-0.4796") == of["JASA"]
    assert printed("0.2690") == of["JRSS-B"]
    assert printed("4.293") == report.deviance
    assert report.degrees_of_freedom == 3
    assert sum(one.strength for one in report.items.values()) == pytest.approx(0)


def test_pudding():
    """The vignette of the R package PlackettLuce prints Davidson's figures and, by the same model, standard errors."""
    report = preferences(counted(PUDDING))
    worth = {name: np.exp(one.strength) for name, one in report.items.items()}
    for name, share in zip("123456", ("0.1388", "0.1730", "0.1617", "0.1654", "0.1587", "0.2024"), strict=True):
        assert printed(share) == worth[name] / sum(worth.values())
    assert printed("0.7468") == report.ties.value
    assert printed("0.0825") == report.ties.standard_error / report.ties.value  # it prints that of the logarithm
    assert printed("0.121949") == report["1"].standard_error
    assert printed("0.126594") == report["6"].standard_error
    assert len(report.groups) == 1  # Davidson's test finds no difference between the brands


def test_baseball():
    """Agresti (2002), Table 10.11, as the tests of BradleyTerry2 have it: without and with the home advantage."""
    plain = preferences(games())
    of = {name: one.strength - plain["Baltimore"].strength for name, one in plain.items.items()}
    for name, figure in zip(TEAMS, ("1.58", "1.44", "1.29", "1.25", "1.11", "0.68", "0"), strict=True):
        assert printed(figure) == of[name]
    home = preferences(games(), position=True)
    worth = {name: np.exp(one.strength) for name, one in home.items.items()}
    for name, figure in zip(TEAMS, ("0.220", "0.190", "0.164", "0.157", "0.137", "0.088", "0.044"), strict=True):
        assert printed(figure) == worth[name] / sum(worth.values())
    assert printed("0.302") == home.position_bias.value
    assert home.position_bias.value == pytest.approx(plain.position_bias.value)
