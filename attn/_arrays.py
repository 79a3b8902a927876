"""What every module asks of its input: real arrays, whole numbers, and errors that say what came."""

import math
import numbers
import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: What functions return, for their hints: arrays of numbers, of whole numbers, of True and False.
Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Bools = NDArray[np.bool_]


def real_array(x: ArrayLike, name: str) -> Floats:
    """Return `x` as an array of floats: float dtypes stay what they are, integers become float64.

    Raises
    ------
    TypeError
        If `x` holds Booleans, complex numbers, text or objects, or is a masked array.
    ValueError
        If `x` is a list of rows that differ in length.
    """
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"{name} is a NumPy masked array, whose mask would be lost: pass a plain array")
    try:
        x = np.asarray(x)
    except ValueError as error:
        raise ValueError(
            f"{name} must be an array of numbers, but its rows differ in shape: {error}"
        ) from error
    if x.dtype.kind == "f":
        return x
    if x.dtype.kind in "iu":
        return x.astype(np.float64)
    if x.dtype == bool:
        raise TypeError(f"{name} must hold numbers, got bool: is this a mask in the wrong place?")
    raise TypeError(f"{name} must hold real numbers, got an array of dtype {x.dtype}")


def working_dtype(dtype: np.dtype) -> np.dtype[Any]:
    """Return the dtype to compute in: `dtype`, but float32 for float16, which has too few digits for sums."""
    return np.promote_types(dtype, np.float32)


def all_finite(x: Floats) -> bool:
    """Whether every entry is finite. If the sum of their squares is, which takes no array of its own, so are they."""
    return math.isfinite(np.vdot(x, x)) or bool(np.isfinite(x).all())


def check_finite(x: Floats, name: str) -> None:
    """Raise a ValueError that says where, unless every entry of `x` is finite."""
    if not all_finite(x):
        raise ValueError(f"{name} must be finite, got {first_entry(x, ~np.isfinite(x), name)}")


def first_entry(x: NDArray[Any], chosen: NDArray[np.bool_], name: str) -> str:
    """Say in words what stands at the first chosen place of `x`: "nan at q[0, 3]"."""
    index = np.unravel_index(np.argmax(chosen), chosen.shape)
    where = f"{name}[{', '.join(str(i) for i in index)}]" if index else name
    return f"{x[index]} at {where}"


def whole_number(value: SupportsIndex, name: str, minimum: int | None = None) -> int:
    """Return `value` as an int.

    Raises
    ------
    TypeError
        If it is not a whole number: a float, even 3.0, and True or False are refused.
    ValueError
        If it is below `minimum`.
    """
    expected = "a whole number" if minimum is None else f"a whole number, {minimum} or more"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {expected}, got {value!r} of type {type(value).__name__}") from None
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} must be {expected}, got {number}")
    return number


def finite_number(value: Any, name: str) -> float:
    """Return `value` as a float; TypeError unless it is one real number, ValueError unless it is finite."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be one number, got {value!r} of type {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value}")
    return float(value)


def one_of(value: str, name: str, known: tuple[str, ...]) -> None:
    """Raise a ValueError that lists what there is, unless `value` is one of it."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")


def axis_index(axis: int, ndim: int, name: str) -> int:
    """Return `axis` counted from the front, 0 … ndim − 1.

    Raises
    ------
    TypeError
        If `axis` is not one whole number.
    ValueError
        If the array has no such axis.
    """
    axis = whole_number(axis, "axis")
    if not -ndim <= axis < ndim:
        raise ValueError(f"{name} has {ndim} axes, so there is no axis {axis}")
    return axis % ndim
