"""Decisions: the log, the answers in force, a coder's part, rulings, comments, exports and imports."""
