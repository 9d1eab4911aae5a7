"""``python docs/write_references.py``: the data of the references for the package, from ``docs/references.bib``.

People edit the BibTeX file; the program reads the JSON file, so that nothing parses BibTeX when a page is made.
"""

import json
import re
from pathlib import Path

SOURCE = Path(__file__).with_name("references.bib")
TARGET = Path(__file__).parents[1] / "src" / "concurrence" / "report" / "references.json"


def references_json() -> str:
    """Every entry by its key: its fields as plain text, authors as *family, given and family, given*."""
    from pybtex.database import parse_file

    entries = parse_file(SOURCE).entries
    data = {
        key: {name.lower(): plain(text) for name, text in entry.fields.items()}
        | {role.lower(): plain(" and ".join(map(str, people))) for role, people in entry.persons.items()}
        for key, entry in entries.items()
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def plain(text: str) -> str:
    return " ".join(re.sub(r"[{}]", "", text).split())


if __name__ == "__main__":
    TARGET.write_text(references_json(), "utf-8")
