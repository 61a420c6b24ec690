#!/usr/bin/env bash
# NumPy 2.4.6 with enum.IntEnum: a member is no "Python int" to the promotion rules (NEP 50), though it is an int.
#
# A good guess: since `isinstance(Colour.RED, int)`, and True (of a subclass of int as well) is treated as a Python int,
# a column of small integers keeps its type beside a member of an IntEnum, as it does beside 1. Seen: the column becomes
# int64 in arithmetic and in `where`, 300 is added without the OverflowError that the plain 300 raises, and a float32
# column times an instance of a subclass of float becomes float64. Memory grows by eight, a digest of the bytes changes,
# and a file written as uint8 is none any more, by a refactoring from constants to an enumeration that compares equal.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install numpy==2.4.6
"$dir/venv/bin/python" - <<'PY'
from enum import IntEnum

import numpy as np


class Colour(IntEnum):
    RED = 1
    FAR = 300


class Metres(float):
    pass


print("numpy", np.__version__)
small, single = np.array([1, 2], np.uint8), np.array([1, 2], np.float32)
for name, found in (
    ("+ 1", small + 1),
    ("+ True", small + True),
    ("+ Colour.RED", small + Colour.RED),
    ("where, 1", np.where(small > 1, small, 1)),
    ("where, Colour.RED", np.where(small > 1, small, Colour.RED)),
    ("+ Colour.FAR", small + Colour.FAR),
):
    print(f"uint8 {name:18} {found.dtype} {found.tolist()}")
print("float32 * 2.0        ", (single * 2.0).dtype)
print("float32 * Metres(2)  ", (single * Metres(2)).dtype)

assert isinstance(Colour.RED, int) and Colour.RED == 1
assert (small + 1).dtype == (small + True).dtype == np.where(small > 1, small, 1).dtype == np.uint8
assert (small + Colour.RED).dtype == np.where(small > 1, small, Colour.RED).dtype == np.int64, "it has changed"
assert (small + Colour.FAR).tolist() == [301, 302], "it has changed"
try:
    small + 300
except OverflowError as refused:
    print(f"uint8 + 300            OverflowError: {refused}")
else:
    raise SystemExit("a plain 300 is taken now")
assert (single * 2.0).dtype == np.float32 and (single * Metres(2)).dtype == np.float64, "it has changed"
PY
