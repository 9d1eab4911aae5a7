"""Tokens as layers that the query language can ask."""

from functools import cache

import numpy as np

from concurrence.core.encoded import NAMES, Layer, Regions, Vocabulary
from concurrence.core.errors import UnknownNameError
from concurrence.core.tokens import Tokens
from concurrence.kernels.token_tests import TokenTests


def token_tests(tokens: Tokens) -> TokenTests:
    """Tests of the query language on tokens; the words of an attribute are listed once, when they are asked for."""

    @cache
    def layer(name: str) -> Layer:
        if name == "lower":
            return layer("form").lowered
        column = tokens.column(NAMES.get(name, name))
        order = column.words.arg_sort().to_numpy().astype(np.int32)
        return Layer(codes=column.codes, vocabulary=Vocabulary.of(column.words.to_list(), order=order))

    return TokenTests(layer=layer)


def named_regions(tokens: Tokens, name: str) -> Regions:
    """The regions of a name."""
    if name not in tokens.regions:
        raise UnknownNameError("region", name, ("s", *tokens.regions))
    return tokens.regions[name]
