"""What a page looks like once its styles are there."""


def fits(page, width: int | None = None) -> bool:
    """Whether a loaded page needs no scrolling to the side, at the width of its window or another."""
    page.wait_for_load_state("load")  # a click that leads to a page ends before its styles are loaded
    return page.evaluate("(width) => document.documentElement.scrollWidth <= (width ?? innerWidth)", width)
