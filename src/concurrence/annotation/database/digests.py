"""Tables in two figures each: their rows, and a checksum that is the same in any order and on either database."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, Table, select

from concurrence.annotation.database.schema import METADATA
from concurrence.core.errors import InvalidInputError
from concurrence.core.values import value

BITS = 256
CHUNK = 5000


@value
class TableDigest:
    """How many rows a table has, and the sum of their SHA-256, in hexadecimal digits."""

    rows: int
    checksum: str


class DigestSum:
    """Adds up rows as they pass.

    >>> one, other = DigestSum(), DigestSum()
    >>> one.add([(1, "a"), (2, None)]), other.add([(2, None)]), other.add([(1, "a")])
    (None, None, None)
    >>> one.digest() == other.digest()
    True
    """

    def __init__(self) -> None:
        self._rows, self._sum = 0, 0

    def add(self, rows: Iterable[Iterable[Any]]) -> None:
        for row in rows:
            text = json.dumps(list(row), ensure_ascii=False, default=lambda data: bytes(data).hex())
            self._sum += int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), "big")
            self._rows += 1

    def digest(self) -> TableDigest:
        return TableDigest(rows=self._rows, checksum=f"{self._sum % 2**BITS:0{BITS // 4}x}")


def table_digest(connection: Connection, query: Select[Any]) -> TableDigest:
    """The rows of a query, which may be more than fit into memory."""
    result = connection.execute(query.execution_options(yield_per=CHUNK))
    total = DigestSum()
    for rows in result.partitions(CHUNK):
        total.add(rows)
    return total.digest()


def database_digests(connection: Connection) -> dict[str, TableDigest]:
    """Every table of a database, by its name."""
    return {table.name: table_digest(connection, select(table)) for table in METADATA.sorted_tables}


def whole_checksum(digests: Mapping[str, TableDigest]) -> str:
    """One checksum of all tables, short enough to compare by eye."""
    lines = "".join(f"{name} {one.rows} {one.checksum}\n" for name, one in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def check_digests(expected: Mapping[str, TableDigest], present: Mapping[str, TableDigest], *, where: str) -> None:
    """Refuse a copy that has not what it should have."""
    for name, one in expected.items():
        if (other := present[name]) != one:
            kind = f"has {other.rows} rows instead of {one.rows}" if other.rows != one.rows else "has other rows"
            raise InvalidInputError(f"The table {name} {kind} in {where}; nothing was kept of it. Check the disk.")


def highest_numbers(connection: Connection) -> dict[str, int]:
    """Of each table, the highest number that a row ever had; the rows of some may be gone."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence").all()
        return {name: number for name, number in rows if name in METADATA.tables and number}
    numbers: dict[str, int] = {}
    for table in _numbered_tables():
        sequence = connection.exec_driver_sql(f"SELECT pg_get_serial_sequence('{table.name}', 'id')").scalar()
        number, used = connection.exec_driver_sql(f"SELECT last_value, is_called FROM {sequence}").one()  # noqa: S608
        numbers |= {table.name: int(number)} if used else {}
    return numbers


def keep_numbers(connection: Connection, numbers: Mapping[str, int]) -> None:
    """Let new rows have numbers above these, so that none is used twice."""
    present = highest_numbers(connection)
    for name, number in numbers.items():
        if number <= present.get(name, 0):
            continue
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {number})")
        elif name in present:
            connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (number, name))
        else:
            connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, number))


def _numbered_tables() -> list[Table]:
    return [table for table in METADATA.sorted_tables if table.primary_key.columns.keys() == ["id"]]
