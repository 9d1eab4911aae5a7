"""Where files of a corpus lie: on this machine, or in a store with an address, such as ``s3://`` or ``hdfs://``."""

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError

GLOB = "*?["


def is_remote(path: str) -> bool:
    return "://" in path


@dataclass(frozen=True, slots=True)
class CorpusLocation:
    """A file, folder or glob by its path or address."""

    path: str

    def open(self) -> Any:
        """The file, to read bytes from and to seek in."""
        if not is_remote(self.path):
            return Path(self.path).open("rb")
        system, path = self._system(self.path)
        return system.open_input_file(path)

    def size(self) -> int:
        if not is_remote(self.path):
            return Path(self.path).stat().st_size
        system, path = self._system(self.path)
        return int(system.get_file_info(path).size)

    def files(self) -> list[str]:
        """The addresses of all files that an address stands for."""
        from pyarrow.fs import FileSelector, FileType

        scheme = self.path.partition("://")[0]
        first = min((self.path.find(sign) for sign in GLOB if sign in self.path), default=-1)
        folder = self.path if first < 0 else self.path[: self.path.rfind("/", 0, first)]
        system, path = self._system(folder)
        info = system.get_file_info(path)
        if info.type == FileType.NotFound:
            raise InvalidInputError(f"{self.path} does not exist.")
        if info.type == FileType.File:
            return [self.path]
        pattern = path.rstrip("/") + self.path[len(folder) :] if first >= 0 else "*"
        inside = system.get_file_info(FileSelector(path, recursive=True))
        host = folder[: len(folder) - len(path)] if folder.endswith(path) else f"{scheme}://"
        found = sorted(f.path for f in inside if f.type == FileType.File and not f.base_name.startswith((".", "_")))
        names = [host + name for name in found if fnmatch.fnmatch(name, pattern)]
        if not names:
            raise InvalidInputError(f"{self.path}: no files found there.")
        return names

    def _system(self, address: str) -> tuple[Any, str]:
        try:
            from pyarrow import ArrowException
            from pyarrow.fs import FileSystem
        except ImportError as error:
            from concurrence.core.errors import MissingExtraError

            raise MissingExtraError("An address", "spark") from error
        try:
            return FileSystem.from_uri(address)  # type: ignore[no-any-return]
        except (ArrowException, OSError, ValueError) as error:
            raise InvalidInputError(f"{address} cannot be reached: {str(error).splitlines()[0]}") from error
