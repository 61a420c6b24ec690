"""The village of docs/modding.md, a world of two people that a day costs little in."""

from __future__ import annotations

import re
from pathlib import Path

MODDING = Path(__file__).resolve().parents[1] / "docs" / "modding.md"


def build(folder: Path) -> Path:
    """Its folder, written below that one."""
    found = re.findall(r"^`(worlds/green/[^`]+)`:\n\n```\w*\n(.*?)^```$", MODDING.read_text("utf-8"), re.M | re.S)
    assert found
    for name, text in found:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "worlds" / "green"
