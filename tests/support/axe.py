"""Whether a page shuts somebody out, as axe sees it in light and in dark colours."""

from functools import cache
from pathlib import Path

# Of what is in order one element per rule is enough: finding names for all of them takes most of the time.
EVERY_RULE = "() => axe.run(document, {resultTypes: ['violations']})"
COLOURS_ALONE = "() => axe.run(document, {resultTypes: ['violations'], runOnly: ['color-contrast']})"


@cache
def _script():
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def violations(page):
    """What is serious, with its first elements; of the dark colours only contrast is asked, as the rest is the same."""
    page.wait_for_load_state()  # with all its styles
    page.evaluate(_script())
    serious_violations = []
    for scheme, ask in (("light", EVERY_RULE), ("dark", COLOURS_ALONE)):
        page.emulate_media(color_scheme=scheme)
        result = page.evaluate(ask)
        assert len(result["passes"]) + len(result["inapplicable"]) >= (30 if scheme == "light" else 1)  # it did look
        serious = [rule for rule in result["violations"] if rule["impact"] in ("serious", "critical")]
        serious_violations += [(scheme, rule["id"], [node["target"] for node in rule["nodes"]][:3]) for rule in serious]
    return serious_violations
