"""One module per step of the schema; a step that was released is never edited."""
