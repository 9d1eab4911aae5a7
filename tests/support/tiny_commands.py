"""One short run of every command, on inputs of a few lines: for tests of what a command loads, and for benchmarks."""

import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SERVERS = ("serve", "explore")
"""Commands that run until somebody stops them."""

RUNS = {
    "agree": "agree table.csv --table",
    "compare": "compare wide.csv --wide --a ann --b bob --reference cy",
    "coders": "coders wide.csv --wide --model dawid-skene",
    "judge": "judge wide.csv --wide --judge cy",
    "merge": "merge wide.csv --wide --no-guards",
    "match": "match left.csv right.csv",
    "ratings": "ratings ratings.csv --wide",
    "preferences": "preferences choices.csv",
    "spans": "spans marks.csv --length 40 --bootstrap 0",
    "index": "index text.txt -o index.new",
    "words": "words index",
    "kwic": "kwic index strong",
    "collocates": "collocates index strong",
    "sketch": "sketch tea.conllu tea",
    "contrast": "contrast text.txt other.txt --draws 9",
    "tag": "tag text.txt --with hanta:en -o tagged.conllu",
    "mwe": "mwe tea.cupt",
    "pairs": "pairs text.txt --rule adjacent -o pairs.csv",
    "score": "score judged.csv -m all -o scores.csv",
    "measures": "measures",
    "sample": "sample judged.csv -m f --size 9 -o sample.csv",
    "evaluate": "evaluate judged.csv --gold judged.csv -m f,f1 --n 3,9",
    "benchmark": "benchmark judged.csv --n 3,9 -m frequency,MI --draws 99",
    "krenn": "krenn krenn.csv --upto 20",
    "rate": "rate list.csv --judge model --gold few.csv",
    "report": "report agree.json -o report.html",
    "plan": "plan precision --n 500 --precision 0.3",
    "campaign": "campaign create verbs --items left.csv --questions yesno.toml --coders ann,bob",
    "doctor": "doctor",
    "demo": "demo -d demo",
    "serve": "serve --db served.db --port {port}",
    "explore": "explore index --port {port}",
}

_TREE = (
    "1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_{0}\n2\tdrink\tdrink\tVERB\t_\t_\t0\troot\t_\t_{1}\n"
    "3\tstrong\tstrong\tADJ\t_\t_\t4\tamod\t_\t_{0}\n4\ttea\ttea\tNOUN\t_\t_\t2\tobj\t_\t_{2}\n\n"
)
INPUTS = {
    "table.csv": ",yes,no\nyes,40,15\nno,20,25\n",
    "wide.csv": "item,ann,bob,cy\n1,n,n,v\n2,v,v,v\n3,x,v,x\n4,n,n,n\n5,v,x,v\n6,x,x,x\n7,n,v,n\n",
    "left.csv": "id,text,word,label\na1,He paid the bank.,bank,1\na2,The bank closed early that day,bank,1\n",
    "right.csv": "id,text,word,label\nb1,He paid the bank,bank,1\nb2,The bank closed early on that day,bank,2\n",
    "ratings.csv": "item,ann,bob,cy\n1,9,2,5\n2,6,1,3\n3,8,4,6\n4,7,1,2\n5,10,5,6\n6,6,2,4\n",
    "choices.csv": "a,b,winner,coder\nx,y,x,ann\ny,x,x,bob\nx,z,z,ann\nz,x,x,bob\ny,z,tie,ann\nz,y,y,bob\n",
    "marks.csv": "document,coder,start,end,label\na,ann,0,12,PER\na,bob,0,12,PER\na,bob,21,26,LOC\nb,ann,4,9,LOC\n",
    "text.txt": "a strong tea\nthe strong tea , please\na strong man\nthe tea is strong\n",
    "other.txt": "a weak tea\nthe man , please\na weak man\n",
    "tea.conllu": _TREE.format("", "", "") * 3,
    "tea.cupt": _TREE.format("\t*", "\t1:VID", "\t1") * 3,
    "judged.csv": "l1,l2,f,f1,f2,N,tp\n"
    + "".join(f"v{n % 5},n{n},{12 - n // 3},30,20,400,{n % 3 % 2}\n" for n in range(30)),
    "krenn.csv": "PP,verb,is.colloc,is.SVC,freq,t.score,log.like,chisq.corr\n"
    + "".join(f"in:N{n},V{n % 5},{n % 3 < 1},{n % 6 < 1},{60 - n},{n % 11},{n % 13},{n}\n".upper() for n in range(50)),
    "list.csv": "l1,l2,model\n" + "".join(f"w{n},x,{n % 3 % 2}\n" for n in range(60)),
    "few.csv": "l1,l2,tp\n" + "".join(f"w{n * 5},x,{n % 2}\n" for n in range(12)),
    "yesno.toml": '[[question]]\nid = "sense"\nchoices = ["yes", "no"]\n',
}
BEFORE = ("index text.txt -o index", "agree table.csv --table --json")
"""What the runs find made: an index, and agree.json."""


def write_inputs(folder: Path, python: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Write what the runs read; ``python`` is what starts a program of ours, such as ``python -m concurrence``."""
    for name, text in INPUTS.items():
        (folder / name).write_text(text, "utf-8")
    for line in BEFORE:
        done = run_to_end([*python, *line.split()], folder, environment)
        if line.endswith("--json"):
            (folder / f"{line.split()[0]}.json").write_text(done.stdout, "utf-8")


def run_to_end(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; one that fails is an error."""
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)


def run_until_ready(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a server until it says that it is running, and stop it as Ctrl-C does; ``{port}`` is a free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    words = [word.replace("{port}", port) for word in command]
    with subprocess.Popen(words, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "is running" in line:
                process.send_signal(signal.SIGINT)
    if not any("is running" in line for line in lines):
        raise RuntimeError("".join(lines))
    return subprocess.CompletedProcess(words, process.returncode, "", "".join(lines))
