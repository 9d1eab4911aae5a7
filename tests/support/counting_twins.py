"""Obvious queries that count what the rules count, slowly, in sqlite3."""

import sqlite3

from hypothesis import strategies as st

WORDS = st.sampled_from(["a", "b", "c", "d", "é", "Z", "\U0001f600", "zz"])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), max_size=12)

PAIRS_BY_DISTANCE = """
    WITH pair AS (
        SELECT a.word AS l1, b.word AS l2 FROM token a JOIN token b
        ON a.sentence = b.sentence AND b.position - a.position BETWEEN 1 AND :span
    )
    SELECT l1, l2, count(*) AS f,
        (SELECT count(*) FROM pair p WHERE p.l1 = pair.l1), (SELECT count(*) FROM pair p WHERE p.l2 = pair.l2),
        (SELECT count(*) FROM pair)
    FROM pair GROUP BY l1, l2
"""

SAME_SENTENCE = """
    WITH member AS (SELECT DISTINCT sentence, word FROM token)
    SELECT a.word, b.word, count(*),
        (SELECT count(*) FROM member m WHERE m.word = a.word), (SELECT count(*) FROM member m WHERE m.word = b.word),
        (SELECT count(DISTINCT sentence) FROM everything)
    FROM member a JOIN member b ON a.sentence = b.sentence AND a.word < b.word
    GROUP BY a.word, b.word
"""

INSIDE_WINDOWS = """
    WITH inside AS (
        SELECT DISTINCT a.word AS node, b.word AS collocate, b.sentence, b.position FROM token a JOIN token b
        ON a.sentence = b.sentence AND abs(a.position - b.position) <= :span AND a.word <> b.word
    )
    SELECT node, collocate, count(*),
        (SELECT count(*) FROM inside i WHERE i.node = inside.node),
        (SELECT count(*) FROM token t WHERE t.word = inside.collocate),
        (SELECT count(*) FROM token t WHERE t.word <> inside.node),
        (SELECT count(*) FROM token t WHERE t.word = inside.node),
        (SELECT count(*) FROM token t WHERE t.word = inside.collocate)
    FROM inside GROUP BY node, collocate
"""


def count_by_sql(query, sentences, *, removed=(), **parameters):
    """Rows of a query over the tokens of these sentences, in the order of the project."""
    store = sqlite3.connect(":memory:")
    rows = [(s, p, word) for s, sentence in enumerate(sentences) for p, word in enumerate(sentence)]
    for table, content in (("everything", rows), ("token", [row for row in rows if row[2] not in removed])):
        store.execute(f"CREATE TABLE {table} (sentence INT, position INT, word TEXT)")
        store.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", content)
    counts = store.execute(query, parameters).fetchall()
    store.close()
    return sorted(counts, key=lambda row: (-row[2], row[0], row[1]))
