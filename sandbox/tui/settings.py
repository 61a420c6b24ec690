"""What a player sets: the schema, from which the settings screen is drawn, and the file `settings.yaml`.

A missing file means the defaults. A file with faults is used as far as it can be read; the faults are told on the
screen, and the file is left alone. Writing changes the lines of the keys that changed and no others.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sandbox.core.faults import Faults, quoted, shown, unknown
from sandbox.core.ordinary import read_ordinary
from sandbox.core.places import settings_file
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.importers.anchors import read_anchors
from sandbox.people.anchors import SHIPPED, Anchors
from sandbox.stories import notable
from sandbox.stories.notable import Notable
from sandbox.tui import actions, themes
from sandbox.tui.themes import USUAL, Theme

MIND = "mind"  # which model answers for whom (store.minding)
ANCHORS = "anchors.csv"  # beside it: a table of labelled moods of one's own
FIRST_LINE = "# Settings of sandbox; its screen writes them, too. Keys: docs/keys.md tells how to change them.\n"
TOLD = 3  # faults named on the screen; the rest are counted


class Field(NamedTuple):
    """A setting. choices: what it can be, the first is the default; flags are "on" and "off"."""

    key: str
    title: str
    says: str
    choices: tuple[str, ...]
    group: str


FIELDS: tuple[Field, ...] = (
    Field("theme", "theme", "Colours of panes and words.", (USUAL,), "Look"),
    Field("palette", "colours of moods", "Okabe and Ito's colours can be told apart by every eye.",
          ("default", "colour-blind", "grey"), "Look"),
    Field("glyphs", "town drawn in", "Auto: letters below 256 colours. Ascii: the whole screen.",
          ("auto", "pictures", "letters", "ascii"), "Look"),
    Field("motion", "motion", "Reduced: no water, smoke, fades or camera that moves by itself.",
          ("full", "reduced"), "Look"),
    Field("names", "names of places", "On closed roofs and far walls.", ("on", "off"), "Look"),
    Field("hints", "keys to try", "One at a time, at the right end of the row that tells what happens now.",
          ("on", "off"), "Look"),
    Field("labels", "words for feelings", "Nine categories, or the eight of Plutchik's wheel, where w tells of a mood.",
          ("categories", "plutchik"), "Look"),
    Field("roofs", "roofs", "Auto opens a house while somebody in it is awake and in view.",
          ("auto", "open", "closed"), "Look"),
    Field("speed", "speed to begin with", "Simulated time a real second: 15 s, 1 min, 10 min, all there is.",
          ("normal", "slow", "fast", "max"), "Time"),
    Field("auto_slow", "slow down for a row", "When one begins in view, or of whom you follow, until it ends.",
          ("on", "off"), "Time"),
    Field("quiet_skip", "skip quiet nights", "While everybody sleeps, on to the first who wakes; the day's page stays.",
          ("on", "off"), "Time"),
    Field("auto_camera", "camera that looks around", "With nobody chosen and no key for 8 s, to where most happens.",
          ("on", "off"), "Time"),
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What is set. values: key -> choice, of every field; keys: id of an action -> keys, comma between.

    notable: how notable what happens is. anchors: labelled points, from which moods have their words.
    """

    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({f.key: f.choices[0] for f in FIELDS}))
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    themes: Mapping[str, Theme] = field(default_factory=lambda: MappingProxyType(themes.shipped()))
    notable: Notable = field(default_factory=notable.usual)
    anchors: Anchors = SHIPPED

    def __getitem__(self, key: str) -> str:
        return self.values[key]

    def on(self, key: str) -> bool:
        """Whether a flag is on."""
        return self.values[key] == "on"

    @property
    def theme(self) -> Theme:
        """The theme that is set, or the usual one if it is gone."""
        return self.themes.get(self.values["theme"], self.themes[USUAL])

    @property
    def keymap(self) -> dict[str, str]:
        """Id -> keys for Textual. It drops all that a remapped key did, so actions beside one name their keys again."""
        moved = {key for id in self.keys for key in actions.BY_ID[id].keys.split(",")}
        beside = {a.id: a.keys for a in actions.ACTIONS if a.keys and moved & set(a.keys.split(","))}
        return {**beside, **self.keys}

    def choices(self, f: Field) -> tuple[str, ...]:
        """What a field can be; the themes are those there are."""
        return tuple(self.themes) if f.key == "theme" else f.choices

    def with_(self, key: str, value: str) -> Settings:
        """The same with one field changed."""
        return replace(self, values=MappingProxyType({**self.values, key: value}))


def read_settings(path: Path | None = None) -> tuple[Settings, Faults]:
    """The settings of a file, and what is wrong in it and in what lies beside it: themes and notable things.

    The table of labelled moods is another matter (`own_anchors`): a large one takes a second.
    """
    path = path or settings_file()
    faults = Faults()
    known = themes.shipped()
    own = path.parent / themes.NAME
    if own.exists():
        known = themes.read_themes(own, known, faults)
    out = Settings(themes=MappingProxyType(known), notable=notable.table_of(path.parent, faults))
    if not path.exists():
        return out, faults
    r = Reader(open_yaml(path, faults))
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
    r.get(MIND)  # is read, and its faults told, where a town is opened
    r.rest()
    return replace(out, values=MappingProxyType(values), keys=MappingProxyType(keys)), faults


def own_anchors(folder: Path, faults: Faults) -> Anchors:
    """The labelled moods of a table beside the settings; those that ship if there is none, or it has faults."""
    table = folder / ANCHORS
    return (read_anchors(table, faults) if table.exists() else None) or SHIPPED


def _keys(r: Reader) -> dict[str, str]:
    out: dict[str, str] = {}
    for id, value in r.entries():
        if id not in actions.BY_ID:
            r.key_fault(id, unknown("action", id, actions.BY_ID))
            continue
        keys = [actions.named_key(key) for key in value.texts(limit=40)]
        bad = [key for key in keys if not key]
        if bad or not keys:
            value.fault('is no key; write one as f2, ctrl+n or x, several as [x, f2], a sign in quotes: "!"')
        elif taken := [key for key in keys if key in actions.KEPT]:
            value.fault(f"{taken[0]} is kept for the terminal; choose another key")
        else:
            out[id] = ",".join(keys)
    for where, key, first, second in actions.clashes(out):
        name = second if second in out else first
        r.key_fault(name, f"{key} is already {first if name == second else second} ({where}); choose another key")
        out.pop(name, None)
    return out


def looked(settings: Settings, pairs: Iterable[str]) -> Settings:
    """The settings with "key=value" texts in their place. Raises ValueError with the mend."""
    fields = {f.key: f for f in FIELDS}
    for pair in pairs:
        key, sign, value = (part.strip() for part in pair.partition("="))
        if not sign:
            raise ValueError(f"{quoted(pair)} is no setting; write it as theme={USUAL}")
        if key not in fields:
            raise ValueError(unknown("setting", key, fields))
        choices = settings.choices(fields[key])
        if value not in choices:
            raise ValueError(f"{key}: {unknown('choice', value, choices)}")
        settings = settings.with_(key, value)
    return settings


def write_setting(key: str, value: str, path: Path | None = None) -> None:
    """Put one setting into the file, on its line if it has one; the rest stays to the byte.

    Raises OSError, with words for the player, if it cannot; the file is then as it was.
    """
    path = (path or settings_file()).resolve()  # a link stays one
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
            raise OSError(f"{shown(path)}: has no place for {key}; write `{key}: {value}` there on a line of its own")
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
    """The text of a settings file with a key's line changed, or with one more."""
    said = value if re.fullmatch(r"[A-Za-z][\w -]*", value) else json.dumps(value, ensure_ascii=False)
    line = f"{key}: {said}"
    out, count = re.subn(rf"(?m)^{key}[ \t]*:[^\n#]*?(?=[ \t]*(#|\r?$))", lambda _: line, text, count=1)
    if count:
        return out
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if not text or text.endswith("\n") else end) + line + end


def _unkept(path: Path, what: str, error: Exception) -> OSError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else "it is no UTF-8"
    return OSError(f"{shown(path)}: {what} ({why.lower()}); the setting holds until you leave")


def told_faults(faults: Iterable[object]) -> str:
    """Faults as a short text for the screen, a line each."""
    found = [str(f) for f in faults]
    more = [f"and {len(found) - TOLD} more"] if len(found) > TOLD else []
    return "\n".join((*found[:TOLD], *more))


def where_settings_lie() -> str:
    """The settings file as a person would type it."""
    return shown(settings_file())
