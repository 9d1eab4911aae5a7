"""What files a corpus was read from, and which files of its folders were not read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from itertools import islice
from pathlib import PurePath

from concurrence.core.errors import option_or_keyword
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

NAMED = 5
"""How many extensions, and how many files, a sentence names."""
OTHER_KIND = "not a format of corpora"


@value
class UnreadFile:
    """A file of a folder that was not read, and why."""

    file: str
    reason: str


@value
class Inventory:
    """How many files were read in each format, and the files of folders that were not read.

    ``encodings`` are those of files that were read in another one than was named, ``detected`` the formats that were
    seen in the first lines, ``ebooks`` the texts of Project Gutenberg without what it puts before and after them,
    ``damaged`` the documents that were repaired while they were read, ``remarks`` whatever else there is to say.
    """

    files: dict[str, int]
    left_out: tuple[UnreadFile, ...] = ()
    encodings: dict[str, str] = field(default_factory=dict)
    detected: dict[str, int] = field(default_factory=dict)
    ebooks: int = 0
    damaged: tuple[str, ...] = ()
    remarks: tuple[Sentence, ...] = ()

    def __add__(self, other: "Inventory") -> "Inventory":
        """Both, where files are added to an index."""
        return Inventory(
            files=dict(Counter(self.files) + Counter(other.files)),
            left_out=(*self.left_out, *other.left_out),
            encodings={**self.encodings, **other.encodings},
            detected=dict(Counter(self.detected) + Counter(other.detected)),
            ebooks=self.ebooks + other.ebooks,
            damaged=(*self.damaged, *other.damaged),
            remarks=(*self.remarks, *other.remarks),
        )

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """What a reader of the corpus must know of its files."""
        warnings = []
        if self.left_out:
            warnings.append(Sentence(code="files_left_out", text=_left_out_text(self), warning=True))
        if self.encodings:
            warnings.append(Sentence(code="encoding_guessed", text=_encodings_text(self.encodings), warning=True))
        if self.detected:
            way = option_or_keyword("--format", "format=")
            text = f"{join_formats(self.detected)}, judged by the first lines; {way} names another format."
            warnings.append(Sentence(code="format_detected", text=text, warning=True))
        if self.ebooks:
            text = (
                f"Of {count_noun(self.ebooks, 'text')}, what Project Gutenberg puts before and after it was left out."
            )
            warnings.append(Sentence(code="ebooks_cut", text=text, warning=True))
        if self.damaged:
            text = f"Damaged and read as far as possible, so text may be missing: {', '.join(_first(self.damaged))}."
            warnings.append(Sentence(code="files_damaged", text=text, warning=True))
        return (*warnings, *self.remarks)


NO_INVENTORY = Inventory(files={})


def _left_out_text(inventory: Inventory) -> str:
    """How many files were read, and which were not.

    >>> left_out = (UnreadFile(file="a.pdf", reason=OTHER_KIND), UnreadFile(file="README", reason="about the folder"))
    >>> _left_out_text(Inventory(files={"lines": 3}, left_out=left_out))
    '3 files were read as lines; 2 were left out: .pdf, README (about the folder). To read a file anyway, name it.'
    """
    others = [PurePath(entry.file) for entry in inventory.left_out if entry.reason == OTHER_KIND]
    endings = Counter(file.suffix.lower() or file.name for file in others)
    parts = [
        *_first(f"{ending}{f' ({n:,})' * (n > 1)}" for ending, n in endings.most_common()),
        *_first(f"{entry.file} ({entry.reason})" for entry in inventory.left_out if entry.reason != OTHER_KIND),
    ]
    read = join_formats(inventory.files)
    n = len(inventory.left_out)
    return f"{read}; {n:,} {'was' if n == 1 else 'were'} left out: {', '.join(parts)}. To read a file anyway, name it."


def _encodings_text(encodings: dict[str, str]) -> str:
    """Which files are in which encoding.

    >>> _encodings_text({"a.txt": "cp1252", "b.txt": "cp1252", "c.txt": "utf-16"})
    'Read as cp1252: a.txt, b.txt; as utf-16: c.txt. Name the encoding if that is wrong.'
    """
    files: dict[str, list[str]] = {}
    for name, encoding in encodings.items():
        files.setdefault(encoding, []).append(name)
    parts = "; ".join(f"as {encoding}: {', '.join(_first(names))}" for encoding, names in files.items())
    return f"Read {parts}. Name the encoding if that is wrong."


def join_formats(files: dict[str, int]) -> str:
    """How many files were read in which format.

    >>> join_formats({"lines": 3}), join_formats({"lines": 1, "vrt": 2})
    ('3 files were read as lines', '1 file was read as lines, 2 as vrt')
    """
    (first, n), *others = files.items()
    rest = "".join(f", {number:,} as {name}" for name, number in others)
    return f"{count_noun(n, 'file')} {'was' if n == 1 else 'were'} read as {first}{rest}"


def _first(parts: Iterable[str]) -> list[str]:
    names = iter(parts)
    first = list(islice(names, NAMED))
    more = sum(1 for _ in names)
    return [*first, f"{more:,} more"] if more else first
