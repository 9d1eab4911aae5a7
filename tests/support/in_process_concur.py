"""A ``concur`` for shells that runs in the process of the tests, which spares an interpreter and its imports.

The shell finds a small script under that name. It hands arguments, folder, environment and standard input to the
process that started the shell, and gives back what the command printed there, and its exit code.
"""

import contextlib
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

PORT = "CONCUR_HERE"
CLIENT = f"""import json, os, signal, socket, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
request = {{
    "arguments": sys.argv[1:],
    "folder": os.getcwd(),
    "environment": dict(os.environ),
    "input": sys.stdin.read(),
}}
with socket.create_connection(("127.0.0.1", int(os.environ["{PORT}"]))) as connection:
    connection.sendall(json.dumps(request).encode())
    connection.shutdown(socket.SHUT_WR)
    answer = json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))
sys.stderr.write(answer["err"])
sys.stdout.write(answer["out"])
sys.exit(answer["code"])
"""


def write_client(folder: Path) -> None:
    """Put the script that shells find as ``concur`` into a folder of their PATH."""
    script, concur = folder / "in_process_concur.py", folder / "concur"
    script.write_text(CLIENT, "utf-8")
    concur.write_text(f'#!/bin/sh\nexec "{sys.executable}" -X utf8 -IS "{script}" "$@"\n', "utf-8")
    concur.chmod(0o755)


def run_command(arguments: Sequence[str], folder: Path, stdin_text: str = "") -> tuple[int, str, str]:
    """Exit code, output and errors of a command that runs in this process."""
    from concurrence.cli.app import main

    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin_text.encode()), "utf-8")),
    ):
        try:
            main(list(arguments))
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else 0
    return code, out.getvalue(), err.getvalue()


def run_shell(line: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell; every ``concur`` in it runs here, one after the other."""
    with ThreadPoolExecutor(1) as pool, socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        shell = pool.submit(
            subprocess.run,
            ["bash", "-c", line],
            cwd=folder,
            env={**environment, PORT: str(address[1])},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        shell.add_done_callback(lambda _: socket.create_connection(address).close())  # the last, and empty
        while _answer_one(server):
            pass
        return shell.result()


def _answer_one(server: socket.socket) -> bool:
    """Run the next command that the shell asks for; nothing is asked for when it has ended."""
    connection, _ = server.accept()
    with connection:
        text = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        if text:
            connection.sendall(json.dumps(_answer(json.loads(text))).encode())
    return bool(text)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    with mock.patch.dict(os.environ, request["environment"], clear=True):
        code, out, err = run_command(request["arguments"], Path(request["folder"]), request["input"])
    return {"code": code, "out": out, "err": err}
