"""The addresses of the explorer: the page, what it asks for, and the same as files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from concurrence._version import __version__
from concurrence.core.query import parse_query
from concurrence.core.sentences import count_noun
from concurrence.web.explorer import judging, list_views, words
from concurrence.web.explorer.corpus import Around, ExplorerCorpus, NodeQuery
from concurrence.web.explorer.lists import ExplorerList
from concurrence.web.explorer.sources import ExplorerSources
from concurrence.web.pages import render

router = APIRouter()

MOST_ROWS = 100_000
"""How many rows a file has; it has all that is seen, and not one page alone."""

Name = Annotated[str, Query(max_length=500)]
Text = Annotated[str, Query(max_length=1000)]
Tokens = Annotated[int, Query(ge=0, le=20)]
Least = Annotated[int, Query(ge=1, le=10**9)]
Page = Annotated[int, Query(ge=1, le=10**7)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=500)]
Size = Annotated[int, Query(ge=1, le=10**9)]
Only = Literal["all", "true", "false", "unjudged"]


def explored_of(request: Request) -> ExplorerSources:
    explored: ExplorerSources = request.app.state.explored
    return explored


def corpus_of(request: Request, corpus: Name = "") -> ExplorerCorpus:
    return explored_of(request).corpus(corpus)


def list_of(request: Request, name: Annotated[str, Query(max_length=500, alias="list")] = "") -> ExplorerList:
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


Corpus = Annotated[ExplorerCorpus, Depends(corpus_of)]
List = Annotated[ExplorerList, Depends(list_of)]
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
    explored: Corpus,
    around: Near,
    sort: Name = "logDice",
    descending: bool = True,
    min_freq: Least = 2,
    offset: Offset = 0,
    limit: Limit = 50,
    show: Name = "",
) -> dict[str, Any]:
    return words.collocates_view(
        explored, around, sort=sort, descending=descending, min_freq=min_freq, offset=offset, limit=limit, show=show
    )


@router.get("/api/collocates.csv")
def collocates_csv(
    explored: Corpus, around: Near, sort: Name = "logDice", descending: bool = True, min_freq: Least = 2
) -> Response:
    view = words.collocates_view(
        explored, around, sort=sort, descending=descending, min_freq=min_freq, offset=0, limit=MOST_ROWS
    )
    return as_csv(f"collocates-{around.node.query}", rows_as_columns(view["collocates"]))


@router.get("/api/lines")
def lines(
    explored: Corpus, around: Near, word: Name | None = None, order: Name = "corpus", page: Page = 1, limit: Limit = 20
) -> dict[str, Any]:
    return words.lines_view(explored, around, word, sort=order, page=page, limit=limit)


@router.get("/api/lines.csv")
def lines_csv(explored: Corpus, around: Near, word: Name | None = None, order: Name = "corpus") -> Response:
    lines = words.lines_view(explored, around, word, sort=order, page=1, limit=MOST_LINES)["lines"]
    joined = [line | {side: "".join(text for text, _ in line[side]) for side in ("left", "right")} for line in lines]
    return as_csv(f"lines-{around.node.query}", rows_as_columns(joined))


MOST_LINES = 10_000


@router.get("/api/spread")
def spread(explored: Corpus, around: Near, word: Name | None = None) -> dict[str, Any]:
    return words.spread_view(explored, around, word)


@router.get("/api/sketch")
def sketch_json(explored: Corpus, node: Annotated[NodeQuery, Depends(node_of)], min_freq: Least = 2) -> dict[str, Any]:
    return words.sketch_view(explored, node, min_freq=min_freq)


@router.get("/api/evaluation")
def evaluation(explored: List) -> dict[str, Any]:
    return {"evaluation": list_views.evaluation_view(explored)}


@router.get("/api/rows")
def rows(
    explored: List, measure: Name, n: Size, only: Only = "all", find: Name = "", offset: Offset = 0, limit: Limit = 50
) -> dict[str, Any]:
    return list_views.rows_view(explored, measure, n, only=only, find=find, offset=offset, limit=limit)


@router.get("/api/rows.csv")
def rows_csv(explored: List, measure: Name, n: Size, only: Only = "all", find: Name = "") -> Response:
    rows = list_views.rows_view(explored, measure, n, only=only, find=find, offset=0, limit=MOST_ROWS)["rows"]
    return as_csv(f"{explored.name}-{measure}-{n}", rows_as_columns(_with_words(explored, row) for row in rows))


def _with_words(explored: ExplorerList, row: dict[str, Any]) -> dict[str, Any]:
    named = dict(zip(explored.key, row["words"], strict=True))
    return {"rank": row["rank"], "words": named, "f": row["f"], "scores": row["scores"], "verdict": row["verdict"]}


@router.get("/api/points")
def points_json(explored: List, measure: Name, n: Size) -> dict[str, Any]:
    return list_views.points_view(explored, measure, n)


@router.get("/api/difference")
def difference(
    explored: List,
    a: Name,
    b: Name,
    n: Size,
    side: Literal["a", "b"] = "a",
    only: Only = "all",
    offset: Offset = 0,
    limit: Limit = 50,
) -> dict[str, Any]:
    return list_views.difference_view(explored, a, b, n, side=side, only=only, offset=offset, limit=limit)


@router.get("/api/difference.csv")
def difference_csv(
    explored: List, a: Name, b: Name, n: Size, side: Literal["a", "b"] = "a", only: Only = "all"
) -> Response:
    view = list_views.difference_view(explored, a, b, n, side=side, only=only, offset=0, limit=MOST_ROWS)["rows"]
    one, two = (a, b) if side == "a" else (b, a)
    return as_csv(f"{explored.name}-{one}-not-{two}-{n}", rows_as_columns(_with_words(explored, row) for row in view))


@router.get("/api/ties")
def ties_json(
    explored: List, measure: Name, n: Size, draw: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> dict[str, Any]:
    return list_views.tied_view(explored, measure, n, draw=draw)


@router.get("/api/judging")
def judging_commands(explored: List, measure: Name, n: Size, size: Size, other: Name = "") -> dict[str, Any]:
    return {"commands": judging.commands(explored, _measures(measure, other), n, size)}


@router.get("/api/sample.parquet")
def sample(explored: List, measure: Name, n: Size, size: Size, other: Name = "") -> Response:
    """A sample to judge, with its design inside."""
    drawn = judging.sample_file(explored, _measures(measure, other), n, size)
    headers = {"content-disposition": 'attachment; filename="sample.parquet"'}
    return Response(drawn, media_type="application/vnd.apache.parquet", headers=headers)


def _measures(measure: str, other: str) -> tuple[str, ...]:
    return (measure, other) if other else (measure,)


def as_csv(name: str, columns: Mapping[str, Sequence[Any]]) -> Response:
    """A table to keep; numbers are not rounded."""
    text = pl.DataFrame(dict(columns), strict=False, nan_to_null=True).write_csv()
    safe = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-" for letter in name)
    headers = {"content-disposition": f'attachment; filename="{safe[:80]}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def rows_as_columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns; a dictionary in a row gives one column for each of its keys."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, cell in row.items():
            for key, entry in cell.items() if isinstance(cell, dict) else ((name, cell),):
                columns.setdefault(key, []).append(_number(entry))
    return columns


def _number(entry: Any) -> Any:
    return float(entry) if entry in ("inf", "-inf") else entry
