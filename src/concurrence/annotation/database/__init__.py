"""The database of campaigns: its tables, its migrations, one writer and many readers."""
