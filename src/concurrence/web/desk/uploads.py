"""Uploaded tables: streamed to a file, and read by a process of its own, which may fail without the server."""

from pathlib import Path
from tempfile import NamedTemporaryFile

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from concurrence.web.desk.worker import Worker
from concurrence.web.errors import Refusal

READER = Worker()  # one for all applications of a process
TABLES = {
    "requestBody": {
        "required": True,
        "description": "The file itself.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


async def save_body(request: Request, folder: Path | None = None) -> Path:
    """The body of a request as a temporary file, which is the caller's to delete."""
    with NamedTemporaryFile(dir=folder, prefix="concurrence-", delete=False) as file:
        path = Path(file.name)
        try:
            async for piece in request.stream():
                await run_in_threadpool(file.write, piece)
            file.flush()
        except OSError as error:
            path.unlink()
            raise Refusal(503, "The server has no room for the file; tell whoever runs it.") from error
        except BaseException:
            path.unlink()
            raise
    return path
