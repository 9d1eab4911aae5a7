"""How many examples a property is tried on: its usual number in a thorough run, fewer in the others."""

from hypothesis import settings

USUAL = 60  # examples of a property that does not say how many it needs, in the profile "thorough"


def examples(number):
    """Settings for a property that needs more or fewer examples than others, in proportion to those of the profile."""
    return settings(max_examples=max(3, round(number * settings.default.max_examples / USUAL)))
