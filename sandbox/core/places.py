"""Where things lie: the worlds and personas that ship, and the folder for saves and settings.

A checkout (a pyproject.toml beside the package) uses its own `worlds/`, `personas/` and `saves/`; an
installed package carries the first two inside itself. The variable SANDBOX_HOME says where saves and settings
go instead.
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def expand_path(text: str | Path) -> Path:
    """A path as people type it; "~" is their home folder. "~name" of an unknown user is taken as an ordinary name."""
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def checkout() -> Path | None:
    """The folder of the checkout this package runs from, or None if it is installed."""
    root = PACKAGE.parent
    if (PACKAGE / "_data").is_dir():  # an installed package uses its own data, whatever lies beside it
        return None
    return root if (root / "pyproject.toml").is_file() else None


def shipped_folder(kind: str) -> Path:
    """The folder of shipped `worlds`, `personas` or `saves`."""
    root = checkout()
    return root / kind if root is not None else PACKAGE / "_data" / kind


def data_dir() -> Path:
    """The folder of the shipped decks and lines."""
    return PACKAGE / "data"


def home() -> Path:
    """The folder for the user's settings, and for saves unless a checkout keeps them."""
    chosen = os.environ.get("SANDBOX_HOME")
    if chosen:
        return expand_path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("sandbox", appauthor=False))


def cache_dir() -> Path:
    """The folder for what can be made again; it may not exist yet."""
    chosen = os.environ.get("SANDBOX_HOME")
    if chosen:
        return expand_path(chosen) / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir("sandbox", appauthor=False))


def settings_file() -> Path:
    """The file of the player's settings; it may not exist."""
    return home() / "settings.yaml"


def saves_dir() -> Path:
    """The folder saves are written to; it may not exist yet."""
    root = checkout()
    if root is not None and not os.environ.get("SANDBOX_HOME"):
        return root / "saves"
    return home() / "saves"


def world_roots() -> tuple[Path, ...]:
    """Folders that hold worlds, nearest first: the current folder's, the user's, those that ship."""
    roots = (Path("worlds"), home() / "worlds", shipped_folder("worlds"))
    found: dict[Path, Path] = {}
    for root in roots:
        if root.is_dir():
            found.setdefault(root.resolve(), root)
    return tuple(found.values())
