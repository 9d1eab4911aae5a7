"""Measures of sequences longer than two words, where a generalisation has been published."""

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.sequences import SequenceTable
from concurrence.measures.measure import limits


def sequence_frequency(t: SequenceTable) -> Reals:
    """How often the sequence occurs."""
    return t.observed


def sequence_log_likelihood(t: SequenceTable) -> Reals:
    r"""The log-likelihood ratio against full independence, :math:`\pm 2 \sum_c O_c \log (O_c / E_c)` over all cells.

    References: Dunning (1993) for two words; for more, McInnes (2004).
    """
    expected = t.expected
    ratios = np.divide(t.cells, expected, out=np.ones_like(expected), where=t.cells > 0)  # an empty cell adds nothing
    evidence: Reals = 2 * (t.cells * np.log(ratios)).sum(axis=-1)
    return np.copysign(np.maximum(evidence, 0), t.observed - expected[..., -1])


@limits
def sequence_mutual_information(t: SequenceTable) -> Reals:
    r"""How much more frequent the sequence is than full independence predicts, :math:`\log_2 (O / E)`.

    References: Church & Hanks (1990) for two words; for more, Van de Cruys (2011), specific correlation.
    """
    return np.log2(t.observed / t.expected[..., -1])


def sequence_interaction(t: SequenceTable) -> Reals:
    r"""The highest-order interaction of a saturated log-linear model, half a count added to each cell.

    :math:`\lambda = \sum_c (-1)^{n - b_c} \log (O_c + 1/2)`, where :math:`b_c` words match in cell c.

    References: Blaheta & Johnson (2001); as in quanteda.
    """
    signs = np.array([(-1.0) ** (t.size - number.bit_count()) for number in range(2**t.size)])
    scores: Reals = (np.log(t.cells + 0.5) * signs).sum(axis=-1)
    return scores


def sequence_interaction_z(t: SequenceTable) -> Reals:
    r"""The interaction by its standard error, :math:`\lambda / \sqrt{\sum_c 1 / (O_c + 1/2)}`.

    References: Blaheta & Johnson (2001); as in quanteda.
    """
    scores: Reals = sequence_interaction(t) / np.sqrt((1 / (t.cells + 0.5)).sum(axis=-1))
    return scores
