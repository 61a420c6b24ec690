"""The player's settings, and their schema, from which the settings screen is drawn and `settings.yaml` is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from sandbox.core.faults import in_quotes, unknown
from sandbox.people.mood_words import SHIPPED, Anchors
from sandbox.readers import story
from sandbox.readers.story import Notable
from sandbox.tui.theme import themes
from sandbox.tui.theme.themes import USUAL, Theme

TOLD = 3  # faults named on the screen; the rest are counted


class Setting(NamedTuple):
    """A setting. choices: its values, the first is the default; a flag has "on" and "off"."""

    key: str
    title: str
    says: str
    choices: tuple[str, ...]
    group: str


FIELDS = msgspec.yaml.decode(Path(__file__).with_name("settings.yaml").read_bytes(), type=tuple[Setting, ...])


@dataclass(frozen=True)
class Settings:
    """The values of all settings. values: key -> choice, for every field; keys: action id -> keys, comma between.

    notable: how notable each kind of event is. anchors: labelled points in mood space, from which moods are named.
    """

    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({f.key: f.choices[0] for f in FIELDS}))
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    themes: Mapping[str, Theme] = field(default_factory=lambda: MappingProxyType(themes.shipped_themes()))
    notable: Notable = field(default_factory=story.default_notable)
    anchors: Anchors = SHIPPED

    def __getitem__(self, key: str) -> str:
        return self.values[key]

    def on(self, key: str) -> bool:
        """Whether a flag is on."""
        return self.values[key] == "on"

    @property
    def theme(self) -> Theme:
        """The theme chosen, or the default one if it does not exist any more."""
        return self.themes.get(self.values["theme"], self.themes[USUAL])

    def choices(self, f: Setting) -> tuple[str, ...]:
        """The choices of a field; for the theme all loaded themes."""
        return tuple(self.themes) if f.key == "theme" else f.choices

    def with_(self, key: str, value: str) -> Settings:
        """A copy of the settings with one field changed."""
        return replace(self, values=MappingProxyType({**self.values, key: value}))


def looked(settings: Settings, pairs: Iterable[str]) -> Settings:
    """A copy of the settings with "key=value" texts applied. Raises ValueError that says how to fix a text."""
    fields = {f.key: f for f in FIELDS}
    for pair in pairs:
        key, sign, value = (part.strip() for part in pair.partition("="))
        if not sign:
            raise ValueError(f"{in_quotes(pair)} is not a setting; write it as theme={USUAL}")
        if key not in fields:
            raise ValueError(unknown("setting", key, fields))
        choices = settings.choices(fields[key])
        if value not in choices:
            raise ValueError(f"{key}: {unknown('choice', value, choices)}")
        settings = settings.with_(key, value)
    return settings


def told_faults(faults: Iterable[object]) -> str:
    """Faults as a short text for the screen, one per line, at most TOLD."""
    found = [str(f) for f in faults]
    more = [f"and {len(found) - TOLD} more"] if len(found) > TOLD else []
    return "\n".join((*found[:TOLD], *more))
