"""Whatever the labels, the diagnosis is sentences and the JSON is valid."""

import json

from hypothesis import given
from hypothesis import strategies as st

from concurrence import agree
from concurrence.agreement.labels.results import AgreementReport
from concurrence.core import Labels
from concurrence.core.values import from_json, to_json
from concurrence.report.pages.agreement import agreement_document
from concurrence.report.render.markup import render_markdown
from support.examples import examples

LABELS = st.integers(2, 4).flatmap(
    lambda coders: st.lists(
        st.lists(st.sampled_from(["1", "2", "3", "10", None]), min_size=coders, max_size=coders),
        min_size=1,
        max_size=14,
    )
)
DECLARED = st.sampled_from([None, ["1", "2", "3", "10"], [str(k) for k in range(1, 13)]])


@examples(30)
@given(LABELS, DECLARED, st.sampled_from(["nominal", "ordinal", "interval"]), st.sampled_from([0, 25]))
def test_no_labels_are_too_odd(rows, declared, scale, draws):
    report = agree(Labels.from_rows(rows, categories=declared), scale=scale, bootstrap=draws)
    found = to_json(report)
    json.dumps(found, allow_nan=False)
    assert found["diagnosis"]["sentences"]
    assert all(sentence["text"].strip().endswith((".", "?")) for sentence in found["diagnosis"]["sentences"])
    for coefficients in found["scales"].values():
        for bands in coefficients.values():
            assert abs(sum(bands.values()) - 1) < 1e-9
    document = agreement_document(report)
    assert document.answer or document.warnings
    assert render_markdown(agreement_document(from_json(AgreementReport, found))) == render_markdown(document)
