"""Pages that are written anew in every build, so that they cannot drift from the code."""

from pathlib import Path


def generate(docs: Path) -> None:
    """Write every generated page into ``_generated``."""
    from pages.commands import command_line, python
    from pages.conformance import conformance
    from pages.decisions import decisions
    from pages.json_keys import json_keys
    from pages.markdown import write
    from pages.reproductions import reproductions
    from pages.tables import bibliography, coefficients, measures, scales, span_coefficients

    folder = docs / "_generated"
    texts = {
        "coefficients": coefficients(),
        "span_coefficients": span_coefficients(),
        "measures": measures(),
        "scales": scales(),
        "commands": command_line(),
        "python": python(),
        "references": bibliography(),
        "decisions": decisions(docs / "decisions"),
        "json": json_keys(),
        "reproductions": reproductions(),
        "conformance": conformance(folder),
    }
    for name, text in texts.items():
        write(folder / f"{name}.md", text)
