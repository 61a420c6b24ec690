"""The village of docs/modding.md, a world of two people that a day costs little in, as a reader copies it."""

from __future__ import annotations

import re
from pathlib import Path

MODDING = Path(__file__).resolve().parents[1] / "docs" / "modding.md"


def sections() -> dict[str, list[tuple[str, str]]]:
    """The headings of the page under which files of it stand, in their order, and those files."""
    parts = re.split(r"^##+ (.+)$", MODDING.read_text("utf-8"), flags=re.M)
    file = re.compile(r"^`(worlds/green/[^`]+)`:\n\n```\w*\n(.*?)^```$", re.M | re.S)
    return {title: found for title, text in zip(parts[1::2], parts[2::2], strict=True) if (found := file.findall(text))}


def copied(folder: Path, title: str) -> Path:
    """Its folder below that one, once the files under one heading are copied, too."""
    for name, text in sections()[title]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "worlds" / "green"


def build(folder: Path) -> Path:
    """Its folder, written below that one, with all that the page has of it."""
    return [copied(folder, title) for title in sections()][-1]
