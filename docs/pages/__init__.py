"""Pages that are written anew in every build, so that they cannot drift from the code."""

from pathlib import Path

LEFT_OUT = "# Conformance\n\nLeft out of this build (`-D conformity=0`).\n"


def generate(docs: Path, *, conformity: bool = True) -> None:
    """Write every generated page into ``_generated``; the conformance page runs all tests of published figures."""
    from pages.commands import command_line
    from pages.conformance import conformance
    from pages.decisions import decisions
    from pages.gallery import draw_gallery
    from pages.json_keys import json_keys
    from pages.markdown import write
    from pages.notebooks import notebooks
    from pages.python import python
    from pages.reproductions import reproductions
    from pages.tables import bibliography, coefficients, measures, scales, span_coefficients
    from pages.trust import stored_page

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
        "trust": stored_page(),
        "conformance": conformance(folder) if conformity else LEFT_OUT,
        **notebooks(docs / "notebooks", folder),
    }
    draw_gallery(docs / "gallery.md", folder / "gallery")
    for name, text in texts.items():
        write(folder / f"{name}.md", text)
