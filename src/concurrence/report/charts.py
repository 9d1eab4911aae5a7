"""Charts as files: SVG, PNG, or a self-contained HTML page, all without a network."""

from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.files.atomic import replacing

ENDINGS = (".svg", ".png", ".html")

# Colours that colour-blind readers can tell apart (Okabe & Ito), dark enough for print.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")


def is_chart(path: Path) -> bool:
    """Whether a file's ending asks for a chart."""
    return path.suffix.lower() in ENDINGS


def save_chart(chart: Any, path: Path) -> None:
    """Write a chart in the format of the ending, whole or not at all."""
    import vl_convert

    specification = chart.to_dict()
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InvalidInputError(f"{path}: charts are written as {', '.join(ENDINGS)}.")
    with replacing(path) as temporary:
        if ending == ".png":
            temporary.write_bytes(vl_convert.vegalite_to_png(specification, scale=2))
        elif ending == ".svg":
            temporary.write_text(vl_convert.vegalite_to_svg(specification), "utf-8")
        else:
            temporary.write_text(vl_convert.vegalite_to_html(specification, bundle=True), "utf-8")
