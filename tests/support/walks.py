"""Which functions of ours are entered, in order, while something runs: for the walks through the house."""

import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import concurrence

SOURCE = Path(concurrence.__file__).parent


class Trail:
    """The functions that were entered, by file and name, each where it was first met."""

    def __init__(self):
        self.stations = {}

    def __call__(self, frame, event, _argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(SOURCE)):
            file = Path(code.co_filename).relative_to(SOURCE).as_posix()
            self.stations.setdefault((file, code.co_qualname.rpartition(".")[2]), len(self.stations))

    def places(self, stations):
        """Where each station was first entered, None where it was not."""
        return [self.stations.get(station) for station in stations]


@contextmanager
def followed():
    """Follow all threads that begin in here, and this one."""
    trail = Trail()
    before = sys.getprofile()
    threading.setprofile(trail)
    sys.setprofile(trail)
    try:
        yield trail
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
