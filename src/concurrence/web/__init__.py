"""The door for browsers: read, call one function, show."""
