"""``python tests/support/busy.py 6 -- COMMAND …``: run a command beside busy processes, as on a busy machine.

The busy processes end with the command, also when it fails or is interrupted.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

USAGE = "Usage: python tests/support/busy.py NUMBER -- COMMAND …"
# Ends by itself when its standard input does, so that none is left over when this process is killed.
BUSY = """
import os, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
while True:
    sum(range(100_000))
"""


@contextmanager
def busy_processes(number: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """So many processes that do nothing but compute."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE) for _ in range(number)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def main(arguments: Sequence[str]) -> int:
    """Run the command, and give back its exit code."""
    if len(arguments) < 3 or not arguments[0].isdecimal() or arguments[1] != "--":
        print(USAGE, file=sys.stderr)
        return 2
    with busy_processes(int(arguments[0])):
        return subprocess.run(arguments[2:], check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
