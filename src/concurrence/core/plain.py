"""Any value as JSON can hold it: what both doors answer with."""

from dataclasses import fields, is_dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import Any


def plain(value: Any) -> Any:
    """A value as JSON can hold it: nothing rounded, undefined is null, infinities are words."""
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(entry) for entry in value]
    if hasattr(value, "tolist"):
        return value.tolist() if _is_finite_array(value) else plain(value.tolist())
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def _is_finite_array(value: Any) -> bool:
    """Whether an array holds nothing but finite numbers, so that none of them needs a look of its own."""
    import numpy as np

    return isinstance(value, np.ndarray) and value.dtype.kind in "iufb" and bool(np.isfinite(value).all())
