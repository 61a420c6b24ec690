"""Whom to play: somebody of the town, those in view first; or somebody new, as the world defines them or as the player
changes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from sandbox.core.text import clean, upper
from sandbox.director.dealing import room_of
from sandbox.director.goal_domain import own_goals
from sandbox.director.reading import parse_place
from sandbox.people.guest_model import in_town
from sandbox.people.persona import HAIR, SKIN, Persona
from sandbox.people.pressure_deck import gist
from sandbox.play.arriving import JOB, NAME, TOLD, traits_of
from sandbox.play.model import Arrive, Play
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import ask_line
from sandbox.tui.sheets.run_command import run_in_one_step
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.action import first_key
from sandbox.tui.view.person_words import person_title
from sandbox.tui.view.text_lines import Line, fit, hung, ink, key_line, outside
from sandbox.tui.widgets.entries import Entry, heading


def play_as(stage: TownLayout, who: str) -> bool:
    """Play `who` from now on; whether that succeeded. Somebody out of town cannot be played: a notice says so."""
    viewer = stage.viewer
    if not in_town(viewer.world, who):
        stage.notify(f"{viewer.name(who)} is out of town: {viewer.view.doing(who)}.", timeout=4)
        return False
    taken = run_in_one_step(stage, Play(by=who))
    if taken:
        stage.choose(who)
        viewer.following = True
    return taken


class WhomSheet(TownSheet):
    """One row per person; enter plays them.

    The order is fixed when the sheet opens, so that no row moves under the cursor: somebody who leaves town keeps their
    row, and somebody who arrives is added below the others.
    """

    kind, title = "whom", "Whom do you want to be?"
    picks = True
    keys = frozenset({"play.as"})

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        there = self._there()
        self._near = [who for who in stage.town.in_view() if who in there]
        self._far = [who for who in there if who not in self._near]
        self._come: list[str] = []

    def entries(self, width: int) -> Sequence[Entry]:
        listed = {*self._near, *self._far, *self._come}
        self._come += [who for who in self._there() if who not in listed]
        out: list[Entry] = []
        for head, people in (("In view", self._near), ("Elsewhere", self._far), ("Come since", self._come)):
            out += [heading(head), *(self._row(who, width) for who in people)] if people else []
        if key := first_key("play.arrive", self.viewer.keys):
            out.append(Entry([[], key_line(key, "comes to town as somebody new")]))
        return out

    def _there(self) -> list[str]:
        """The ids of everybody in town, sorted by name."""
        world = self.world
        return sorted((who for who in world.cast if in_town(world, who)), key=lambda who: world.cast[who].name)

    def _row(self, who: str, width: int) -> Entry:
        viewer = self.viewer
        doing = viewer.view.doing(who)
        name = outside(person_title(viewer, who))
        line = [ink("▶ ", "accent"), name, ink("  ", "dim"), outside(doing, "soft")]
        return Entry([fit(line, width)], partial(self._be, who), who)

    def _be(self, who: str) -> None:
        if play_as(self.stage, who):
            self.stage.close_all()


# ---- coming to town as somebody new


LABEL = 9  # width of the column of row names, in cells
CHOICES: Mapping[str, Sequence[str]] = {"hair": HAIR, "skin": SKIN}
TYPED = {  # row: the most letters, and the hint in the prompt
    "name": (NAME, "one name, or a first and a last name"),
    "nature": (60, "up to three words, such as: warm, shy, stubborn"),
    "home": (60, "a room with a bed or a sofa"),
    "work": (60, "a place, such as the bakery"),
    "job": (JOB, "what you are called there"),
    "secret": (TOLD, "what nobody must know"),
}


class ArrivalSheet(TownSheet):
    """One row per trait that can be changed, and one that makes the newcomer arrive. who: the newcomer's id."""

    kind, title = "arrival", "Somebody new in town"
    picks = True
    keys = frozenset({"play.arrive"})
    start = "come"

    def __init__(self, stage: TownLayout, who: str) -> None:
        super().__init__(stage)
        self.who = who
        self.made = Arrive(who=who)

    def entries(self, width: int) -> Sequence[Entry]:
        p, made = self.world.newcomers[self.who].persona, self.made
        home = _room(made.home or p.home)
        comes = f"come to town as {made.name or p.name}, {made.job or p.job}; home: {home}"
        out = [Entry([*hung([ink("▶ ", "accent")], comes, width, most=2)], self._come, "come")]
        out.append(Entry([*self._brings(p, width), []]))
        out.append(heading("Or be somebody else: enter changes a row"))
        shown = {
            "name": made.name or p.name,
            "nature": made.nature or ", ".join(p.traits),
            "hair": made.hair or p.look.hair,
            "skin": made.skin or p.look.skin,
            "home": home,
            "work": _room(made.work or p.work) or "nowhere yet",
            "job": made.job or p.job,
            "secret": made.secret or "none",
        }
        return [*out, *(self._row(key, value, width) for key, value in shown.items())]

    def _brings(self, persona: Persona, width: int) -> Sequence[Line]:
        """What they bring along: their coins, and what they want because of their pressures."""
        w = self.world
        parts = [f"{persona.purse} coins"] if persona.purse is not None and w.money is not None else []
        for x in w.newcomers[self.who].settling.pressures:
            wanted = w.drama.kinds[x.kind].wanted.replace("{about}", w.handbook.name(x.about))
            parts.append("to " + wanted.replace("{stakes}", gist(x.stakes)))
        return hung([ink("  ")], "; ".join(parts), width, "soft", most=4)

    def _row(self, key: str, value: str, width: int) -> Entry:
        head = [ink(f"  {key:<{LABEL}}", "dim")]
        does = partial(self._next if key in CHOICES else self._type, key)
        return Entry([*hung(head, clean(value, TOLD), width, most=2)], does, key)

    def _next(self, key: str) -> None:
        """Set a row to the next of its choices."""
        look = self.world.newcomers[self.who].persona.look
        at = CHOICES[key].index(getattr(self.made, key) or getattr(look, key))
        self._set(key, CHOICES[key][(at + 1) % len(CHOICES[key])])

    def _type(self, key: str) -> None:
        (most, hint), now = TYPED[key], getattr(self.made, key)
        title, read, takes = f"{upper(key)}; empty: as before", partial(self._read, key), partial(self._set, key)
        ask_line(self.stage, title, now, hint, most, read, takes)

    def _read(self, key: str, line: str) -> str:
        """A typed line as the value that the command takes. Raises ValueError, with a sentence, if it is invalid."""
        text, w = " ".join(clean(line, TOLD).split()), self.world
        if key in ("home", "work") and text:
            return room_of(w, parse_place(w, text))
        if key == "nature":
            return ", ".join(traits_of(text))
        return text

    def _set(self, key: str, value: str) -> None:
        self.made = replace(self.made, **{key: value})
        self.stage.sheets.pull()

    def _come(self) -> None:
        if run_in_one_step(self.stage, self.made, self._came):
            self.stage.close_all()

    def _came(self) -> None:
        """After arriving: choose and follow the new person on the map, and say what their goals are."""
        stage, viewer = self.stage, self.viewer
        stage.choose(self.who)
        viewer.following, viewer.missed = True, ()
        stage.show_pane(stage.home)
        stage.town.look_at(self.who)
        if titles := [aim.title for aim in own_goals(viewer.world, self.who)]:
            says = f"You want: {'; '.join(titles)}. {first_key('play.act', viewer.keys)}, goals: how far each has come."
            stage.notify(clean(says, 600), title=f"You are {viewer.name(self.who)}", timeout=15)


def arrival_sheet(stage: TownLayout) -> ArrivalSheet | None:
    """The sheet of the first newcomer who is not in town yet; None if there is none."""
    w = stage.viewer.world
    who = next((x for x in w.newcomers if x not in w.cast), "")
    return ArrivalSheet(stage, who) if who else None


def _room(address: str) -> str:
    """An address for display: "house / room" becomes "house, room"."""
    return address.replace(" / ", ", ")
