"""Install a wheel alone in a fresh environment, go the whole way of the demonstration, serve it, and try all commands.

On the oldest and the newest Python of this machine, with the versions of constraints.txt and with the newest releases.
All commands are tried on the oldest Python with constraints and no place to keep compiled code, and on the newest with
the newest releases.
"""

import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from pythons import ends

ROOT = Path(__file__).parents[1]
# What asks for an optional part, and the extra that brings it.
WITHOUT = {
    "campaign list": "web",
    "serve --demo": "web",
    "agree table.xlsx": "excel",
    "pairs corpus.txt --engine spark": "spark",
}


def main() -> None:
    """Try the wheel that is named on the command line."""
    wheel = Path(sys.argv[1]).resolve()
    pythons = ends()
    oldest, newest = pythons[min(pythons)], pythons[max(pythons)]
    try_wheel(wheel, oldest, constrained=True, commands=("--unwritable",))
    try_wheel(wheel, oldest, constrained=False)
    try_wheel(wheel, newest, constrained=True)
    try_wheel(wheel, newest, constrained=False, commands=())


def try_wheel(wheel: Path, python: str, *, constrained: bool, commands: tuple[str, ...] | None = None) -> None:
    """Install, demonstrate and serve on one Python; with ``commands``, all commands too, under these options."""
    constraints = ["--constraint", str(ROOT / "constraints.txt")] if constrained else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([python, "-m", "venv", folder / "environment"], check=True)
        tools = folder / "environment" / "bin"
        install(tools, str(wheel), constraints)
        releases = "with constraints" if constrained else "newest releases"
        print(f"{wheel.name} is installed alone in {Path(python).name}, {releases}", flush=True)
        told_what_is_missing(tools, folder, WITHOUT)
        subprocess.run([tools / "concur", "demo"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        page = folder / "concurrence-demo" / "report.html"
        print(f"concur demo wrote a report of {page.stat().st_size:,} bytes", flush=True)
        install(tools, f"{wheel}[web]", constraints)
        told_what_is_missing(tools, folder, {"campaign list --db postgresql://localhost/none": "postgres"})
        served(tools, folder)
        if commands is not None:
            subprocess.run([tools / "python", ROOT / ".ci" / "every_command.py", *commands], cwd=folder, check=True)


def install(tools: Path, what: str, constraints: list[str]) -> None:
    """Install in the environment of these tools."""
    quiet = ["--quiet", "--disable-pip-version-check", *constraints]
    subprocess.run([tools / "python", "-m", "pip", "install", *quiet, what], check=True)


def told_what_is_missing(tools: Path, folder: Path, commands: dict[str, str]) -> None:
    """Every missing part is one sentence that says how to get it."""
    (folder / "table.xlsx").write_bytes(b"PK")
    (folder / "corpus.txt").write_text("a red rose\n")
    for command, extra in commands.items():
        line = [tools / "concur", *command.split()]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
        said = done.stderr.strip()
        if done.returncode != 2 or "\n" in said or f"concurrence[{extra}]" not in said:
            sys.exit(f"concur {command}: exit {done.returncode}, and it said: {said}")
        print(said)


def served(tools: Path, folder: Path) -> None:
    """The demonstration's campaign answers in the browser's language, and stops when told to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([tools / "concur", "serve", "--demo", "--port", str(port)], cwd=folder)
    try:
        for path in ("/", "/join", "/static/base.css"):
            print(f"{path}: {len(fetched(f'http://127.0.0.1:{port}{path}')):,} bytes")
    finally:
        server.send_signal(signal.SIGINT)
        code = server.wait(timeout=30)
    if code not in (0, 130):
        sys.exit(f"concur serve ended with {code}")


def fetched(address: str) -> bytes:
    """What an address gives, as soon as somebody answers there."""
    deadline = time.monotonic() + 90
    while True:
        try:
            with urlopen(address) as answer:
                return bytes(answer.read())
        except URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    main()
