"""The settings: their file survives us, faults are named with their mend, and every look can be read."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from keys_page import keys_page
from larkspur import SIZES, Town, text
from textual.pilot import Pilot

from sandbox.core.places import settings_file
from sandbox.tui.app import actions
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.app.settingsfile import read_settings, write_setting
from sandbox.tui.theme import themes
from sandbox.tui.view import text_lines
from sandbox.tui.view.action import keys_of, named_key, shown_key
from sandbox.tui.view.settings import FIELDS, looked, told_faults

WIDE, SMALL = (120, 40), (80, 24)
ROOT = Path(__file__).parents[2]

OWN = """\
# my town
palette: grey   # I like it

theme: paper
keys:
  time.pause: W
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def file(home: Path) -> Path:
    return home / "settings.yaml"


def faults_of(file: Path, content: str) -> list[str]:
    file.write_text(content)
    return [str(f) for f in read_settings(file)[1]]


# ---- the file


def test_no_file_means_the_defaults() -> None:
    found, faults = read_settings()
    assert not len(faults)
    assert {f.key: found[f.key] for f in FIELDS} == {f.key: f.choices[0] for f in FIELDS}


def test_writing_changes_one_line_and_no_other(file: Path) -> None:
    file.write_text(OWN)
    write_setting("palette", "colour-blind")
    assert file.read_text() == OWN.replace("grey ", "colour-blind ")
    write_setting("motion", "reduced")
    assert file.read_text() == OWN.replace("grey ", "colour-blind ") + "motion: reduced\n"
    found, faults = read_settings(file)
    assert not len(faults)
    assert (found["theme"], found["motion"], found.keys["time.pause"]) == ("paper", "reduced", "W")


def test_ends_of_lines_stay(file: Path) -> None:
    file.write_bytes(b"theme: paper\r\npalette: grey\r\nspeed: fast")
    write_setting("theme", "dusk")
    write_setting("motion", "reduced")
    assert file.read_bytes() == b"theme: dusk\r\npalette: grey\r\nspeed: fast\r\nmotion: reduced\r\n"


def test_a_new_file_says_what_it_is(file: Path) -> None:
    write_setting("theme", "paper")
    first, *rest = file.read_text().splitlines()
    assert first.startswith("# ")
    assert rest == ["theme: paper"]
    assert [p.name for p in file.parent.iterdir()] == [file.name]


def test_a_link_stays_a_link(file: Path, home: Path) -> None:
    real = home / "dotfiles.yaml"
    real.write_text("theme: dusk\n")
    file.symlink_to(real)
    write_setting("theme", "paper")
    assert file.is_symlink()
    assert real.read_text() == "theme: paper\n"


@pytest.mark.parametrize("content", ["{theme: dusk}\n", "theme: [\n", "- a\n"])
def test_a_file_with_no_place_for_it_is_left_alone(file: Path, content: str) -> None:
    file.write_text(content)
    with pytest.raises(OSError, match=r"settings.yaml: has no place for motion; write `motion: reduced` there"):
        write_setting("motion", "reduced")
    assert file.read_text() == content
    assert [p.name for p in file.parent.iterdir()] == [file.name]


def test_a_folder_that_may_not_be_written_is_told_kindly(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(OSError, match=r"cannot be written \(permission denied\); the setting holds until you leave"):
        write_setting("theme", "paper")
    assert [*home.iterdir()] == []


# ---- faults


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("them: dusk\n", '1: no key "them"; did you mean "theme"?'),
        ("\ntheme: dsk\n", '2: no theme "dsk"; did you mean "dusk"?'),
        ("motion: less\n", '1: no motion "less"; choose from full, reduced'),
        ("names: perhaps\n", '1: "perhaps" is neither true nor false'),
        ("keys: {time.paus: P}\n", '1: no action "time.paus"; did you mean "time.pause"?'),
        ("keys: {time.pause: foo}\n", "1: is not a key; write one as f2, ctrl+n or x"),
        ("keys: {time.pause: ctrl+c}\n", "1: ctrl+c is kept for the terminal; choose another key"),
        ("keys: {time.pause: n}\n", "1: n is already time.next (town); choose another key"),
        ("keys:\n  time.pause: [Z, h]\n  time.step: h\n", "3: h is already time.pause (town); choose another key"),
    ],
)
def test_a_fault_names_file_line_and_mend(file: Path, content: str, fault: str) -> None:
    (found,) = faults_of(file, content)
    line, says = fault.split(": ", 1)
    assert f"settings.yaml:{line}: " in found
    assert says in found


def test_what_is_right_beside_a_fault_holds(file: Path) -> None:
    file.write_text("theme: paper\npalette: gray\nkeys: {time.pause: n, go.find: f3}\n")
    found, faults = read_settings(file)
    assert len(faults) == 2
    assert (found["theme"], found["palette"], dict(found.keys)) == ("paper", "default", {"go.find": "f3"})


def test_many_faults_are_told_in_short() -> None:
    assert told_faults(["a", "b", "c", "d", "e"]) == "a\nb\nc\nand 2 more"


def test_looks_for_one_time_name_their_faults() -> None:
    usual = read_settings()[0]
    assert looked(usual, ["theme=paper", "motion = reduced"])["motion"] == "reduced"
    for pair, fault in (("theme", "is not a setting"), ("them=a", 'mean "theme"'), ("palette=x", "choose from")):
        with pytest.raises(ValueError, match=fault):
            looked(usual, [pair])


# ---- keys


def test_every_key_can_be_written_as_it_is_shown() -> None:
    for action in actions.ACTIONS:
        for key in keys_of(action, {}):
            assert named_key(shown_key(key)) == key


@pytest.mark.parametrize(
    ("said", "named"),
    [("Ctrl+F", "ctrl+f"), ("F2", "f2"), ("shift+a", "A"), ("N", "N"), ("Esc", "escape"),
     ("shift+ctrl+up", "ctrl+shift+up"), ("+", "plus"), (",", "comma"), ("ctrl++", "ctrl+plus"),
     ("foo", ""), ("ctrl+", ""), ("  ", ""), ("super+x", "")],
)  # fmt: skip
def test_keys_are_named_as_people_name_them(said: str, named: str) -> None:
    assert named_key(said) == named


def test_the_page_of_keys_is_current() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == keys_page(), "run `make keys`"


def test_every_action_stands_on_the_page() -> None:
    assert all(f"`{action.id}`" in keys_page() for action in actions.ACTIONS)


def test_the_example_on_the_page_works(file: Path) -> None:
    example = keys_page().split("```yaml\n")[1].split("```")[0]
    assert faults_of(file, example) == []


async def test_keys_of_ones_own_act_and_are_shown(town: Town, file: Path) -> None:
    file.write_text("keys: {time.pause: W, time.rewind: [f6, f7], go.out: [escape, Z]}\n")
    app = SandboxApp(town, read_settings(file)[0])
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        assert not app.viewer.pace.running
        await press(pilot, "W")
        assert app.viewer.pace.running
        await press(pilot, "space", "question_mark")
        assert app.viewer.pace.running
        rows = "\n".join(text(app))
        assert "W             Pause" in rows
        await press(pilot, "Z")
        assert screen_of(app).sheets.topmost is None
        assert {"f6", "f7", "r"} <= screen_of(app).active_bindings.keys(), (
            "what shares a key with a remapped action keeps it"
        )


# ---- the screen of settings


def screen_of(app: SandboxApp) -> TownScreen:
    assert isinstance(app.screen, TownScreen)
    return app.screen


async def press(pilot: Pilot[None], *names: str) -> None:
    for name in names:
        await pilot.press(name)
        await pilot.pause()
    await pilot.pause()


@pytest.mark.slow
@SIZES
async def test_a_setting_holds_at_once_and_is_kept(app: SandboxApp, file: Path, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        before = screen_of(app).styles.background
        await press(pilot, "f2")
        rows = "\n".join(text(app))
        assert "theme" in rows
        assert "dusk" in rows
        await press(pilot, "enter")
        assert app.theme == app.settings["theme"] == "paper"
        assert screen_of(app).styles.background != before
        assert "theme: paper" in file.read_text()
        await press(pilot, "left_square_bracket")
        assert app.settings["theme"] == "dusk"
        await press(pilot, "j", "right_square_bracket", "right_square_bracket")
        assert app.settings["palette"] == "grey"
        assert read_settings()[0]["palette"] == "grey"
        assert app.viewer.settings["palette"] == "grey"
        await press(pilot, "G")
        assert "docs/keys.md" in "".join(text(app))
        await press(pilot, "escape")
        assert screen_of(app).sheets.topmost is None


@pytest.mark.slow
async def test_every_setting_has_a_row_that_changes_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "f2")
        for f in FIELDS:
            sheet = screen_of(app).sheets
            sheet.pull()
            assert sheet.chosen is not None
            assert sheet.chosen.key == f.key
            await press(pilot, "enter")
            assert app.settings[f.key] == app.settings.choices(f)[1]
            await press(pilot, "j")
        assert len(read_settings(settings_file())[1]) == 0


async def test_what_cannot_be_kept_holds_and_is_told(app: SandboxApp, file: Path) -> None:
    file.write_text("{theme: dusk}\n")
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "f2", "enter")
        assert app.theme == "paper"
        assert "has no place for theme" in next(iter(app._notifications)).message


# ---- themes


def test_a_theme_of_ones_own_is_offered(home: Path, file: Path) -> None:
    (home / themes.NAME).write_text('mine: {ground: "#102030"}\npaper: {dark: false, text: "#000000"}\n')
    file.write_text("theme: mine\n")
    found, faults = read_settings(file)
    assert not len(faults)
    theme = next(f for f in FIELDS if f.key == "theme")
    assert found.choices(theme) == ("dusk", "paper", "contrast", "mine")
    assert found.theme.colours["ground"] == 0x102030
    assert found.theme.colours["text"] == themes.shipped_themes()["dusk"].colours["text"]
    assert found.themes["paper"].colours["text"] == 0
    assert found.themes["paper"].colours["pane"] == themes.shipped_themes()["paper"].colours["pane"]


def test_faults_of_a_theme_name_their_mend(home: Path) -> None:
    (home / themes.NAME).write_text("mine:\n  grond: '#102030'\n  text: red\n")
    first, second = (str(f) for f in read_settings()[1])
    assert "themes.yaml:2: " in first
    assert 'no colour "grond"; choose from ground, pane' in first
    assert "themes.yaml:3: " in second
    assert '"red" is not a colour; write it as "#rrggbb", in quotes' in second


def contrast(one: int, other: int) -> float:
    light, dark = sorted((text_lines.luminance(one), text_lines.luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ("ground", "pane", "sheet", "bar", "now", "chosen")
LEAST = {"text": 4.5, "soft": 4.5, "dim": 3.0, "title": 4.5} | dict.fromkeys(
    ("accent", "link", "alarm", "warm", "cool", "sour", "tender"), 3.0
)


@pytest.mark.parametrize("name", themes.shipped_themes())
def test_all_words_of_a_theme_can_be_read(name: str) -> None:
    colours = themes.shipped_themes()[name].colours
    poor = {
        f"{word} on {ground}": round(found, 2)
        for word, least in LEAST.items()
        for ground in GROUNDS
        if (found := contrast(colours[word], colours[ground])) < least
    }
    assert not poor


@pytest.mark.parametrize("name", themes.shipped_themes())
@pytest.mark.parametrize("palette", ["default", "colour-blind", "grey"])
def test_words_in_the_colour_of_a_mood_can_be_read(name: str, palette: str) -> None:
    colours = themes.shipped_themes()[name].colours
    text_lines.use_colours(colours, palette)
    try:
        for mood in text_lines.MARKS:
            colour = text_lines.style(text_lines.of_mood(mood)).color
            assert colour is not None
            found = int(colour.get_truecolor().hex[1:], 16)
            assert min(contrast(found, colours[ground]) for ground in ("pane", "sheet", "ground", "bar")) >= 3, mood
    finally:
        text_lines.use_colours(themes.shipped_themes()["dusk"].colours, "default")


def test_panes_lie_close_to_each_other_in_lightness() -> None:
    for theme in themes.shipped_themes().values():
        shades = [theme.colours[g] for g in ("ground", "pane", "sheet", "bar")]
        assert all(contrast(a, b) < 1.4 for a, b in pairwise(shades))
