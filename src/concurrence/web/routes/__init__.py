"""The addresses of the server: ``/api/…`` for programs, ``/c/…`` for people."""
