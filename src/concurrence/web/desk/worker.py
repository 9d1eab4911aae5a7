"""A process of its own for what others made: one job after another, with limits on memory and time.

What a file does to its reader, such as strings that fill the memory, ends this process and no other. A job is a
generator; its pieces come back one by one, so that a large answer never holds the server up.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from concurrence.core.errors import ConcurrenceError, InvalidInputError

MEMORY = 4_000_000_000  # bytes of address space; a table of the largest size takes a third of it
SECONDS = 120  # between two pieces of an answer
IDLE = 600  # seconds after which the process ends by itself

TOO_MUCH = (
    "The table cannot be read with the memory and time that the server gives to one; divide it, or save it as CSV."
)

Job = Callable[..., Iterator[Any]]


class Worker:
    """The process, which is started where it is not there."""

    def __init__(self, *, memory: int = MEMORY, seconds: float = SECONDS) -> None:
        self._memory, self._seconds = memory, seconds
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None

    def run(self, job: Job, *arguments: Any) -> list[Any]:
        """All pieces that a job gives; what it finds wrong is an error here, and so is its end."""
        with self._lock:
            if self._process is not None and not self._process.is_alive():
                self._stop()
            try:
                return self._pieces(self._pipe or self._start(), job, arguments)
            except InvalidInputError:
                raise
            except (EOFError, OSError):
                has_left = self._process.join(1) is None and self._process.exitcode == 0  # it had been idle for long
            self._stop()
            if not has_left:
                raise InvalidInputError(TOO_MUCH)
            return self._pieces(self._start(), job, arguments)

    def _pieces(self, pipe: Connection, job: Job, arguments: tuple[Any, ...]) -> list[Any]:
        pipe.send((job, arguments))
        pieces: list[Any] = []
        while pipe.poll(self._seconds):
            kind, piece = pipe.recv()
            if kind == "end":
                return pieces
            if kind != "piece":
                raise InvalidInputError(piece) if kind == "wrong" else RuntimeError(piece)
            pieces.append(piece)
        self._stop()
        raise InvalidInputError(TOO_MUCH)

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._process = context.Process(target=serve_jobs, args=(far_end, self._memory), daemon=True)
        self._process.start()
        far_end.close()
        return self._pipe

    def _stop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None


def serve_jobs(pipe: Connection, memory: int) -> None:
    """What the process does: take jobs until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    os.environ["POLARS_MAX_THREADS"] = "1"
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with contextlib.suppress(EOFError, OSError):
        while pipe.poll(IDLE):
            job, arguments = pipe.recv()
            for answer in _answers(job, arguments):
                pipe.send(answer)


def _answers(job: Job, arguments: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    try:
        for piece in job(*arguments):
            yield "piece", piece
        yield "end", None
    except ConcurrenceError as error:
        yield "wrong", str(error)
    except MemoryError:
        yield "wrong", TOO_MUCH
    except Exception:
        yield "failed", traceback.format_exc()
