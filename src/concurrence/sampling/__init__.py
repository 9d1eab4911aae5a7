"""Scored candidates to what people will judge, in parts, and plans of how much."""

from concurrence.sampling.agreement_plan import plan_agreement
from concurrence.sampling.budget import compare_designs, difference_sets, expected_widths, sample_budget
from concurrence.sampling.drawing import draw_sample, extend_sample
from concurrence.sampling.frame import candidate_list, make_frame, sampling_frame
from concurrence.sampling.power_plan import plan_power
from concurrence.sampling.precision_plan import plan_precision

__all__ = [
    "candidate_list",
    "compare_designs",
    "difference_sets",
    "draw_sample",
    "expected_widths",
    "extend_sample",
    "make_frame",
    "plan_agreement",
    "plan_power",
    "plan_precision",
    "sample_budget",
    "sampling_frame",
]
