"""What a player sets: the schema, from which the settings screen is drawn, and the file `settings.yaml`.

A missing file means the defaults. A file with faults is used as far as it can be read; the faults are told on the
screen, and the file is left alone. Writing changes the lines of the keys that changed and no others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sandbox.core.faults import Faults, shown, unknown
from sandbox.core.places import home
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.tui import actions, themes
from sandbox.tui.themes import USUAL, Theme

NAME = "settings.yaml"
FIRST_LINE = "# Settings of sandbox; its screen writes them, too.\n"


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
    Field("glyphs", "town drawn in", "Pictures need 256 colours; auto draws letters where there are fewer.",
          ("auto", "pictures", "letters", "ascii"), "Look"),
    Field("motion", "motion", "Reduced: no water, smoke, fades or camera that moves by itself.",
          ("full", "reduced"), "Look"),
    Field("names", "names of places", "On closed roofs and far walls.", ("on", "off"), "Look"),
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
    """What is set. values: key -> choice, of every field; keys: id of an action -> keys, comma between."""

    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({f.key: f.choices[0] for f in FIELDS}))
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    themes: Mapping[str, Theme] = field(default_factory=lambda: MappingProxyType(themes.shipped()))

    def __getitem__(self, key: str) -> str:
        return self.values[key]

    def on(self, key: str) -> bool:
        """Whether a flag is on."""
        return self.values[key] == "on"

    @property
    def theme(self) -> Theme:
        """The theme that is set, or the usual one if it is gone."""
        return self.themes.get(self.values["theme"], self.themes[USUAL])

    def choices(self, f: Field) -> tuple[str, ...]:
        """What a field can be; the themes are those there are."""
        return tuple(self.themes) if f.key == "theme" else f.choices

    def with_(self, key: str, value: str) -> Settings:
        """The same with one field changed."""
        return replace(self, values=MappingProxyType({**self.values, key: value}))


def settings_path() -> Path:
    """Where the file lies."""
    return home() / NAME


def read_settings(path: Path | None = None) -> tuple[Settings, Faults]:
    """The settings of a file, and what is wrong in it and in the themes beside it."""
    path = path or settings_path()
    faults = Faults()
    known = themes.shipped()
    own = path.parent / themes.NAME
    if own.is_file():
        known = themes.read_themes(own, known, faults)
    out = Settings(themes=MappingProxyType(known))
    if not path.is_file():
        return out, faults
    r = Reader(open_yaml(path, faults))
    values = dict(out.values)
    for f in FIELDS:
        value = r.get(f.key)
        if value is None:
            continue
        choices = out.choices(f)
        flag = value.flag() if choices == ("on", "off") else None
        got = ("on" if flag else "off") if flag is not None else value.choice(choices, f.title)
        values[f.key] = got or values[f.key]
    keys = _keys(r.section("keys"))
    r.rest()
    return replace(out, values=MappingProxyType(values), keys=MappingProxyType(keys)), faults


def _keys(r: Reader) -> dict[str, str]:
    out: dict[str, str] = {}
    for id, value in r.entries():
        if id not in actions.BY_ID:
            r.key_fault(id, unknown("action", id, actions.BY_ID))
            continue
        keys = [actions.named_key(key) for key in value.texts(limit=40)]
        bad = [key for key in keys if not key]
        if bad or not keys:
            value.fault('is no key; write one as "f2", "ctrl+n" or "x", several as [x, f2]')
        elif taken := [key for key in keys if key in actions.KEPT]:
            value.fault(f"{taken[0]} is kept for the terminal; choose another key")
        else:
            out[id] = ",".join(keys)
    for where, key, first, second in actions.clashes(out):
        name = second if second in out else first
        r.key_fault(name, f"{key} is already {first if name == second else second} ({where}); choose another key")
        out.pop(name, None)
    return out


def write_setting(key: str, value: str, path: Path | None = None) -> None:
    """Put one setting into the file, on its line if it has one. Raises OSError."""
    path = path or settings_path()
    text = path.read_text(encoding="utf-8") if path.is_file() else FIRST_LINE
    line = f"{key}: {value}"
    changed, count = re.subn(rf"(?m)^{re.escape(key)}[ \t]*:[^\n#]*?(?=[ \t]*(#|$))", line, text, count=1)
    if not count:
        changed = text + ("" if text.endswith("\n") or not text else "\n") + line + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(changed, encoding="utf-8")
    os.replace(fresh, path)


def told_faults(faults: Iterable[object]) -> str:
    """Faults as one short text for the screen."""
    found = [str(f) for f in faults]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{found[0]}{more}" if found else ""


def where_settings_lie() -> str:
    """The settings file as a person would type it."""
    return shown(settings_path())
