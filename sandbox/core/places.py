"""Where things lie: the worlds and personas that ship, and the folder for saves and settings. How a file is opened.

A checkout (a pyproject.toml beside the package) uses its own `worlds/`, `personas/` and `saves/`; an
installed package carries the first two inside itself. The variable SANDBOX_HOME says where saves and settings
go instead.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

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


# ---- files that may be anything

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
_RAW = getattr(os, "O_BINARY", 0)


def must_be_ordinary(mode: int, path: Path) -> None:
    """Raise OSError unless a file's mode (`st_mode`) is that of an ordinary file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "no ordinary file", str(path))


def open_ordinary(path: Path, flags: int = os.O_RDONLY) -> int:
    """A descriptor of an ordinary file; links are followed. flags: as for `os.open`.

    The type is checked before opening, since opening some devices has effects, and after, since the file may have been
    replaced. Raises OSError.
    """
    try:
        must_be_ordinary(os.stat(path).st_mode, path)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    fd = os.open(path, flags | _AT_ONCE | _RAW, 0o644)
    try:
        must_be_ordinary(os.fstat(fd).st_mode, path)
    except BaseException:
        os.close(fd)
        raise
    return fd


def read_ordinary(path: Path) -> BinaryIO:
    """An ordinary file opened to read bytes. Raises OSError."""
    return os.fdopen(open_ordinary(path), "rb")
