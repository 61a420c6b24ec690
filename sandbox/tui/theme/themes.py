"""Themes: the colours of the screen, from `sandbox/data/themes.yaml` and a player's file of the same format."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from textual.theme import Theme as TextualTheme

from sandbox.core.faults import Faults, in_quotes
from sandbox.core.places import data_dir
from sandbox.core.textfiles import MappingReader, Value, open_yaml

NAME = "themes.yaml"
USUAL = "dusk"
_BASES = {True: "dusk", False: "paper"}
_HEX = re.compile(r"#([0-9A-Fa-f]{6})$")


class Theme(NamedTuple):
    """Colours by name, each 0xRRGGBB. dark: whether text is lighter than its background."""

    name: str
    dark: bool
    colours: MappingProxyType[str, int]

    def textual(self) -> TextualTheme:
        """The theme for Textual; each colour is also a CSS variable, `$our-pane` and so on."""
        hexed = {name: f"#{value:06x}" for name, value in self.colours.items()}
        return TextualTheme(
            name=self.name,
            primary=hexed["link"],
            accent=hexed["accent"],
            error=hexed["alarm"],
            warning=hexed["sour"],
            foreground=hexed["text"],
            background=hexed["ground"],
            surface=hexed["pane"],
            panel=hexed["bar"],
            dark=self.dark,
            variables={f"our-{name}": value for name, value in hexed.items()},
        )


@cache
def shipped_themes() -> dict[str, Theme]:
    """The themes shipped with the program, by name."""
    faults = Faults()
    found = read_themes(data_dir() / NAME, {}, faults)
    assert not faults.errors, "\n".join(map(str, faults))
    return found


def read_themes(path: Path, known: dict[str, Theme], faults: Faults) -> dict[str, Theme]:
    """The known themes and those of a file, which may replace them; a missing colour comes from the base theme."""
    out = dict(known)
    for name, value in MappingReader(open_yaml(path, faults)).entries():
        out[name] = _theme(name, value, out)
    return out


def _theme(name: str, value: Value, known: dict[str, Theme]) -> Theme:
    r = value.mapping()
    dark = r.choice("dark", "true", ("true", "false"), "answer") == "true"
    base = known.get(_BASES[dark])
    colours = dict(base.colours) if base else {}
    for key, given in r.entries():
        if key == "dark":
            continue
        if base and key not in base.colours:
            r.key_fault(key, f"no colour {in_quotes(key)}; choose from {', '.join(base.colours)}")
            continue
        colour = given.parsed(_colour)
        if colour is not None:
            colours[key] = colour
    return Theme(name, dark, MappingProxyType(colours))


def _colour(text: str) -> int:
    found = _HEX.match(text)
    if not found:
        raise ValueError(f'{in_quotes(text)} is not a colour; write it as "#rrggbb", in quotes')
    return int(found[1], 16)
