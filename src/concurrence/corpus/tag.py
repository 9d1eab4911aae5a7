"""Plain text to CoNLL-U, by any of the taggers.

The text stays as it was written: ``# text`` holds the sentence, ``SpaceAfter=No`` says where nothing stood between two
tokens, and every file begins a document of its name. Line breaks and repeated spaces become one space.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence as Doubt
from concurrence.core.sentences import count_noun
from concurrence.core.values import value
from concurrence.corpus.conversion import make_readable
from concurrence.corpus.folders import CorpusFiles, find_sources
from concurrence.corpus.running_text import paragraphs_of
from concurrence.corpus.source_files import Source, read_blocks
from concurrence.corpus.taggers import NOTHING, Sentence, TaggedWord, Tagger


@value
class TaggedCorpus(Result):
    """What was tagged, by which tagger, and where it was written."""

    path: str
    tagger: str
    documents: int
    sentences: int
    tokens: int
    tagged: int
    broken: int = 0
    warnings: tuple[Doubt, ...] = ()

    def __str__(self) -> str:
        sizes = [count_noun(self.tokens, "token"), count_noun(self.sentences, "sentence")]
        left_out = f" {count_noun(self.broken, 'broken line')} left out." if self.broken else ""
        return f"{', '.join(sizes)} and {count_noun(self.documents, 'document')}, tagged by {self.tagger}.{left_out}"


def doubts_of_tags(tagger: str, *, tokens: int, tagged: int) -> tuple[Doubt, ...]:
    """Whether the tagger gave parts of speech at all."""
    if tagged or not tokens:
        return ()
    text = f"{tagger} gave no parts of speech, so rules by them find nothing; choose a model with a tagger."
    return (Doubt(code="no_parts_of_speech", text=text, warning=True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedParagraph:
    """The lines of a paragraph in CoNLL-U, what they hold, and how many broken lines were left out before it.

    ``tagged`` counts the tokens with a part of speech.
    """

    text: str = ""
    sentences: int = 0
    tokens: int = 0
    tagged: int = 0
    broken: int = 0
    begins_document: bool = False


def text_files(texts: Sequence[str | Path], *, encoding: str = "utf-8") -> CorpusFiles:
    """All files that names, folders and globs stand for."""
    return find_sources(texts, format_="text", encoding=encoding)


def tag_texts(
    texts: CorpusFiles,
    tagger: Tagger,
    *,
    skip_broken: bool = False,
    progress: Progress | None = None,
) -> Iterator[TaggedParagraph]:
    """Tag plain text, paragraph by paragraph; every file is a document. Lines that are not text can be left out."""
    sources = texts.sources
    total = sum(source.path.stat().st_size for source in sources if source.path.is_file())
    sent: deque[tuple[Source, int]] = deque()
    broken = Counter[str]()

    def paragraphs() -> Iterator[str]:
        for source in sources:
            in_place = b"" if skip_broken else None
            for block in read_blocks(_plain_text(source), cuts=(b"\n\n", b"\n\r\n"), in_place_of_broken=in_place):
                broken["lines"] += block.broken
                for paragraph in paragraphs_of(block.data.decode("utf-8")):
                    sent.append((source, len(paragraph.encode()) + 1))
                    yield paragraph

    document: Source | None = None
    number = done = 0
    for sentences in tagger(paragraphs()):
        source, size = sent.popleft()
        done += size
        if progress is not None:
            progress(min(done, total), total)
        if not sentences:
            continue
        begins, document, name = source != document, source, source.name
        number = 0 if begins else number
        lines = [f"# newdoc id = {name}\n"] if begins else []
        for sentence in sentences:
            number += 1
            lines.append(f"# sent_id = {name}-{number}\n{conllu(sentence)}\n")
        words = [word for sentence in sentences for word in sentence]
        yield TaggedParagraph(
            text="".join(lines),
            sentences=len(sentences),
            tokens=len(words),
            tagged=sum(word.pos != NOTHING for word in words),
            begins_document=begins,
            broken=broken.pop("lines", 0),
        )
    if broken["lines"]:
        yield TaggedParagraph(broken=broken["lines"])


def _plain_text(source: Source) -> Source:
    """The running text of a file; words that have tags already are not tagged again."""
    if source.format == "tei":
        raise InvalidInputError(f"{source.path} is TEI, which concur index reads as it is; tag takes plain text.")
    return make_readable(source, language="").source


def conllu(sentence: Sentence) -> str:
    """A sentence as lines of CoNLL-U.

    >>> print(conllu([TaggedWord(form="Hm", space=False), TaggedWord(form=".")]))
    # text = Hm.
    1	Hm	_	_	_	_	_	_	_	SpaceAfter=No
    2	.	_	_	_	_	_	_	_	_
    <BLANKLINE>
    """
    written, lines = "", []
    covered = 0
    for number, word in enumerate(sentence, start=1):
        last = number + max(word.covers, covered) - 1 >= len(sentence)
        misc = NOTHING if word.space or last else "SpaceAfter=No"
        if word.covers > 1:
            lines.append(_line(f"{number}-{number + word.covers - 1}", word.written, misc=misc))
            covered = word.covers
        if word.covers > 1 or not covered:
            written += (word.written or word.form) + (" " if word.space and not last else "")
        lines.append(_word_line(number, word, misc=NOTHING if covered else misc))
        covered = max(covered - 1, 0)
    return f"# text = {written}\n{''.join(lines)}"


def _word_line(number: int, word: TaggedWord, *, misc: str) -> str:
    head = NOTHING if word.head is None else str(word.head)
    return _line(str(number), word.form, word.lemma, word.pos, word.xpos, NOTHING, head, word.relation, misc=misc)


def _line(number: str, *fields: str, misc: str) -> str:
    row: Iterable[str] = (number, *fields, *[NOTHING] * (8 - len(fields)), misc)
    return "\t".join(row) + "\n"
