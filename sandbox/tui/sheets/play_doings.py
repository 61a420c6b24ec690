"""What the played person can do here and elsewhere: everyday activities, votes, notes, the phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.domain import Command
from sandbox.core.text import clean, upper
from sandbox.director.goal_domain import own_goals
from sandbox.people.played import CameToHead
from sandbox.play.activities_offered import ActivityOffer, doings
from sandbox.play.acts_without_talk import board, no_phone
from sandbox.play.beginnings import voters, votes
from sandbox.play.model import GiveBack, Lean, Pin, SetAside
from sandbox.play.reading import LETTERS, ListOffers, Wait, read
from sandbox.play.turning import pending
from sandbox.readers.stories_of_play import waiting_point_words
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import TypedLine
from sandbox.tui.sheets.goals import open_goals
from sandbox.tui.sheets.play_begins import PhoneSheet
from sandbox.tui.sheets.play_turning import TurningSheet
from sandbox.tui.sheets.run_command import ask_words, run_in_one_step, run_until_done, until_second
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, as_lines, hung, ink, justify, outside
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet

SUCH = "go to the library; lunch at the cafe for 30m; wait 20m; give zeno 5; ask esme for work"


class DoingsSheet(Sheet[TownLayout]):
    """The list of things to do now."""

    kind = "doings"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, f"{stage.viewer.name(stage.viewer.world.played.who)}: what now?")

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        w, me = viewer.world, viewer.plays
        if not me:
            return [Entry(as_lines("Nobody is played now.", width))]
        out: list[Entry] = []
        if (point := pending(w)) is not None:
            head = upper(waiting_point_words(w, point).partition(". ")[0])
            out.append(Entry(hung([ink("! ", GOLD)], head, width, TEXT), partial(self._turning, point), "turning"))
        for head, rows in doings(w, me):
            out += [heading(head), *(self._row(x, width) for x in rows)]
        out.append(Entry([[ink("✎ ", GOLD), ink("say in words what you do ...", SOFT)]], self._type, "line"))
        out += self._deeds(me)
        out.append(heading("Or"))
        if titles := [aim.title for aim in own_goals(w, me)]:
            goals = hung([ink("▶ ", GOLD)], f"your goals: {'; '.join(titles)}", width, TEXT, most=2)
            out.append(Entry(goals, partial(open_goals, self.stage), "goals"))
        out.append(Entry([[ink("let them do as they like for a while", SOFT)]], self._aside, "aside"))
        out.append(Entry([[ink("give them back to the town", SOFT)]], self._give_back, "back"))
        return out

    def _deeds(self, me: str) -> list[Entry]:
        """What can be done on the spot: lean to a side in a vote, pin up a note, use the phone."""
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
            opens = partial(self.stage.open_sheet, PhoneSheet(self.stage))
            more.append(Entry([[ink("▶ ", GOLD), ink("the phone ...", TEXT)]], opens, "phone"))
        return [*out, *([heading("At once")] if more else []), *more]

    def _lean(self, vote: str, yes: bool) -> None:
        if run_in_one_step(self.stage, Lean(by=self.stage.viewer.plays, opinion=vote, yes=yes)):
            self.stage.close_all()

    def _write(self) -> None:
        ask_words(self.stage, "What the note says", "", self._pin)

    def _pin(self, words: str) -> None:
        if run_in_one_step(self.stage, Pin(by=self.stage.viewer.plays, words=words)):
            self.stage.close_all()

    def _row(self, doing: ActivityOffer, width: int) -> Entry:
        costs = [ink("costs", DIM)] if doing.costs else []
        line = justify([ink("▶ ", GOLD), outside(doing.says, TEXT)], costs, width)
        return Entry([line], partial(self._do, doing), doing)

    def _type(self) -> None:
        """Ask for a typed line that says what to do, in the words that `sandbox be` understands."""

        def check(text: str) -> object:
            meant = read(self.stage.viewer.world, text)
            if isinstance(meant, ListOffers):
                raise ValueError(f"say what with {self.stage.viewer.name(meant.whom)}: choose them, and press enter")
            return meant

        def typed(text: str | None) -> None:
            if text is None:
                return
            meant = check(text)
            if isinstance(meant, Wait):
                self.stage.close_all()
                self.stage.guard.run(until_second(self.stage.viewer, meant.seconds))
            elif isinstance(meant, Command) and run_until_done(self.stage, meant):
                self.stage.close_all()

        self.stage.app.push_screen(TypedLine("What you do", "", SUCH, LETTERS, check), typed)

    def _do(self, doing: ActivityOffer) -> None:
        if run_until_done(self.stage, doing.command):
            self.stage.close_all()

    def _turning(self, point: CameToHead) -> None:
        self.stage.open_sheet(TurningSheet(self.stage, point))

    def _aside(self) -> None:
        if run_in_one_step(self.stage, SetAside(by=self.stage.viewer.plays, on=True)):
            self.stage.close_all()

    def _give_back(self) -> None:
        if run_in_one_step(self.stage, GiveBack(by=self.stage.viewer.plays)):
            self.stage.close_all()
