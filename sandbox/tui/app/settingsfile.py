"""The file `settings.yaml`: reading and writing what a player sets.

A missing file means the defaults. A file with faults is used as far as it can be read; the faults are shown on the
screen, and the file is not changed. Writing a setting changes the line of that setting and no others.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from sandbox.core.faults import Faults, path_text, unknown
from sandbox.core.places import read_ordinary, settings_file
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.importers.anchors import read_anchors
from sandbox.people.mood_words import SHIPPED, Anchors
from sandbox.readers import story
from sandbox.tui.app.actions import BY_ID, clashes
from sandbox.tui.theme import themes
from sandbox.tui.view.action import KEPT, named_key
from sandbox.tui.view.settings import FIELDS, Settings

MIND = "mind"  # key of the section on which model answers for whom (store.choose_mind)
ANCHORS = "anchors.csv"  # file beside the settings: the player's own table of labelled moods
FIRST_LINE = "# Settings of sandbox, which its screen writes, too. docs/keys.md says how to change keys.\n"


def read_settings(path: Path | None = None) -> tuple[Settings, Faults]:
    """Read the settings, and the themes and notable things beside them; return the settings and all faults found.

    The table of labelled moods is read apart (`own_anchors`), since a large one takes a second.
    """
    path = path or settings_file()
    faults = Faults()
    known = themes.shipped_themes()
    own = path.parent / themes.NAME
    if own.exists():
        known = themes.read_themes(own, known, faults)
    out = Settings(themes=MappingProxyType(known), notable=story.table_of(path.parent, faults))
    if not path.exists():
        return out, faults
    r = MappingReader(open_yaml(path, faults))
    values = dict(out.values)
    for f in FIELDS:
        value = r.get(f.key)
        if value is None:
            continue
        choices = out.choices(f)
        if choices == ("on", "off"):
            flag = value.flag()
            got = None if flag is None else "on" if flag else "off"
        else:
            got = value.choice(choices, f.title)
        values[f.key] = got or values[f.key]
    keys = _keys(r.section("keys"))
    r.get(MIND)  # only marked as known: opening a town reads it and reports its faults
    r.rest()
    return replace(out, values=MappingProxyType(values), keys=MappingProxyType(keys)), faults


def own_anchors(folder: Path, faults: Faults) -> Anchors:
    """The player's own table of labelled moods in `folder`; the shipped one if there is none, or it has faults."""
    table = folder / ANCHORS
    return (read_anchors(table, faults) if table.exists() else None) or SHIPPED


def _keys(reader: MappingReader) -> dict[str, str]:
    out: dict[str, str] = {}
    for id, value in reader.entries():
        if id not in BY_ID:
            reader.key_fault(id, unknown("action", id, BY_ID))
            continue
        keys = [named_key(key) for key in value.texts(limit=40)]
        bad = [key for key in keys if not key]
        if bad or not keys:
            value.fault('is not a key; write one as f2, ctrl+n or x, several as [x, f2], a sign in quotes: "!"')
        elif taken := [key for key in keys if key in KEPT]:
            value.fault(f"{taken[0]} is kept for the terminal; choose another key")
        else:
            out[id] = ",".join(keys)
    for where, key, first, second in clashes(out):
        name = second if second in out else first
        reader.key_fault(name, f"{key} is already {first if name == second else second} ({where}); choose another key")
        out.pop(name, None)
    return out


def write_setting(key: str, value: str, path: Path | None = None) -> None:
    """Write one setting into the file, on its line if it has one; all other bytes stay.

    Raises OSError, with a message for the player, if that fails; the file is then unchanged.
    """
    path = (path or settings_file()).resolve()  # a symbolic link stays one
    try:
        before = FIRST_LINE
        if path.exists():
            with read_ordinary(path) as file:
                before = file.read().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise _unkept(path, "cannot be read", error) from error
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(_changed(before, key, value).encode())
        if read_settings(fresh)[0][key] != value:
            raise OSError(
                f"{path_text(path)}: has no place for {key}; write `{key}: {value}` there on a line of its own"
            )
        if path.exists():
            shutil.copymode(path, fresh)
        os.replace(fresh, path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if error.errno is None:
            raise
        raise _unkept(path, "cannot be written", error) from error


def _changed(text: str, key: str, value: str) -> str:
    """The text of a settings file with the key's line replaced, or appended if it has none."""
    said = value if re.fullmatch(r"[A-Za-z][\w -]*", value) else json.dumps(value, ensure_ascii=False)
    line = f"{key}: {said}"
    out, count = re.subn(rf"(?m)^{key}[ \t]*:[^\n#]*?(?=[ \t]*(#|\r?$))", lambda _: line, text, count=1)
    if count:
        return out
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if not text or text.endswith("\n") else end) + line + end


def _unkept(path: Path, what: str, error: Exception) -> OSError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8"
    return OSError(f"{path_text(path)}: {what} ({why.lower()}); the setting holds until you leave")
