"""Values that travel between the rooms, checked once at construction, and the errors.

They are listed in ``__init__.pyi`` and imported when they are first used: the command line needs the errors at once,
the arrays not.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
