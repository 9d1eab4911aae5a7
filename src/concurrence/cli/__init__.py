"""The door for the command line: read, call one function, show. One module per command."""
