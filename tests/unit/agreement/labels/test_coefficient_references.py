"""Every coefficient cites a key of the bibliography, and every name of the command's promise is there."""

import re
from pathlib import Path

import pytest

from concurrence.core import UnknownNameError
from concurrence.kernels.coefficients import COEFFICIENTS, coefficient

BIBLIOGRAPHY = Path(__file__).parents[4] / "docs" / "references.bib"


def test_every_coefficient_cites_a_known_source():
    known = set(re.findall(r"^@\w+\{([^,]+),", BIBLIOGRAPHY.read_text("utf-8"), flags=re.MULTILINE))
    assert {row.reference for row in COEFFICIENTS.values()} <= known


def test_a_misspelt_coefficient_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'gwet_ac1'"):
        coefficient("gwet_ac_1")
