"""The picture of the house: layers and rooms from the import contracts, and what flows between the rooms.

``python docs/pages/house.py`` draws ``docs/images/house.svg``; a test says whether it is up to date.
"""

import ast
import tomllib
from html import escape
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "house.svg"

PLACES = {
    "files": (0, 0), "corpus": (1, 0), "lookup": (2, 0), "counting": (1, 1), "measures": (2, 1), "sampling": (3, 1),
    "matching": (0, 2), "annotation": (3, 2), "agreement": (1, 2), "merging": (0, 3), "prevalence": (2, 3),
    "evaluation": (3, 3),
}  # fmt: skip
"""Column and row of each room among the rooms."""
FLOWS = (
    ("files", "corpus", "text"), ("files", "agreement", "Labels"),
    ("corpus", "lookup", "Corpus"), ("corpus", "counting", "Corpus"),
    ("counting", "measures", "Pairs"), ("measures", "sampling", "scores"), ("sampling", "annotation", "Sample"),
    ("annotation", "agreement", "Labels"), ("matching", "agreement", "Labels"), ("matching", "merging", "Labels"),
    ("measures", "evaluation", "scores"),
    ("annotation", "evaluation", "judgements"), ("annotation", "prevalence", "judgements"),
)  # fmt: skip
"""Which value goes from which room to which."""
WIDE, HIGH, LOW, GAP_X, GAP_Y, LEFT = 190, 114, 40, 62, 40, 24
LINES = 5
"""How many lines of text and folders fit into a room."""
STYLE = """
.band{fill:#eef1f6}.room{fill:#fff;stroke:#5b6b85}.door{fill:#dde6f5;stroke:#5b6b85}
text{font:13px system-ui,sans-serif;fill:#1d2430}.name{font-weight:600;font-size:15px}
.small{font-size:11px;fill:#49566b}
.inner{font-size:11px;fill:#2c4f8a}
.flow{stroke:#b3541e;fill:none;stroke-width:1.6}.tip{fill:#b3541e}.value{font-size:11px;fill:#8f3f10;font-style:italic}
@media (prefers-color-scheme:dark){.band{fill:#20262f}
.room{fill:#2a323d;stroke:#8fa3c4}.door{fill:#2f3d54;stroke:#8fa3c4}
text{fill:#e8ecf3}.small{fill:#b7c2d3}.inner{fill:#9dbdf5}.flow{stroke:#f0a06a}.tip{fill:#f0a06a}.value{fill:#f5b88c}}
"""


def layers() -> list[list[str]]:
    """The layers of the house from top to bottom, as import-linter enforces them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    house = next(one for one in contracts if one["containers"] == ["concurrence"])
    return [[name.strip() for name in layer.split("|")] for layer in house["layers"]]


def summary(room: str) -> str:
    """What a room says of itself in the first line of its package."""
    source = (ROOT / "src" / "concurrence" / room / "__init__.py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").split("\n")[0]


def folders(room: str) -> list[str]:
    """The folders of a room."""
    home = ROOT / "src" / "concurrence" / room
    return sorted(one.name for one in home.iterdir() if (one / "__init__.py").exists())


def picture() -> str:
    """The house as SVG."""
    above, below = _split(layers())
    columns = max(column for column, _ in PLACES.values()) + 1
    width = 2 * LEFT + columns * WIDE + (columns - 1) * GAP_X
    parts, y = [], 16
    for layer in above:
        parts += _storey(layer, y, width)
        y += LOW + 10
    top = y
    rows = max(row for _, row in PLACES.values()) + 1
    height = rows * HIGH + (rows - 1) * GAP_Y + 2 * 28
    parts.append(f'<rect class="band" x="8" y="{top}" width="{width - 16}" height="{height}" rx="10"/>')
    parts += [one for name in PLACES for one in _room(name, *_corner(name, top + 28))]
    parts += [one for flow in FLOWS for one in _flow(*flow, top=top + 28)]
    y = top + height + 14
    for layer in below:
        parts += _storey(layer, y, width)
        y += LOW + 10
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" role="img" aria-label="{_words()}">'
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def _split(order: list[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """The layers above and below the rooms; every room has its place in the picture."""
    at = next(number for number, layer in enumerate(order) if "corpus" in layer)
    if set(order[at]) != set(PLACES):
        raise SystemExit(f"The picture shows {sorted(PLACES)}, but the rooms are {sorted(order[at])}.")
    return order[:at], order[at + 1 :]


def _corner(name: str, top: int) -> tuple[int, int]:
    column, row = PLACES[name]
    return LEFT + column * (WIDE + GAP_X), top + row * (HIGH + GAP_Y)


def _storey(names: list[str], y: int, width: int) -> list[str]:
    """The packages of one layer, each over the whole width."""
    x, parts = 8, []
    for name in names:
        inner = " ".join(f"{one}/" for one in folders(name))
        end = width - 20
        parts.append(f'<rect class="door" x="{x}" y="{y}" width="{width - 16}" height="{LOW}" rx="6"/>')
        parts.append(f'<text class="name" x="{x + 12}" y="{y + 25}">{escape(name)}/</text>')
        parts.append(f'<text class="small" x="{x + 92}" y="{y + 25}">{escape(summary(name))}</text>')
        parts.append(f'<text class="small" x="{end}" y="{y + 25}" text-anchor="end">{escape(inner)}</text>')
        y += LOW + 10
    return parts


def _room(name: str, x: int, y: int) -> list[str]:
    inner = _wrapped(" ".join(f"{one}/" for one in folders(name)), 30)
    text = _wrapped(summary(name), 29)
    if len(text) + len(inner) > LINES:
        raise SystemExit(f"The first line of {name}/__init__.py is too long for its box in the picture.")
    parts = [f'<rect class="room" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="6"/>']
    parts.append(f'<text class="name" x="{x + 10}" y="{y + 20}">{escape(name)}/</text>')
    for place, line in enumerate(text):
        parts.append(f'<text class="small" x="{x + 10}" y="{y + 37 + 14 * place}">{escape(line)}</text>')
    for place, line in enumerate(inner):
        low = y + HIGH - 10 - 14 * (len(inner) - 1 - place)
        parts.append(f'<text class="inner" x="{x + 10}" y="{low}">{escape(line)}</text>')
    return parts


def _flow(start: str, end: str, value: str, *, top: int) -> list[str]:
    """An arrow from one room to another, with the name of the value."""
    (x1, y1), (x2, y2) = _corner(start, top), _corner(end, top)
    if y1 == y2:
        right = x2 > x1
        a, b = (x1 + WIDE * right, y1 + HIGH // 2), (x2 + WIDE * (not right), y2 + HIGH // 2)
        label, anchor = ((a[0] + b[0]) // 2, a[1] - 6), "middle"
    else:
        shift = 0 if x1 == x2 else (30 if x2 > x1 else -30)
        a, b = (x1 + WIDE // 2 + shift, y1 + HIGH), (x2 + WIDE // 2 - shift, y2)
        if y2 - y1 > HIGH + GAP_Y:  # past the rooms of the row between
            a, b = (x1 + WIDE // 2, y1 + HIGH), (x2 + 20, y2)
        slanted = 10 if x2 < x1 else 0
        near = 3 if y2 - y1 > HIGH + GAP_Y else 2  # a long arrow is labelled near its start
        x, y = a[0] + (b[0] - a[0]) // near, a[1] + (b[1] - a[1]) // near
        label = (x + (14 if x2 > x1 else 6) - 2 * slanted, y + 4 - slanted)
        anchor = "end" if slanted else "start"
    return [
        f'<path class="flow" d="M{a[0]} {a[1]} L{b[0]} {b[1]}"/>',
        _tip(a, b),
        f'<text class="value" x="{label[0]}" y="{label[1]}" text-anchor="{anchor}">{escape(value)}</text>',
    ]


def _tip(a: tuple[int, int], b: tuple[int, int]) -> str:
    """The head of an arrow."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    size = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / size, dy / size
    points = [b, (b[0] - 9 * ux + 4 * uy, b[1] - 9 * uy - 4 * ux), (b[0] - 9 * ux - 4 * uy, b[1] - 9 * uy + 4 * ux)]
    return f'<polygon class="tip" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _words() -> str:
    order = "; below: ".join(", ".join(layer) for layer in layers())
    return escape(f"The layers of the house, each may import those below it: {order}.", quote=True)


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
