"""The keys of every command's JSON, read from what the commands really print."""

import contextlib
import io
import json
import shlex
import tempfile
from pathlib import Path
from typing import Any

from concurrence.cli.app import main
from pages.markdown import page, table

OPENING = """
`--json` prints one object. Numbers are never rounded; undefined values are null, with a `note` if there is room for a
reason; infinities are the strings `inf` and `-inf`; categories are always strings. Every object has `schema`, a number
that is raised when a key changes its meaning; `kind`, which tells `concur report` what to put on a page; `provenance`;
and `warnings`, a list of `code` and `text`. The keys below are read from actual output in this build; `NAME` stands for
names that come from the data, `[]` for lists.
""".strip()
FILES = {
    "labels.csv": "item,ann,bob,cy\n1,y,y,n\n2,n,n,n\n3,y,y,y\n4,n,n,y\n5,y,y,y\n6,n,y,n\n",
    "runs.csv": "item,topic,ann,bob,may,june\n1,x,y,y,n,n\n2,x,n,n,n,n\n3,y,y,y,y,y\n4,y,n,n,y,n\n5,x,y,y,y,y\n",
    "ratings.csv": "item,ann,bob\n1,9,8\n2,6,2\n3,8,8\n4,7,6\n",
    "choices.csv": "a,b,winner,coder\nx,y,x,ann\ny,x,x,bob\nx,z,z,ann\nz,x,x,bob\ny,z,tie,ann\nz,y,y,bob\n",
    "table.csv": ",yes,no\nyes,40,15\nno,20,25\n",
    "scored.csv": "l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\ni,j,0,1\nk,l,1,3\n",
    "gold.csv": "l1,l2,tp\na,b,1\nc,d,1\ne,f,0\ng,h,0\ni,j,0\nk,l,1\n",
    "pairs.csv": "l1,l2,f,f1,f2,N\nthe,swiss,110,2552,221,31777\n",
    "judged.csv": "l1,l2,f,f1,f2,N,tp\n"
    + "".join(f"v{i % 4},n{i},{9 - i // 2},20,12,200,{i % 2}\n" for i in range(12)),
    "text.txt": "a red rose\na red rose\nthe red rose\n",
    "krenn.csv": "PP,verb,is.colloc,freq,t.score,log.like,chisq.corr\n"
    + "".join(f"in:N{i},v,{str(i % 2 == 0).upper()},{9 - i},{i % 3},{i % 5},{i}\n" for i in range(8)),
    "bank.cupt": "1\tTake\ttake\tVERB\t_\t_\t0\troot\t_\t_\t1:VID\n2\ttea\ttea\tNOUN\t_\t_\t1\tobj\t_\t_\t1\n",
    "tagged.vrt": "<s>\na\tDET\ta\nred\tADJ\tred\nrose\tNOUN\trose\n</s>\n",
    "left.csv": "id,text,word,label\n1,He ran home.,run,a\n",
    "marks.csv": "document,coder,start,end,label\na,ann,0,5,PER\na,bob,0,5,PER\nb,ann,9,12,LOC\nb,bob,8,12,LOC\n",
    "right.csv": "id,text,word,label\n7,He ran home,run,b\n",
}
COMMANDS = (
    "agree table.csv --table",
    "compare labels.csv --wide --a ann,bob --b ann,cy --bootstrap 50",
    "judge runs.csv --wide --judge june --before may --by topic",
    "coders labels.csv --wide",
    "ratings ratings.csv --wide",
    "preferences choices.csv",
    "merge labels.csv --wide --shuffles 9",
    "match left.csv right.csv",
    "pairs text.txt",
    "krenn krenn.csv --rate 0.5 --upto 4",
    "mwe bank.cupt",
    "score pairs.csv -m MI",
    "measures MI",
    "sample scored.csv --size 3 -m MI,f --best 2 -o sample.csv",
    "evaluate scored.csv --gold gold.csv -m MI,f --n 1,2",
    "benchmark judged.csv -m frequency,MI --n 3,6 --draws 99",
    "plan agreement",
    "plan judge --draws 100",
    "plan looks --at 200,400,1000",
    "plan precision --n 500 --population 14654",
    "plan power --n 500 --overlap 300 --precision-a 0.4 --precision-b 0.3 --population 14654 --draws 100",
    "index text.txt -o index",
    "collocates text.txt red",
    "words text.txt",
    "sketch tagged.vrt rose",
    "contrast text.txt left.csv --format lines",
    "kwic text.txt red rose",
    "spans marks.csv --length 40 --bootstrap 50",
    "doctor",
)
KEYS_OF_NAMES = {
    "coefficients",
    "measures",
    "categories",
    "groups",
    "leans",
    "base_rates",
    "base_rate_intervals",
    "scales",
    "inputs",
    "by_category",
    "items",
    "coders",
    "counts",
    "marks",
    "relations",
    "types",
    "tables",
    "titles",
}
KEYS_OF_NAMES_OF_NAMES = {"base_rates", "base_rate_intervals"}
LEFT_OUT = {"schema", "kind", "provenance", "warnings"}


def json_keys() -> str:
    """The page."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        parts = [_command_section(line, folder) for line in COMMANDS]
    return page("JSON keys", OPENING, *parts)


def _command_section(line: str, folder: str) -> str:
    name = " ".join(word for word in line.split()[:2] if word.isalpha())
    entries = {key: value for key, value in run_for_json(line, folder).items() if key not in LEFT_OUT}
    kinds: dict[str, dict[str, None]] = {}
    for key, kind in _key_rows(entries):
        kinds.setdefault(key, {})[kind] = None
    rows = [(key, _join_kinds(list(names))) for key, names in kinds.items()]
    return f"## `concur {name}`\n\n{table(['key', 'holds'], rows)}"


def _join_kinds(kinds: list[str]) -> str:
    """The kinds of values a key had.

    >>> _join_kinds(["null", "number"]), _join_kinds(["null"])
    ('number or null', 'null here')
    """
    others = [kind for kind in kinds if kind != "null"]
    return " or ".join([*others, *(["null"] if "null" in kinds else [])]) if others else "null here"


def run_for_json(line: str, folder: str) -> dict[str, Any]:
    """What a command prints with ``--json``."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            main([*shlex.split(line), "--json"])
        except SystemExit as stopped:
            if stopped.code:
                raise RuntimeError(f"concur {line} ended with {stopped.code}") from None
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def _key_rows(value: Any, path: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict) and value:
        key_of = path.rpartition(".")[2].rstrip("[]")
        has_names = key_of in KEYS_OF_NAMES or path.removesuffix(".NAME") in KEYS_OF_NAMES_OF_NAMES
        return [
            row
            for key, entry in value.items()
            for row in _key_rows(entry, f"{path}.{'NAME' if has_names else key}" if path else key)
        ]
    if isinstance(value, list) and value and isinstance(value[0], dict | list):
        return [row for entry in value for row in _key_rows(entry, f"{path}[]")]
    return [(f"`{path}`", _kind(value))]


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return f"list of {_kind(value[0])}s" if value else "list"
    kinds = {bool: "true or false", int: "number", float: "number", str: "text", dict: "object"}
    return kinds.get(type(value), "null")
