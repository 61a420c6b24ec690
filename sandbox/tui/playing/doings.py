"""What somebody who is played can do where they are, and elsewhere: the things of a day."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.domain import Command
from sandbox.core.text import clean, upper
from sandbox.people.claims.apply import closed
from sandbox.people.goals.apply import means_of, next_step
from sandbox.people.model import SEEK
from sandbox.people.perceive import area_at
from sandbox.people.planning import resolve
from sandbox.people.played import CameToHead
from sandbox.people.pressures.deck import gist
from sandbox.people.pressures.rules import of
from sandbox.play.beginnings import voters, votes
from sandbox.play.deeds import board, no_phone
from sandbox.play.model import Bid, GiveBack, Lean, Pin, SetAside
from sandbox.play.reading import LETTERS, Look, Wait, read
from sandbox.play.turning import pending
from sandbox.stories.turnings import of_world
from sandbox.town.plan import sector_of
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, apart, hung, ink, outside, prose
from sandbox.tui.leaves.typed import TypedLine
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.playing.carry import ask_words, on, once, until_second
from sandbox.tui.playing.phone import PhoneLeaf
from sandbox.tui.playing.turning import TurningLeaf
from sandbox.tui.stage import Stage

ELSEWHERE = 8  # things to do in other places that are shown
SUCH = "go to the library; lunch at the cafe for 30m; wait 20m; give zeno 5"
HOME = ("sleep", "wash", "breakfast", "supper", "rest", "read")


class DoingsLeaf(Leaf[Stage]):
    """Things to do."""

    kind = "doings"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, f"{stage.viewer.name(stage.viewer.world.played.who)}: what now?")

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        w, me = viewer.world, viewer.plays
        if not me:
            return [Entry(prose("Nobody is played now.", width))]
        here = area_at(w, me, w.now)
        out: list[Entry] = []
        if (point := pending(w)) is not None:
            head = upper(of_world(w, point).partition(". ")[0])
            out.append(Entry(hung([ink("! ", GOLD)], head, width, TEXT), partial(self._turning, point), "turning"))
        fits = self._fits(here) if here else []
        if here:
            out.append(heading(upper(w.handbook.at(here))))
            out += [self._row(do, here, width) for do in fits]
        out += self._towards(me, width)
        out.append(heading("At home"))
        rooms = {do: where for do, where in self._usual(me) if sector_of(where) == sector_of(w.cast[me].home)}
        there = [(do, rooms.get(do, "home")) for do in HOME if do in w.handbook.deck.blocks]
        out += [self._row(do, where, width) for do, where in there if where != here or do not in fits]
        if w.cast[me].work:
            out += [heading(f"Work, {w.handbook.at(w.cast[me].work)}"), self._row("work", "work", width)]
        out.append(heading("Elsewhere"))
        out += [self._row(do, where, width, w.handbook.at(where)) for do, where in self._elsewhere(me, here)]
        out.append(Entry([[ink("✎ ", GOLD), ink("say in words what you do ...", SOFT)]], self._type, "line"))
        out += self._deeds(me)
        out.append(heading("Or"))
        out.append(Entry([[ink("let them do as they like for a while", SOFT)]], self._aside, "aside"))
        out.append(Entry([[ink("give them back to the town", SOFT)]], self._give_back, "back"))
        return out

    def _deeds(self, me: str) -> list[Entry]:
        """What is done without going anywhere: to have a say, to pin up a note, the phone."""
        w, out = self.stage.viewer.world, []
        for vote in [x for x in votes(w) if me in voters(w, x)][:1]:
            out.append(heading(clean(f"The vote on {vote}", 70)))
            for yes in (True, False):
                mark = "● " if w.played.votes.get(vote) is yes else "▶ "
                line = [ink(mark, GOLD), ink("be for it" if yes else "be against it", TEXT)]
                out.append(Entry([line], partial(self._lean, vote, yes), ("vote", yes)))
        more = []
        if board(w, me):
            more.append(Entry([[ink("✎ ", GOLD), ink("pin up a note ...", TEXT)]], self._write, "pin"))
        if not no_phone(w, me):
            opens = partial(self.stage.open_sheet, PhoneLeaf(self.stage))
            more.append(Entry([[ink("▶ ", GOLD), ink("the phone ...", TEXT)]], opens, "phone"))
        return [*out, *([heading("At once")] if more else []), *more]

    def _lean(self, vote: str, yes: bool) -> None:
        if once(self.stage, Lean(by=self.stage.viewer.plays, opinion=vote, yes=yes)):
            self.stage.close_all()

    def _write(self) -> None:
        ask_words(self.stage, "What the note says", "", self._pin)

    def _pin(self, words: str) -> None:
        if once(self.stage, Pin(by=self.stage.viewer.plays, words=words)):
            self.stage.close_all()

    def _fits(self, here: str) -> list[str]:
        """What people do in a place: by anybody's routine, or at leisure."""
        w = self.stage.viewer.world
        usual = [
            s.do for p in w.cast.values() for day in p.routine.days for s in day.slots if resolve(p, s.where) == here
        ]
        free = [do for do, where in w.leisure(w.played.who) if where == here]
        return [do for do in dict.fromkeys((*free, *usual)) if do not in ("sleep", SEEK)][:8]

    def _towards(self, me: str, width: int) -> list[Entry]:
        """The hours of one's own that something one wants takes."""
        w = self.stage.viewer.world
        out = []
        for p in of(w.pressures, me):
            todo = next_step(w, p, w.now) if p.holder == me else None
            block = means_of(w, todo).block if todo is not None else ""
            if block:
                out.append(self._row(block, "home", width, f"for {gist(p.stakes)}"))
        return [heading("Towards what you want"), *out] if out else []

    def _elsewhere(self, me: str, here: str) -> list[tuple[str, str]]:
        """Of one's usual days, and of what one may choose for a change, what is done in other places: each thing once,
        and one thing in each place.
        """
        w = self.stage.viewer.world
        found: dict[str, str] = {}
        for do, where in (*self._usual(me), *w.leisure(me)):
            taken = {sector_of(x) for x in (here, w.cast[me].home, *found.values())}
            if do not in found and sector_of(where) not in taken and not closed(w, where):
                found[do] = where
        return [*found.items()][:ELSEWHERE]

    def _usual(self, me: str) -> list[tuple[str, str]]:
        """What is done on their usual days, and where."""
        p = self.stage.viewer.world.cast[me]
        return [(slot.do, resolve(p, slot.where)) for day in p.routine.days for slot in day.slots]

    def _row(self, do: str, where: str, width: int, adds: str = "") -> Entry:
        w = self.stage.viewer.world
        block = w.handbook.deck.blocks[do]
        costs = [ink("costs", DIM)] if block.costs and where != "home" else []
        says = f"{block.do} {adds}" if adds else block.do
        line = apart([ink("▶ ", GOLD), outside(says, TEXT)], costs, width)
        return Entry([line], partial(self._do, do, where), (do, where, adds))

    def _type(self) -> None:
        """Say what to do in words, as `sandbox be` takes them."""

        def check(text: str) -> object:
            meant = read(self.stage.viewer.world, text)
            if isinstance(meant, Look):
                raise ValueError(f"say what with {self.stage.viewer.name(meant.whom)}: choose them, and press enter")
            return meant

        def typed(text: str | None) -> None:
            if text is None:
                return
            meant = check(text)
            if isinstance(meant, Wait):
                self.stage.close_all()
                self.stage.guard.run(until_second(self.stage.viewer, meant.seconds))
            elif isinstance(meant, Command) and on(self.stage, meant):
                self.stage.close_all()

        self.stage.app.push_screen(TypedLine("What you do", "", SUCH, LETTERS, check), typed)

    def _do(self, do: str, where: str) -> None:
        if on(self.stage, Bid(by=self.stage.viewer.plays, do=do, where=where)):
            self.stage.close_all()

    def _turning(self, point: CameToHead) -> None:
        self.stage.open_sheet(TurningLeaf(self.stage, point))

    def _aside(self) -> None:
        if once(self.stage, SetAside(by=self.stage.viewer.plays, on=True)):
            self.stage.close_all()

    def _give_back(self) -> None:
        if once(self.stage, GiveBack(by=self.stage.viewer.plays)):
            self.stage.close_all()
