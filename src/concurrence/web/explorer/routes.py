"""The addresses of the explorer: the page, what it asks for, and the same as files."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from concurrence._version import __version__
from concurrence.core.display import count_noun
from concurrence.core.query import parse_query
from concurrence.web.explorer import judging, list_views, words
from concurrence.web.explorer.corpus import Around, ExploredCorpus, NodeQuery
from concurrence.web.explorer.lists import ExploredList
from concurrence.web.explorer.sources import Explored
from concurrence.web.explorer.tables import MOST_ROWS, as_csv, turned
from concurrence.web.pages import render

router = APIRouter()

Name = Annotated[str, Query(max_length=500)]
Text = Annotated[str, Query(max_length=1000)]
Tokens = Annotated[int, Query(ge=0, le=20)]
Least = Annotated[int, Query(ge=1, le=10**9)]
Page = Annotated[int, Query(ge=1, le=10**7)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=500)]
Size = Annotated[int, Query(ge=1, le=10**9)]
Only = Literal["all", "true", "false", "unjudged"]


def explored_of(request: Request) -> Explored:
    explored: Explored = request.app.state.explored
    return explored


def corpus_of(request: Request, corpus: Name = "") -> ExploredCorpus:
    return explored_of(request).corpus(corpus)


def list_of(request: Request, name: Annotated[str, Query(max_length=500, alias="list")] = "") -> ExploredList:
    return explored_of(request).list(name)


def node_of(q: Text, unit: Literal["form", "lemma"] = "form", lower: bool = True) -> NodeQuery:
    parse_query(q)
    return NodeQuery(query=q.strip(), unit=unit, lower=lower)


def around_of(
    node: Annotated[NodeQuery, Depends(node_of)],
    left: Tokens = 5,
    right: Tokens = 5,
    pos: Name = "",
    whole: bool = False,
) -> Around:
    return Around(node=node, left=left, right=right, pos=pos, whole=whole)


Corpus = Annotated[ExploredCorpus, Depends(corpus_of)]
List = Annotated[ExploredList, Depends(list_of)]
Near = Annotated[Around, Depends(around_of)]


@router.get("/")
def page(request: Request) -> HTMLResponse:
    return render("explorer.html", version=__version__, explored=explored_of(request))


@router.get("/api/about")
def about(request: Request) -> dict[str, Any]:
    """What there is to look at."""
    explored = explored_of(request)
    return {
        "version": __version__,
        "corpora": [
            {
                "name": one.name,
                "words": one.size,
                "tokens": one.corpus.n_tokens,
                "documents": len(one.corpus.documents.names),
                "units": one.units,
                "tags": one.tags,
                "sketches": one.has_sketches,
                "examples": one.examples,
            }
            for one in explored.corpora
        ],
        "lists": [
            {
                "name": one.name,
                "words": f"{count_noun(len(one), 'candidate')}.",
                "candidates": len(one),
                "key": one.key,
                "measures": one.titles,
                "judged": one.judgements is not None,
                "frequency": "f" in one.table.columns,
            }
            for one in explored.lists
        ],
    }


@router.get("/api/collocates")
def collocates_json(
    here: Corpus,
    around: Near,
    sort: Name = "logDice",
    descending: bool = True,
    min_freq: Least = 2,
    offset: Offset = 0,
    limit: Limit = 50,
    show: Name = "",
) -> dict[str, Any]:
    return words.collocates_shown(
        here, around, sort=sort, descending=descending, min_freq=min_freq, offset=offset, limit=limit, show=show
    )


@router.get("/api/collocates.csv")
def collocates_csv(
    here: Corpus, around: Near, sort: Name = "logDice", descending: bool = True, min_freq: Least = 2
) -> Response:
    shown = words.collocates_shown(
        here, around, sort=sort, descending=descending, min_freq=min_freq, offset=0, limit=MOST_ROWS
    )
    return as_csv(f"collocates-{around.node.query}", turned(shown["collocates"]))


@router.get("/api/lines")
def lines(
    here: Corpus, around: Near, word: Name | None = None, order: Name = "corpus", page: Page = 1, limit: Limit = 20
) -> dict[str, Any]:
    return words.lines_shown(here, around, word, sort=order, page=page, limit=limit)


@router.get("/api/lines.csv")
def lines_csv(here: Corpus, around: Near, word: Name | None = None, order: Name = "corpus") -> Response:
    shown = words.lines_shown(here, around, word, sort=order, page=1, limit=MOST_LINES)["lines"]
    joined = [line | {side: "".join(text for text, _ in line[side]) for side in ("left", "right")} for line in shown]
    return as_csv(f"lines-{around.node.query}", turned(joined))


MOST_LINES = 10_000


@router.get("/api/spread")
def spread(here: Corpus, around: Near, word: Name | None = None) -> dict[str, Any]:
    return words.spread_shown(here, around, word)


@router.get("/api/sketch")
def sketch_json(here: Corpus, node: Annotated[NodeQuery, Depends(node_of)], min_freq: Least = 2) -> dict[str, Any]:
    return words.sketch_shown(here, node, min_freq=min_freq)


@router.get("/api/evaluation")
def evaluation(here: List) -> dict[str, Any]:
    return {"evaluation": list_views.evaluation_shown(here)}


@router.get("/api/rows")
def rows(
    here: List, measure: Name, n: Size, only: Only = "all", find: Name = "", offset: Offset = 0, limit: Limit = 50
) -> dict[str, Any]:
    return list_views.rows_shown(here, measure, n, only=only, find=find, offset=offset, limit=limit)


@router.get("/api/rows.csv")
def rows_csv(here: List, measure: Name, n: Size, only: Only = "all", find: Name = "") -> Response:
    shown = list_views.rows_shown(here, measure, n, only=only, find=find, offset=0, limit=MOST_ROWS)["rows"]
    return as_csv(f"{here.name}-{measure}-{n}", turned(_with_words(here, row) for row in shown))


def _with_words(here: ExploredList, row: dict[str, Any]) -> dict[str, Any]:
    named = dict(zip(here.key, row["words"], strict=True))
    return {"rank": row["rank"], "words": named, "f": row["f"], "scores": row["scores"], "verdict": row["verdict"]}


@router.get("/api/points")
def points_json(here: List, measure: Name, n: Size) -> dict[str, Any]:
    return list_views.points_shown(here, measure, n)


@router.get("/api/difference")
def difference(
    here: List,
    a: Name,
    b: Name,
    n: Size,
    side: Literal["a", "b"] = "a",
    only: Only = "all",
    offset: Offset = 0,
    limit: Limit = 50,
) -> dict[str, Any]:
    return list_views.difference_shown(here, a, b, n, side=side, only=only, offset=offset, limit=limit)


@router.get("/api/difference.csv")
def difference_csv(
    here: List, a: Name, b: Name, n: Size, side: Literal["a", "b"] = "a", only: Only = "all"
) -> Response:
    shown = list_views.difference_shown(here, a, b, n, side=side, only=only, offset=0, limit=MOST_ROWS)["rows"]
    one, two = (a, b) if side == "a" else (b, a)
    return as_csv(f"{here.name}-{one}-not-{two}-{n}", turned(_with_words(here, row) for row in shown))


@router.get("/api/ties")
def ties_json(here: List, measure: Name, n: Size, draw: Annotated[int, Query(ge=1, le=10**6)] = 1) -> dict[str, Any]:
    return list_views.tied_shown(here, measure, n, draw=draw)


@router.get("/api/judging")
def judging_commands(here: List, measure: Name, n: Size, size: Size, other: Name = "") -> dict[str, Any]:
    return {"commands": judging.commands(here, _measures(measure, other), n, size)}


@router.get("/api/sample.parquet")
def sample(here: List, measure: Name, n: Size, size: Size, other: Name = "") -> Response:
    """A sample to judge, with its design inside."""
    drawn = judging.sample_file(here, _measures(measure, other), n, size)
    headers = {"content-disposition": 'attachment; filename="sample.parquet"'}
    return Response(drawn, media_type="application/vnd.apache.parquet", headers=headers)


def _measures(measure: str, other: str) -> tuple[str, ...]:
    return (measure, other) if other else (measure,)
