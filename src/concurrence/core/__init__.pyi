"""The values of ``core`` that most modules use, each with its module."""

from .contingency import Contingency as Contingency
from .corpus import Corpus as Corpus
from .corpus import Regions as Regions
from .errors import ConcurrenceError as ConcurrenceError
from .errors import InvalidInputError as InvalidInputError
from .errors import MissingExtraError as MissingExtraError
from .errors import UndefinedError as UndefinedError
from .errors import UnknownNameError as UnknownNameError
from .labels import MISSING as MISSING
from .labels import Labels as Labels
from .labels import ordered_categories as ordered_categories
from .layers import BORDER as BORDER
from .layers import Layer as Layer
from .pairs import Counted as Counted
from .pairs import Pairs as Pairs
from .results import Interval as Interval
