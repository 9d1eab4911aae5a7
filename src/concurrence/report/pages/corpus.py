"""An index and a tagged corpus as documents."""

from concurrence.core.sentences import count_noun, format_cell
from concurrence.corpus.index import IndexSummary
from concurrence.corpus.tag import TaggedCorpus
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table


def index_document(result: IndexSummary) -> Document:
    """What the index holds."""
    rows = [(name, number) for name, number in result.layers.items()]
    table = Table.of("Layers", ("layer", "different words"), rows)
    size = (
        f"{format_cell(result.bytes / 1e6, digits=3)} MB" if result.bytes >= 1e6 else count_noun(result.bytes, "byte")
    )
    return Document(
        title="Index",
        question="What does the index hold?",
        answer=(f"{result} {size} on disk.",),
        warnings=tuple(map(str, result.warnings)),
        sections=(Section(title="Layers", blocks=(table,)),),
    )


def tagged_document(result: TaggedCorpus) -> Document:
    """How much was tagged, and by what."""
    warnings = tuple(str(one) for one in result.warnings)
    return Document(
        title="Tagged text", question="What was tagged?", answer=(str(result),), warnings=warnings, sections=()
    )


PRESENTERS: Presenters = (Presenter(IndexSummary, index_document), Presenter(TaggedCorpus, tagged_document))
