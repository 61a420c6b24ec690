#!/usr/bin/env bash
# msgspec 0.22.0, `omit_defaults=True`: a field is left out if its value *is* the default object, not if it equals it.
#
# A good guess: equal structs encode to equal bytes, and what was decoded and is encoded again is the same as before or
# as a new struct would be. Seen: of three equal structs one encodes to `{}` and two to all their fields; a copy by
# pickle encodes otherwise than the original, one by copy.deepcopy does not; small integers and the empty string are one
# object in CPython and so look as if values were compared. Whoever signs or compares encoded bytes meets this.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install msgspec==0.22.0
"$dir/venv/bin/python" - <<'PY'
import copy
import pickle

import msgspec

print("msgspec", msgspec.__version__)


class Reading(msgspec.Struct, omit_defaults=True):
    height: float = 0.0
    count: int = 1000
    unit: str = "mm of rain"
    small: int = 7


new = Reading()
decoded = msgspec.json.decode(b'{"height":0.0,"count":1000,"unit":"mm of rain","small":7}', type=Reading)
pickled = pickle.loads(pickle.dumps(new))
copied = copy.deepcopy(new)
for name, one in (("new", new), ("decoded", decoded), ("pickled", pickled), ("copied", copied)):
    print(f"{name:8} equal to new: {one == new}, encodes to {msgspec.json.encode(one).decode()}")

whole = b'{"height":0.0,"count":1000,"unit":"mm of rain"}'
assert new == decoded == pickled == copied
assert msgspec.json.encode(new) == msgspec.json.encode(copied) == b"{}"
assert msgspec.json.encode(decoded) == msgspec.json.encode(pickled) == whole, "it has changed"
PY
