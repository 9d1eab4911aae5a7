"""The workbench for collocation evaluation and inter-coder agreement.

The verbs of the command line are functions here. The list of public names is ``__init__.pyi``; each is imported when it
is first used, so that ``import concurrence`` costs nothing.
"""

import lazy_loader

from concurrence import report as _report  # noqa: F401  what draws results registers itself
from concurrence._version import __version__ as __version__
from concurrence.core.frames import watch_forks

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

watch_forks()  # before the first one, which may come before the first verb
