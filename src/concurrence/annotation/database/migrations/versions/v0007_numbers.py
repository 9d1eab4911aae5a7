"""Numbers that are never used twice: without AUTOINCREMENT, SQLite gives the number of a deleted last row again."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Copy every table that has a number of its own into one that remembers the highest; PostgreSQL always did."""
    bind = op.get_bind()
    if bind.dialect.name == "postgresql":
        return
    query = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL"
    around = bind.execute(sa.text(query)).all()
    for view in (entry.name for entry in around if entry.type == "view"):
        op.execute(f"DROP VIEW {view}")
    metadata = sa.MetaData()
    metadata.reflect(bind)
    for table in metadata.sorted_tables:
        if table.primary_key.columns.keys() == ["id"]:
            _copy_table(table)
    kept = {entry.name for entry in bind.execute(sa.text(query))}
    for entry in around:
        if entry.name not in kept:
            op.execute(entry.sql)
    if broken := bind.execute(sa.text("PRAGMA foreign_key_check")).first():
        raise RuntimeError(f"the copy of the table {broken[0]} refers to rows that do not exist")


def _copy_table(table: sa.Table) -> None:
    name = table.name
    table.dialect_options["sqlite"]["autoincrement"] = True
    copy = table.to_metadata(table.metadata, name=f"new_{name}")
    op.execute(sa.schema.CreateTable(copy))
    columns = ", ".join(table.columns.keys())
    op.execute(f"INSERT INTO new_{name} ({columns}) SELECT {columns} FROM {name}")  # noqa: S608 - names of our own
    op.drop_table(name)
    op.rename_table(f"new_{name}", name)
