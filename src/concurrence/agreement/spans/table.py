"""The table of coefficients for spans: everything about one stands on its row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from concurrence.agreement.spans.alpha_u import alpha_u
from concurrence.agreement.spans.gamma import gamma, gamma_cat
from concurrence.agreement.spans.matching import f1_exact, f1_overlap
from concurrence.agreement.spans.study import Estimator
from concurrence.agreement.spans.token_kappa import token_kappa
from concurrence.agreement.spans.unitized_alphas import cu_alpha, u_alpha, u_alpha_binary


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanMeasure:
    """A coefficient of agreement on spans.

    ``function`` makes an estimator from what it ``needs``: the study, the study with its pieces, or its alignment.
    Its documentation holds the words and the formula. ``measures`` is what observed and expected are; ``about`` what
    it is sensitive to.
    """

    title: str
    function: Callable[..., Estimator]
    reference: str
    needs: Literal["study", "pieces", "alignment"]
    measures: str
    about: Literal["where", "what", "where and what"]

    @property
    def name(self) -> str:
        """Its key in JSON and on the command line."""
        name: Any = self.function.__name__
        return str(name)


_ROWS = (
    SpanMeasure(
        title="Krippendorff's alpha_U",
        function=alpha_u,
        reference="krippendorff1995",
        needs="study",
        measures="disagreement",
        about="where and what",
    ),
    SpanMeasure(
        title="u-alpha",
        function=u_alpha,
        reference="krippendorff2016",
        needs="pieces",
        measures="disagreement",
        about="where and what",
    ),
    SpanMeasure(
        title="|u-alpha (marked or not)",
        function=u_alpha_binary,
        reference="krippendorff2016",
        needs="pieces",
        measures="disagreement",
        about="where",
    ),
    SpanMeasure(
        title="cu-alpha (labels)",
        function=cu_alpha,
        reference="krippendorff2016",
        needs="pieces",
        measures="disagreement",
        about="what",
    ),
    SpanMeasure(
        title="Gamma",
        function=gamma,
        reference="mathet2015",
        needs="alignment",
        measures="disorder",
        about="where and what",
    ),
    SpanMeasure(
        title="Gamma_cat (labels)",
        function=gamma_cat,
        reference="mathet2017",
        needs="alignment",
        measures="disorder",
        about="what",
    ),
    SpanMeasure(
        title="Token-level kappa",
        function=token_kappa,
        reference="cohen1960",
        needs="pieces",
        measures="agreement",
        about="where and what",
    ),
    SpanMeasure(
        title="F1 (exact)",
        function=f1_exact,
        reference="hripcsak2005",
        needs="study",
        measures="agreement",
        about="where and what",
    ),
    SpanMeasure(
        title="F1 (overlap)",
        function=f1_overlap,
        reference="hripcsak2005",
        needs="study",
        measures="agreement",
        about="where and what",
    ),
)
SPAN_MEASURES = {row.name: row for row in _ROWS}
