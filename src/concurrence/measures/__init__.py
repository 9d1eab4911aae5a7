"""Tables in, scores out: significance, effect size, information, likelihood, heuristic.

Every measure is a pure vectorised function and one row of ``table.MEASURES``; help, documentation and tests come from
the rows.
"""
