"""The taggers: HanTa, spaCy and Stanza, each as a function from paragraphs to tagged sentences."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain, islice
from typing import Any

from concurrence.core.errors import InvalidInputError, MissingExtraError, UnknownNameError
from concurrence.core.system import usable_cores
from concurrence.corpus.running_text import GLUE, split_running
from concurrence.corpus.tagsets import DUTCH, ENGLISH, GERMAN, part_of_speech

AT_ONCE = 25
"""Paragraphs that one process takes at a time."""
FEW = 50
"""With fewer paragraphs, one process does all."""
NOTHING = "_"
TOKEN = re.compile(rf"([^ {chr(GLUE)}]+)( ?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedWord:
    """A word and what a tagger says of it; ``head`` counts the words of the sentence from 1, 0 is its root.

    ``covers`` words from here on were written as one token, ``written``. ``space`` tells whether a space follows.
    """

    form: str
    lemma: str = NOTHING
    pos: str = NOTHING
    xpos: str = NOTHING
    head: int | None = None
    relation: str = NOTHING
    space: bool = True
    covers: int = 1
    written: str = ""


Sentence = list[TaggedWord]
Tagger = Callable[[Iterable[str]], Iterable[list[Sentence]]]
"""Paragraphs to the sentences of each."""


def find_tagger(name: str) -> Tagger:
    """The tagger of ``hanta:de``, ``spacy:MODEL`` or ``stanza:LANG``."""
    kind, colon, model = name.partition(":")
    if kind not in TAGGERS:
        raise UnknownNameError("tagger", kind, TAGGERS)
    if not (colon and model):
        raise InvalidInputError(f"The tagger {name!r} must be written as {TAGGERS[kind].form}.")
    return TAGGERS[kind].make(model)


@dataclass(frozen=True, slots=True, kw_only=True)
class HanTaTagger:
    """Tags and lemmas by HanTa; all cores take a share of the paragraphs."""

    language: str
    model: str
    tags: dict[str, str] = field(repr=False)

    def __call__(self, paragraphs: Iterable[str]) -> Iterator[list[Sentence]]:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        rest = iter(paragraphs)
        start, cores = list(islice(rest, FEW)), usable_cores()
        if len(start) < FEW or cores == 1:  # a process of its own takes longer to start
            yield from chain.from_iterable(_hanta_batch(self, batch) for batch in _batches(chain(start, rest)))
            return
        with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
            waiting = []
            for batch in _batches(chain(start, rest)):
                waiting.append(pool.submit(_hanta_batch, self, batch))
                if len(waiting) >= 4 * cores:
                    yield from waiting.pop(0).result()
            for one in waiting:
                yield from one.result()


def _batches(paragraphs: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(paragraphs, AT_ONCE)):
        yield batch


_MODELS: dict[str, Any] = {}
"""What this process has loaded; a model takes as long to load as a thousand words to tag."""


def _hanta_batch(how: HanTaTagger, paragraphs: Sequence[str]) -> list[list[Sentence]]:
    if how.model not in _MODELS:
        _MODELS[how.model] = import_module("HanTa.HanoverTagger").HanoverTagger(how.model)
    return [_hanta_paragraph(how, _MODELS[how.model], text) for text in paragraphs]


def _hanta_paragraph(how: HanTaTagger, model: Any, text: str) -> list[Sentence]:
    sentences = []
    for sentence in split_running(text, language=how.language, glue=True):
        tokens = [(token[1], token[2] == " ") for token in TOKEN.finditer(sentence)]
        tagged = model.tag_sent([form for form, _ in tokens])
        sentences.append(
            [
                TaggedWord(
                    form=form, lemma=lemma or form, pos=part_of_speech(how.tags, form, tag), xpos=tag, space=space
                )
                for (form, space), (_, lemma, tag) in zip(tokens, tagged, strict=True)
            ]
        )
    return sentences


HANTA = {
    "de": ("morphmodel_ger.pgz", GERMAN),
    "en": ("morphmodel_en.pgz", ENGLISH),
    "nl": ("morphmodel_dutch.pgz", DUTCH),
}


def _hanta(language: str) -> Tagger:
    if language not in HANTA:
        raise UnknownNameError("HanTa model", language, HANTA)
    try:
        import_module("HanTa.HanoverTagger")
    except ImportError as error:
        raise MissingExtraError("Tagging with HanTa", "tag") from error
    model, tags = HANTA[language]
    return HanTaTagger(language=language, model=model, tags=tags)


def _spacy(model: str) -> Tagger:
    spacy = _imported("spacy", "spaCy")
    try:
        pipeline = spacy.load(model)
    except OSError as error:
        raise InvalidInputError(
            f"spaCy has no model {model!r} here; install it with: python -m spacy download {model}"
        ) from error
    if not any(pipe in pipeline.pipe_names for pipe in ("parser", "senter", "sentencizer")):
        pipeline.add_pipe("sentencizer", first=True)

    def tagged(paragraphs: Iterable[str]) -> Iterator[list[Sentence]]:
        rest = iter(paragraphs)
        start = list(islice(rest, FEW))
        processes = usable_cores() if len(start) == FEW else 1
        for document in pipeline.pipe(chain(start, rest), n_process=processes):
            yield spacy_sentences(document)

    return tagged


def spacy_sentences(document: Any) -> list[Sentence]:
    """The sentences of a document of spaCy; one that was not divided is one sentence."""
    parts = document.sents if document.has_annotation("SENT_START") else [document]
    return [words for part in parts if (words := _spacy_sentence(document, part))]


def _spacy_sentence(document: Any, sentence: Any) -> Sentence:
    """The words of a sentence; white space is no word."""
    words = [token for token in sentence if not token.is_space]
    number = {token.i: k for k, token in enumerate(words, start=1)}
    parsed = document.has_annotation("DEP")
    return [
        TaggedWord(
            form=token.text,
            lemma=token.lemma_ or NOTHING,
            pos=token.pos_ or NOTHING,
            xpos=token.tag_ or NOTHING,
            head=(0 if token.head.i == token.i else number.get(token.head.i)) if parsed else None,
            relation=(token.dep_.lower() or NOTHING) if parsed else NOTHING,
            space=bool(token.whitespace_),
        )
        for token in words
    ]


def _stanza(language: str) -> Tagger:
    stanza = _imported("stanza", "Stanza")
    try:
        pipeline = stanza.Pipeline(
            language, processors="tokenize,mwt,pos,lemma,depparse", download_method=None, verbose=False
        )
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"Stanza has no models for {language!r} here; install them with: "
            f"python -c 'import stanza; stanza.download(\"{language}\")'"
        ) from error

    def tagged(paragraphs: Iterable[str]) -> Iterator[list[Sentence]]:
        for text in paragraphs:  # the library uses all cores itself
            yield [_stanza_sentence(text, sentence) for sentence in pipeline(text).sentences]

    return tagged


def _stanza_sentence(text: str, sentence: Any) -> Sentence:
    words: Sentence = []
    for token in sentence.tokens:
        space = text[token.end_char : token.end_char + 1].isspace()
        for place, word in enumerate(token.words):
            first = place == 0 and len(token.words) > 1
            words.append(
                TaggedWord(
                    form=word.text,
                    lemma=word.lemma or NOTHING,
                    pos=word.upos or NOTHING,
                    xpos=word.xpos or NOTHING,
                    head=word.head,
                    relation=word.deprel or NOTHING,
                    space=space,
                    covers=len(token.words) if first else 1,
                    written=token.text if first else "",
                )
            )
    return words


def _imported(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise InvalidInputError(f"{name} is not installed; install it with: pip install {module}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerRow:
    """How a tagger is named on the command line, and what makes it."""

    form: str
    make: Callable[[str], Tagger]


TAGGERS = {
    "hanta": TaggerRow(form="hanta:de, hanta:en or hanta:nl", make=_hanta),
    "spacy": TaggerRow(form="spacy:MODEL, such as spacy:de_core_news_sm", make=_spacy),
    "stanza": TaggerRow(form="stanza:LANG, such as stanza:de", make=_stanza),
}
