"""What tests of agreement share."""

from functools import partial
from unittest import mock

import pytest

from concurrence.agreement.labels import assess
from concurrence.agreement.labels.coefficients.posterior import posterior_weights


@pytest.fixture(scope="module")
def few_draws():
    """Twenty draws of the posterior: for tests of values and analytic errors, which it does not enter."""
    with mock.patch.object(assess, "posterior_weights", partial(posterior_weights, draws=20)):
        yield
