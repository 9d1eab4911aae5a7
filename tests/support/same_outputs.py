"""``python tests/support/same_outputs.py OLD NEW``: do two checkouts give the same output for the same commands?

For restructurings. Every command of ``ROWS``, and the help of every command, runs with the sources of both checkouts,
one process per command, in two working folders that begin with the same inputs. Exit code, stdout, stderr and every
file that a command writes are compared: words as words, numbers in full precision to 1e-12 (``outputs.py``). Both sides
use the packages of this interpreter.
"""

import gzip
import hashlib
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.outputs import NUMBER, same_number

# What differs between two runs of the same sources, what stands for it, and why it does.
VARYING = (
    (r"\bdata-[a-z0-9_]{8}\b", "data-RANDOM", "the data folder of an index has a random name"),
    (r"join#[\w-]{43}", "join#TOKEN", "links are secrets"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b", "UUID", "a uuid of version 4 is random"),
    (r"VALUES\(1,'[0-9a-f]{8}'", "VALUES(1,'NAME'", "the name of an installation is random"),
    (r"\b[0-9a-f]{64}\b", "DIGEST", "hashes of secrets; checksums of files have been replaced by their names before"),
    (r"\b1[6-9]\d{11}\b", "MILLISECONDS", "times in databases and exports"),
    (r"\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d", "TIME", "times in the security log"),
    (r"\b20\d{6}T\d{6}\b", "STAMP", "the time in the name of a backup"),
)

# A file and its lines, with bars between them.
INPUTS = """
table.csv | ,yes,no | yes,40,15 | no,20,25
wide.csv | item,word,ann,bob,cy | 1,p,n,n,v | 2,p,v,v,v | 3,p,x,v, | 4,p,n,n,n | 5,p,v,x,v | 6,q,x,x,x | 7,q,n,v,n
sets.csv | item,ann,bob | 1,a+b,a | 2,b,b | 3,a+c,c+a | 4,c,b+c | 5,a,a | 6,b+c,b
groups.csv | coder,group | A,old | B,old | C,old | D,old | E,young | F,young | G,young
judge.json | {"model": {"1": "n", "2": "v", "3": "x", "4": "n", "5": "v", "6": "x", "7": "n"}}
ratings.csv | item,ann,bob,cy | 1,9,2,5 | 2,6,1,3 | 3,8,4,6 | 4,7,1,2 | 5,10,5,6 | 6,6,2,4
choices.csv | a,b,winner,coder | x,y,x,ann | y,x,x,bob | x,z,z,ann | z,x,x,bob | y,z,tie,ann | z,y,y,bob
self.csv | a,b,winner | x,x,a
news.conll | # coders = ann bob | # newdoc id = 1 | Ada B-PER B-PER | left O B-ORG | # newdoc id = 2 | Rome B-LOC B-ORG
marks.csv | document,coder,start,end,label | a,ann,0,12,PER | a,bob,0,12,PER | a,bob,21,26,LOC | b,ann,4,9,LOC
lengths.csv | document,length | a,40 | b,25
turned.csv | document,coder,start,end,label | a,ann,0,12,PER | a,bob,12,3,PER
left.csv | id,text,word,label | a1,He paid the bank.,bank,1 | a2,The bank closed early that day,bank,1
right.csv | id,text,word,label | b1,He paid the bank,bank,1 | b2,The bank closed early on that day,bank,2
classes.csv | category,class | n,1 | v,2 | x,2
tree.csv | child,parent | n,top | v,low | x,low | low,top
glosses.csv | category,gloss | n,a noun | v,a verb | x,another
counts.csv | one,two,by,count | 1,1,a,14 | 1,0,a,4 | 0,1,a,9 | 0,0,a,528 | 1,1,b,887 | 1,0,b,31 | 0,1,b,37 | 0,0,b,367
news.vrt | <text year="1994"> | <s> | Fax | me | </s> | </text> | <text year="2004"> | <s> | Mail | me | </s> | </text>
roses.txt | a red rose | a red rose | the red rose , a rose
more.txt | a red rose and a red nose
patterns.txt | thing = 1:[pos="VERB"] [pos="ADJ"]{0,2} 2:[pos="NOUN"]
verbs.csv | verb,ditransitive,to-dative | give,461,146 | tell,128,2 | bring,7,82
tee.txt | Sie trank starken Tee. Der Tee war stark.
items.csv | l1,l2,part,f | pay,attention,1,9 | red,car,2,4 | take,walk,all,7 | see,dog,1,3
new.csv | l1,l2 | make,sense | blue,sky
yesno.toml | [[question]] | id = "collocation" | choices = ["yes", "no"]
broken.toml | [[question]] | id = 3
manual.md | # What counts | A habitual pair.
model.csv | l1,l2,label | pay,attention,yes | red,car,no | take,walk,yes | see,dog,no
"""
LONGER_INPUTS: dict[str, tuple[str, Callable[[int], str], int]] = {  # first line, rule for the others, their number
    "list.csv": ("l1,l2,model,other,doc", lambda n: f"w{n},x,{n % 3 % 2},{n % 4 % 2},d{n % 20}", 300),
    "gold.csv": ("l1,l2,tp", lambda n: f"w{n * 5},x,{n % 6 % 2}", 60),
    "judged.csv": ("l1,l2,f,f1,f2,N,tp", lambda n: f"v{n % 5},n{n},{12 - n // 3},30,20,400,{n % 3 % 2}", 30),
    "krenn.csv": (
        "PP,verb,is.colloc,is.SVC,freq,t.score,log.like,chisq.corr",
        lambda n: f"in:N{n},v{n % 5},{n % 3 < 1},{n % 6 < 1},{60 - n},{n * 7 % 11},{n * 5 % 13},{n}".upper(),
        50,
    ),
    "letters.txt": ("Dear friend , I thank you .", lambda n: "thank you !" if n == 5 else "The tea is good .", 9),
    "diary.txt": ("Rain again .", lambda n: "a whale , a whale !" if n > 6 else "The tea is good .", 9),
}
TREE = (
    "1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_\t*\n2\t{0}\t{0}\tVERB\t_\t_\t0\troot\t_\t_\t{3}\n"
    "3\t{1}\t{1}\tADJ\t_\t_\t4\tamod\t_\t_\t*\n4\t{2}\t{2}\tNOUN\t_\t_\t2\tobj\t_\t_\t{4}\n"
    "5\tat\tat\tADP\t_\t_\t6\tcase\t_\t_\t*\n6\thome\thome\tNOUN\t_\t_\t2\tobl\t_\t_\t*\n\n"
)
TREES = "".join(  # CoNLL-U with a column of multiword expressions
    TREE.format(verb, adjective, noun, *(("1:VID", "1") if verb == "take" else "**"))
    for verb in ("drink", "take")
    for adjective, noun in (("strong", "tea"), ("black", "tea"), ("strong", "coffee"), ("black", "ink"))
)

# What is shown | the words after concur; {a;b} is a command for each | what it needs of earlier commands | exit code
ROWS = """
program           | {;--version;help agree}
unknown           | {agre table.csv;agree table.csv --tabel;campaign creat;explore nothing} | | 2
installed parts   | doctor {;--json}
whole study       | demo -d demo
agree             | agree table.csv --table {;--full;--weights linear;-o agree.tsv;-o agree.png;-o agree.tex}
agree, three      | agree wide.csv --wide --coders ann,bob,cy -o agree.{html;md;svg;parquet;jsonl}
agree, JSON       | agree wide.csv --wide --coders ann,bob,cy {--json;--by word --json} > agree.json
agree, other files| agree wide.csv --wide --coders ann,bob,cy --disagreements d.csv --soft s.{csv;json}
agree, expert     | agree demo/name.csv --full --expert as_linguist --bootstrap 100 | demo
agree, published  | agree published/{vision_stuart.csv --table;fleiss1971_diagnoses.csv;MSPatients_winnipeg.csv}
agree, groups     | agree published/carcinoma_pathologists.csv --coder-groups groups.csv
agree, sets       | agree sets.csv --wide --sets + {;--json}
agree, interval   | agree ratings.csv --wide --scale interval --only krippendorff_alpha --level 0.9
agree, columns    | agree published/dawidskene_anesthesia.csv --columns coder=rater --repeats first
agree, input      | agree - --wide --coders ann,bob --recode x=v < wide.csv
agree, refused    | agree {no.csv;list.csv;table.csv --table --only cohen_kapa;table.csv --table -o x.doc} | | 2
compare           | compare demo/term.csv --a coder_a --b coder_b --reference coder_c {;--json;-o c.tsv;-o c.md} | demo
compare, studies  | compare table.csv table.csv --table --bootstrap 100
judge             | judge wide.csv judge.json --wide --coders ann,bob,cy,model --judge model {;--json;-o judge.md}
judge, two        | judge demo/name.csv --judge as_teacher,as_linguist --disagreements j.csv -o judge.html | demo
judge, before     | judge demo/term.csv --judge coder_a --before coder_b --json > judge.json | demo
judge, gate       | judge wide.csv --wide --coders ann,bob,cy --judge cy --gate cohen_kappa>=0.9 | | 3
judge, unknown    | judge table.csv --table --judge model | | 2
coders            | coders demo/name.csv --model {dawid-skene;dawid-skene-bayes --json;mace -o labels.csv} | demo
coders, latent    | coders published/carcinoma_pathologists.csv --model latent --classes 2 {;-o coders.html}
ratings           | ratings ratings.csv --wide {;-o ratings.html;-o ratings.svg;--json > ratings.json}
preferences       | preferences choices.csv {--position;-o strengths.tsv;-o strengths.png;--json > preferences.json}
preferences, self | preferences self.csv | | 2
spans             | spans news.conll --bootstrap 100 {;--reference ann --full;-o spans.svg;-o spans.html;-o spans.csv}
spans, table      | spans marks.csv --lengths lengths.csv --disagreements sd.csv --json > spans.json
spans, published  | spans published/pygamma_3by100.csv --samples 30 --sampler statistical
spans, turned     | spans turned.csv --length 40 | | 2
merge             | merge wide.csv --wide --coders ann,bob,cy --shuffles 9 {--steps;-o m.svg;-o m.html;-o m.csv}
merge, JSON       | merge demo/name.csv --min-kappa 0.5 --shuffles 9 --json > merge.json | demo
merge, groups     | merge wide.csv --wide --coders ann,bob --by word --summary-by word --no-guards
merge, hierarchy  | merge wide.csv --wide --coders ann,bob --tree tree.csv --glosses glosses.csv --shuffles 9
merge, classes    | merge wide.csv --wide --coders ann,bob --classes classes.csv --apply merged.csv
match             | match left.csv right.csv {-o matches.csv --labels matched.csv;--accept-close --json;-o match.html}
match, verified   | match left.csv right.csv --verified matches.csv | matches.csv
index             | index {demo/corpus.txt -o corpus --json;tea.conllu -o tea;news.vrt --attributes form -o news} | demo
index, text       | index letters.txt diary.txt --format text -o texts
index, later      | index {roses.txt --append;--check} -o texts | texts
index, refused    | index news.vrt --attributes pos -o wrong | | 2
words             | words texts --lower {--top 8;--json;--sort dp -o words.csv;-o words.html} | texts
kwic              | kwic corpus assign* --lines 7 {--sort right;--page 2 --json;-o kwic.tsv;-o kwic.html} | corpus
kwic, pair        | kwic corpus keyword argument --rule window:3 --lines 5 | corpus
kwic, pattern     | kwic tea '[pos="ADJ"] [lemma="tea"]' | tea
kwic, refused     | kwic tea '[pos="ADJ"' | tea | 2
collocates        | collocates corpus keyword --lower --top 6 {--examples 1;--min-freq 3 -o c.csv;-o c.html} | corpus
collocates, JSON  | collocates tea tea --unit lemma --pos ADJ --json > collocates.json | tea
collocates, own   | collocates corpus name --span 2,3 -m MI,own --define 'own = O / n2' --top 9 | corpus
sketch            | sketch tea tea {--examples 1;--relations amod --json > sketch.json;-o sketch.csv;-o sketch.md} | tea
sketch, patterns  | sketch tea.conllu take --patterns patterns.txt --min-freq 2
sketch, campaign  | sketch tea tea --to-campaign tea --coders anna,ben --db sketch.db | tea
contrast          | contrast letters.txt diary.txt --lower {;-o contrast.csv;-o contrast.html;--json > contrast.json}
contrast, other   | contrast letters.txt diary.txt --draws 9 {--rule adjacent --top 5;--node tea --span 2}
contrast, parts   | contrast news --by year --a 1990..1999 | news
contrast, table   | contrast --table verbs.csv --totals 1035,1919
tag               | tag tee.txt --with hanta:de -o tee.conllu
tag, unknown      | tag tee.txt --with treetagger -o x.conllu | | 2
pairs             | pairs roses.txt more.txt --rule {adjacent;window:3;window-pairs:2;ngram:3;sentence --dispersion}
pairs, written    | pairs roses.txt --rule window:2 -o pairs.{ds;tsv.gz;jsonl;html}
pairs, treebank   | pairs tea.conllu --rule {within:s;dep:obj;'pos:ADJ NOUN';'dep:N >amod A => A, N'} -o d.ds
pairs, JSON       | pairs demo/corpus.txt --stop demo/stop.txt --min-freq 9 --json > pairs.json | demo
pairs, examples   | pairs demo/corpus.txt --lower --min-freq 9 --max-memory 1GB --examples 2 -o pairs.csv | demo
pairs, sequences  | pairs demo/corpus.txt --rule ngram:3 --min-freq 5 -o ngrams.csv | demo
pairs, nested     | pairs demo/corpus.txt --rule ngram:2 --min-freq 20 --nested-in ngrams.csv | ngrams.csv
pairs, input      | pairs - --format lines -o pairs.md < roses.txt
pairs, partial    | pairs {roses.txt --partial -o part1.parquet;more.txt --partial -o part2.parquet}
pairs, merged     | pairs --merge part1.parquet part2.parquet -o whole.csv | part1.parquet part2.parquet
pairs, refused    | pairs roses.txt --rule windows:3 | | 2
score             | score judged.csv {-m all --json;-o scored.parquet;-o scored.html;--define 'c = O / sqrt(R1 * C1)'}
score, lists      | score {pairs.csv -o scored.tsv;ngrams.csv -o scored.csv} | pairs.csv ngrams.csv
score, UCS        | score published/ucs-gold-100.ds -m ucs --ucs -o scored.ds
score, refused    | score judged.csv -m log_likelihod | | 2
measures          | measures {;am.Fisher.pv;MI --json;-o measures.csv;-o measures.md}
plan precision    | plan precision {-o plan.svg;--n 500 --precision 0.3 --population 9000 --union 900 --json}
plan power        | plan power demo/scored.parquet -m MI,dice --n 99 --gold demo/gold.csv --draws 100 {;--json} | demo
plan agreement    | plan agreement --shares 0.2,0.8 --kappa 0.6 --null 0.4 --power 0.8,0.9 {;-o plan.html}
plan judge        | plan judge --humans 3 --judge-kappa 0.6,0.5 --items 30,50 --draws 100 {;--json}
plan looks        | plan looks --at 200,400,1000 {--bounds pocock;--population 9000 --json > looks.json}
sample            | sample demo/scored.parquet --size 60 -m MI,dice --best 50 --design {simple;union;strata} -o s.csv
sample, extended  | sample demo/scored.parquet --size 600 --extend demo/sample.csv {--json;-o s.html} | demo
sample, difference| sample demo/scored.parquet --design difference --between MI,dice --best 99 --json | demo
evaluate          | evaluate judged.csv --gold judged.csv -m f,f1 --n 5:25:5 {;--correct --json > evaluate.json;--full}
evaluate, written | evaluate judged.csv --gold judged.csv -m f,f1 --n 5,9 --band simultaneous -o e.{csv;svg;html;tex}
evaluate, sample  | evaluate demo/scored.parquet --gold demo/gold.csv --sample demo/sample.csv -m MI,dice --n 99 | demo
evaluate, options | evaluate judged.csv --gold judged.csv -m f --n 9 {--anytime;--simulate-sample 50% --interval blaker}
evaluate, proxy   | evaluate list.csv --gold gold.csv -m other --n 50 --proxy model --threshold other=1
evaluate, learned | evaluate demo/scored.parquet --gold demo/gold.csv -m MI,dice --n 99 --learn --test central | demo
evaluate, refused | evaluate judged.csv {-m f;--gold gold.csv -m f} | | 2
benchmark         | benchmark judged.csv --n 3,9 -m frequency,MI --draws 99 {;-o benchmark.svg;--json > benchmark.json}
krenn             | krenn krenn.csv --rate 50% --upto 20 {;--kind SVC -o krenn.html;--json > krenn.json}
mwe               | mwe bank.cupt {;-o mwe.csv;--json}
rate              | rate list.csv --judge model --gold gold.csv {--width 3%;--anytime -o r.html;--next 20 -o next.csv}
rate, JSON        | rate list.csv --judge model,other --gold gold.csv --cluster doc --json > rate.json
rate, no people   | rate {counts.csv --judge one,two --by by;--counts 45/150 --sensitivity 96/100 --specificity 0.89}
report            | report agree.json judge.json ratings.json evaluate.json --title All -o report.html | judge.json
report, Markdown  | report preferences.json spans.json merge.json collocates.json sketch.json -o report.md | spans.json
report, LaTeX     | report contrast.json pairs.json looks.json benchmark.json rate.json -o report.tex | rate.json
report, chart     | report evaluate.json -o chart.{svg;png} | evaluate.json
report, refused   | report groups.csv -o report.html | | 2
campaign create   | campaign create verbs --items items.csv --questions yesno.toml --manual manual.md --expert ulla
campaign create 2 | campaign create pilot --items new.csv --questions yesno.toml --coders anna,ben --repeats 1 --json
campaign create 3 | campaign create match --items matches.csv --coders anna,ben | matches.csv
campaign, refused | campaign {create bad --items new.csv --questions broken.toml --coders a;status nouns} | | 2
campaign import   | campaign import verbs {model.csv --as labels --coder m;new.csv --as items --round r2}
campaign import 2 | campaign import verbs manual.md --as manual --json | concurrence.db
campaign items    | campaign items add pilot items.csv --each-item 1 | concurrence.db
campaign coder    | campaign coder {add verbs dora --part 1 --round main;replace verbs coder1 clara;remove pilot ben}
campaign close    | campaign {close;reopen} verbs --round r2 | concurrence.db
campaign status   | campaign status verbs {;--json} | concurrence.db
campaign links    | campaign links {verbs --days 14 --url https://x.org;--desk ada --json;verbs --revoke clara}
campaign export   | campaign export verbs {-o l.csv;--gold collocation=yes -o g.csv;--events -o e.jsonl}
campaign list     | campaign list {;--json} | concurrence.db
campaign log      | campaign log {;verbs;--json} | concurrence.db
campaign backup   | campaign backup {;-o backup.db --json} | concurrence.db
campaign restore  | campaign restore backup.db {--rehearse;--db again.db --json} | backup.db
campaign delete   | campaign delete pilot --yes | concurrence.db
serve, refused    | serve --certificate manual.md --db x.db | | 2
"""
SUBCOMMAND = re.compile(r"^  ([a-z][a-z-]*)  ", re.MULTILINE)
REDIRECTED = re.compile(r"(?P<words>.*?)(?: (?P<sign>[<>]) (?P<file>\S+))?")  # at the end of a command, as in a shell
DIFFERENCES = 3  # so many are printed for a command


class Command(NamedTuple):
    name: str
    line: str
    needs: Sequence[str] = ()
    code: int = 0


def commands() -> Iterator[Command]:
    """The commands of all rows; tagging needs a part that may not be installed."""
    for row in ROWS.strip().splitlines():
        name, line, needs, code = [*(field.strip() for field in row.split("|")), "", ""][:4]
        before, _, rest = line.partition("{")
        choices, _, after = rest.partition("}")
        for choice in choices.split(";"):
            if find_spec("HanTa") or "hanta" not in line:
                yield Command(name, f"{before}{choice}{after}".strip(), needs.split(), int(code or 0))


def write_inputs(folder: Path, published: Path) -> None:
    texts = {name: "\n".join(lines) + "\n" for name, *lines in (row.split(" | ") for row in INPUTS.split("\n")[1:-1])}
    texts |= {name: "\n".join([first, *map(rule, range(n))]) + "\n" for name, (first, rule, n) in LONGER_INPUTS.items()}
    texts |= {"bank.cupt": TREES, "tea.conllu": re.sub(r"\t[^\t\n]+\n", "\n", TREES)}
    texts |= {f"published/{file.name}": file.read_text("utf-8") for file in published.iterdir() if file.is_file()}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


class Checkout:
    """The sources of a checkout, and a folder in which its commands run one after the other."""

    def __init__(self, path: Path, folder: Path, published: Path) -> None:
        self.folder = folder
        self.checksums: dict[str, str] = {}  # and the names of their files
        self.stamps: dict[str, tuple[int, int]] = {}
        self.environment = {"PYTHONPATH": str(path.resolve() / "src"), "PATH": os.environ["PATH"], "HOME": str(folder)}
        self.environment |= {"NUMBA_CACHE_DIR": f"{folder}.numba", "PYTHONPYCACHEPREFIX": f"{folder}.python"}
        self.environment |= {"OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "COLUMNS": "120"}
        write_inputs(folder, published)
        self.written()
        module = self.python("-c", "import concurrence; print(concurrence.__file__)").stdout.decode().strip()
        if not Path(module).is_relative_to(path.resolve()):
            sys.exit(f"{path} is no checkout: Python would import concurrence from {module or 'nowhere'}.")

    def python(self, *words: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        program = [sys.executable, *words]
        return subprocess.run(program, cwd=self.folder, env=self.environment, input=typed, capture_output=True)

    def run(self, command: Command) -> dict[str, str]:
        """Exit code, outputs and written files of a command, as texts without what varies."""
        if missing := [name for name in command.needs if not (self.folder / name).exists()]:
            return {"exit code": f"none, since no command has written {' '.join(missing)}"}
        words, sign, file = REDIRECTED.fullmatch(command.line).groups("")  # type: ignore[union-attr]
        typed = (self.folder / file).read_bytes() if sign == "<" else b""
        done = self.python("-m", "concurrence", *shlex.split(words), typed=typed)
        if sign == ">":
            (self.folder / file).write_bytes(done.stdout)
        outputs = {"stdout": done.stdout.decode(), "stderr": done.stderr.decode(), **self.written()}
        return {"exit code": str(done.returncode)} | {self.steady(name): self.steady(outputs[name]) for name in outputs}

    def written(self) -> dict[str, str]:
        """The files that are new, different or gone since the last time, as texts."""
        paths = {str(path.relative_to(self.folder)): path for path in sorted(self.folder.rglob("*")) if path.is_file()}
        before, stamps = (
            self.stamps,
            {name: (path.stat().st_mtime_ns, path.stat().st_size) for name, path in paths.items()},
        )
        new = [name for name in stamps if stamps[name] != before.get(name)]
        self.stamps = stamps
        self.checksums |= {hashlib.sha256(paths[name].read_bytes()).hexdigest(): name for name in new}
        return {name: as_text(paths[name]) for name in new} | {name: "gone" for name in before if name not in stamps}

    def steady(self, text: str) -> str:
        """A text without what differs from run to run."""
        for checksum in set(re.findall(r"\b[0-9a-f]{64}\b", text)) & self.checksums.keys():
            text = text.replace(checksum, f"checksum of {self.checksums[checksum]}")
        for pattern, replacement, _ in ((re.escape(str(self.folder)), "FOLDER", "a temporary folder"), *VARYING):
            text = re.sub(pattern, replacement, text)
        return text


def as_text(path: Path) -> str:
    """What a file says, also where the same may be in other bytes."""
    match path.suffix:
        case ".parquet":
            notes = {key: note for key, note in pl.read_parquet_metadata(path).items() if key != "ARROW:schema"}
            frame = pl.read_parquet(path)
            return "\n".join([str(frame.schema), str(notes), *map(str, frame.rows())])
        case ".npy":
            array = np.load(path)
            return "\n".join([f"{array.dtype} {array.shape}", *map(str, array.ravel().tolist())])
        case ".db":
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                return "\n".join(database.iterdump())
        case ".zip" | ".xlsx":
            with zipfile.ZipFile(path) as archive:
                return "\n".join(f"{name}\n{archive.read(name)!r}" for name in sorted(archive.namelist()))
        case ".gz":
            return gzip.decompress(path.read_bytes()).decode()
        case ".png":
            return path.read_bytes().hex()
        case ".secret":
            return "a secret"
        case _:
            return path.read_bytes().decode(errors="backslashreplace")


def differences(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    """The first difference in each output."""
    for part in old | new:
        texts = [side.get(part, "(nothing)").split("\n") for side in (old, new)]
        for number, (before, after) in enumerate(zip_longest(*texts, fillvalue="(no line)"), 1):
            if not same_line(before, after):
                at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
                near = slice(max(0, at - 40), at + 60)
                yield f"{part}, line {number}: {before[near]!r} is now {after[near]!r}"
                break


def same_line(old: str, new: str) -> bool:
    """Whether words and rounded numbers are the same, and the values of numbers in full precision."""
    if old == new or NUMBER.split(old) != NUMBER.split(new):
        return old == new
    return all(map(same_number, NUMBER.findall(old), NUMBER.findall(new)))


def main(arguments: Sequence[str]) -> int:
    """Run everything, print one line for each command, and give back 1 where something differs."""
    if len(arguments) != 2:
        sys.exit("Usage: python tests/support/same_outputs.py OLD_CHECKOUT NEW_CHECKOUT")
    started, different, todo = time.monotonic(), 0, [*commands(), Command("help", "--help")]
    lines = [command.line for command in todo]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        paths, data = map(Path, arguments), Path(arguments[0], "tests", "published", "data")
        old, new = (Checkout(path, Path(folder, name), data) for path, name in zip(paths, ("old", "new"), strict=True))
        for command in todo:
            before, after = pool.map(Checkout.run, (old, new), (command, command))
            problems = list(differences(before, after))
            if before["exit code"] != str(command.code):
                problems.append(f"exit code {before['exit code']} is not {command.code}, as the table has it: {before}")
            if command.name == "help":
                start = command.line.removesuffix("--help")
                below = SUBCOMMAND.findall(before["stdout"].partition("\nCommands:\n")[2])
                todo += [Command("help", f"{start}{name} --help") for name in below]
                problems += [] if any(line.startswith(start) for line in lines) else ["no row has this command"]
            different += bool(problems)
            verdict = "different" if problems else "same"
            print(
                f"{verdict:<10}{command.name}: concur {command.line}", *problems[:DIFFERENCES], sep="\n    ", flush=True
            )
    print(f"{len(todo)} commands in {time.monotonic() - started:.0f} seconds: {different} different.")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
