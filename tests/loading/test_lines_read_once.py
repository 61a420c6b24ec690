"""Lines that were read once are known by their text: what stands in a file a moment later is another text."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.core.faults import Faults
from sandbox.core.yamlnodes import read_text
from sandbox.engine import load_decks
from sandbox.talk.lines import EVERYDAY, LineBook

LINES = "lines:\n" + "".join(f"  - {{id: {move}, move: {move}, say: '{{opener}} {move}'}}\n" for move in EVERYDAY)


def said(path: Path) -> LineBook:
    faults = Faults()
    found = load_decks.read_lines([path], (), faults)
    assert list(faults) == []
    return found


def test_a_file_saved_while_it_is_read_leaves_its_lines_under_no_other_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.yaml"
    first, then = f"{LINES}slots: {{opener: oh}}\n", f"{LINES}slots: {{opener: now}}\n"
    path.write_text(first)

    def read_and_saved(file: Path, faults: Faults) -> str | None:
        text = read_text(file, faults)
        path.write_text(then)
        return text

    with monkeypatch.context() as patch:
        patch.setattr(load_decks, "read_text", read_and_saved)
        assert said(path).slots["opener"][0].say == "oh"
    assert said(path).slots["opener"][0].say == "now"
    path.write_text(first)
    assert said(path).slots["opener"][0].say == "oh"
