#!/usr/bin/env bash
# rich 15.0.0 (`rich.cells.cell_len`) and wcwidth 0.2.13 (`wcswidth`): U+200D between letters swallows the next letter.
#
# A good guess: a zero width joiner takes no cell, and binds pictures alone; letters around it (Sinhala and Persian write
# it) go on to take theirs. Seen: two Sinhala letters take two cells by both, the same two with the joiner between them
# one by both, though rich gives each letter one by itself. U+200C, the sign beside it, is counted as guessed. Letters
# that a terminal draws in two cells then push everything after them out of its column.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install rich==15.0.0 wcwidth==0.2.13
"$dir/venv/bin/python" - <<'PY'
from importlib.metadata import version

from rich.cells import cell_len, get_character_cell_size
from wcwidth import wcswidth

print("rich", version("rich"), "wcwidth", version("wcwidth"))
ka, ssa, joiner, other = "\u0d9a", "\u0dc2", "\u200d", "\u200c"
rows = {"two letters": ka + ssa, "with U+200C": ka + other + ssa, "with U+200D": ka + joiner + ssa}
for name, text in rows.items():
    letters = sum(get_character_cell_size(c) for c in text if c not in (joiner, other))
    print(f"{name:12} rich {cell_len(text)}, letter by letter {letters}, wcwidth {wcswidth(text)}")
assert [cell_len(t) for t in rows.values()] == [2, 2, 1], "it has changed"
assert [wcswidth(t) for t in rows.values()] == [2, 2, 1], "it has changed"
PY
