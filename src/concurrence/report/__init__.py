"""Results to tables, charts and one self-contained HTML page. Nothing is computed here."""
