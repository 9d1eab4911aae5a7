"""Jobs for the process that reads uploaded tables, of which most go wrong; they are found there by their names."""

import os
import time

from concurrence.core.errors import InvalidInputError


def count_to(number):
    yield from range(number)


def take_memory(size):
    yield len(bytearray(size))


def crash():
    os.abort()
    yield


def wait_for_ever():
    while True:
        time.sleep(1)
    yield


def leave():
    """The process ends as one that was idle for long."""
    yield "last"
    os._exit(0)


def refuse(sentence):
    raise InvalidInputError(sentence)
    yield


def fail():
    raise ZeroDivisionError
    yield
