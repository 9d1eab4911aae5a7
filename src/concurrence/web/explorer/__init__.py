"""The explorer: words, lists and evaluations in the browser, on this machine, read-only."""
