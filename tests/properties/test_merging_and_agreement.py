"""The values that merging reports are those of the room of agreement, before and after."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.api.labels import merge
from concurrence.core import Labels
from concurrence.kernels.coefficients import coefficient


def agreement(name, codes, n_categories):
    labels = Labels(
        codes=np.asarray(codes, dtype=np.int32),
        categories=tuple(str(k) for k in range(n_categories)),
        coders=tuple(str(k) for k in range(np.shape(codes)[1])),
    )
    study = LabelStudy.of(labels)
    return labels, float(values(coefficient(name), study, study.weights))


NAMES = ("scott_pi", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "bennett_s", "brennan_prediger")


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_merging_reports_the_values_of_agreement(name, data):
    n_coders = 2 if coefficient(name).coders == "two" else data.draw(st.integers(2, 4))
    row = st.lists(st.integers(-1, 4), min_size=n_coders, max_size=n_coders)
    codes = np.array(data.draw(st.lists(row, min_size=4, max_size=20)))
    labels, before = agreement(name, codes, 5)
    found = merge(labels, coefficient=name, guards=False).groups["all"]
    if np.isnan(found.before.kappa):
        return
    assert found.before.kappa == pytest.approx(before, abs=1e-12)
    place = {int(label): k for k, members in enumerate(found.classes) for label in members}
    classes = np.vectorize(lambda label: place.get(label, -1))(codes)
    unused = 5 - len({int(c) for c in np.unique(codes) if c >= 0})
    _, after = agreement(name, classes, len(found.classes) + unused)
    assert found.after.kappa == pytest.approx(after, abs=1e-12, nan_ok=True) or found.collapsed
