"""The fixture that writes the tiny world of `tinyworld.py` to a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tinyworld import FILES, Tiny

from sandbox.engine import loading


@pytest.fixture
def tiny_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Tiny]:
    """Build the world, beside which nothing else ships: `tiny_world()`, or with changed files by path:
    `tiny_world({"world/map.txt": ""})`.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loading, "shipped_folder", lambda kind: tmp_path / kind)
    monkeypatch.setattr(loading, "data_dir", lambda: tmp_path / "data")

    def build(changes: dict[str, str | bytes | None] | None = None) -> Tiny:
        tiny = Tiny(tmp_path)
        for name, text in {**FILES, **(changes or {})}.items():
            tiny.write(name, text)
        return tiny

    return build
