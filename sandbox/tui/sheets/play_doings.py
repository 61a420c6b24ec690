"""What the played person can do here and elsewhere: everyday activities, votes, notes, the phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.domain import Command
from sandbox.core.plain import count_of
from sandbox.core.text import clean, upper
from sandbox.director.goal_domain import own_goals
from sandbox.feed.cards import Card
from sandbox.people.played import CameToHead
from sandbox.phones.seeing import resident_of
from sandbox.play.activities_offered import ActivityOffer, doings
from sandbox.play.acts_without_talk import LOOK, board, no_phone, on_phone
from sandbox.play.beginnings import voters, votes
from sandbox.play.model import GiveBack, Lean, PhoneCommand, Pin, SetAside
from sandbox.play.reading import LETTERS, ListOffers, Wait, read
from sandbox.play.turning import pending
from sandbox.readers.stories_of_play import waiting_point_words
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import ask_line
from sandbox.tui.sheets.goals_and_bets import open_goals
from sandbox.tui.sheets.play_talk import do_by_phone, write_to
from sandbox.tui.sheets.play_turning import TurningSheet
from sandbox.tui.sheets.run_command import PlaySheet, ask_words, run_in_one_step, run_until_done, until_second
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import hung, ink, justify, outside
from sandbox.tui.widgets.entries import Entry, group, heading, marked, remark

SUCH = "go to the library; lunch at the cafe for 30m; wait 20m; give zeno 5; ask esme for work"


class DoingsSheet(PlaySheet):
    """The list of things to do now."""

    kind = "doings"
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, f"{stage.viewer.name(stage.viewer.world.played.who)}: what now?")

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        w = self.world
        out: list[Entry] = []
        if (point := pending(w)) is not None:
            head = upper(waiting_point_words(w, point).partition(". ")[0])
            out.append(Entry(hung([ink("! ", "accent")], head, width), partial(self._turning, point), "turning"))
        for title, offers in doings(w, me):
            out += [heading(title), *(self._row(x, width) for x in offers)]
        out.append(marked("✎", "say in words what you do ...", self._type, "line", fg="soft"))
        out += [*self._vote(me), *group("At once", self._at_once(me)), heading("Or")]
        if titles := [aim.title for aim in own_goals(w, me)]:
            goals = hung([ink("▶ ", "accent")], f"your goals: {'; '.join(titles)}", width, most=2)
            out.append(Entry(goals, partial(open_goals, self.stage), "goals"))
        aside, back = self.in_one_step(SetAside(by=me, on=True)), self.in_one_step(GiveBack(by=me))
        out.append(Entry([[ink("let them do as they like for a while", "soft")]], aside, "aside"))
        return [*out, Entry([[ink("give them back to the town", "soft")]], back, "back")]

    def _vote(self, me: str) -> list[Entry]:
        """A side to lean to in the first vote that they have."""
        w, out = self.world, []
        for vote in [x for x in votes(w) if me in voters(w, x)][:1]:
            out.append(heading(clean(f"The vote on {vote}", 70)))
            for yes, says in ((True, "be for it"), (False, "be against it")):
                mark = "●" if w.played.votes.get(vote) is yes else "▶"
                does = self.in_one_step(Lean(by=me, opinion=vote, yes=yes))
                out.append(marked(mark, says, does, ("vote", yes)))
        return out

    def _at_once(self, me: str) -> list[Entry]:
        """What can be done on the spot: pin up a note, use the phone."""
        out = []
        if board(self.world, me):
            asks = partial(ask_words, self.stage, "What the note says", "", partial(self._pin, me))
            out.append(marked("✎", "pin up a note ...", asks, "pin"))
        if not no_phone(self.world, me):
            opens = partial(self.stage.open_sheet, PhoneSheet(self.stage))
            out.append(marked("▶", "the phone ...", opens, "phone"))
        return out

    def _pin(self, me: str, words: str) -> None:
        self.run(run_in_one_step, Pin(by=me, words=words))

    def _row(self, doing: ActivityOffer, width: int) -> Entry:
        costs = [ink("costs", "dim")] if doing.costs else []
        line = justify([ink("▶ ", "accent"), outside(doing.says)], costs, width)
        return Entry([line], self.until_done(doing.command), doing)

    def _type(self) -> None:
        """Ask for a typed line that says what to do, in the words that `sandbox be` understands."""

        def check(text: str) -> object:
            meant = read(self.world, text)
            if isinstance(meant, ListOffers):
                raise ValueError(f"choose {self.viewer.name(meant.whom)} and press enter to see what you can do")
            return meant

        def take(meant: object) -> None:
            if isinstance(meant, Wait):
                self.stage.close_all()
                self.stage.guard.run(until_second(self.viewer, meant.seconds))
            elif isinstance(meant, Command):
                self.run(run_until_done, meant)

        ask_line(self.stage, "What you do", "", SUCH, LETTERS, check, take)

    def _turning(self, point: CameToHead) -> None:
        self.stage.open_sheet(TurningSheet(self.stage, point))


# ---- the phone


class PhoneSheet(PlaySheet):
    """The phone's first page: look, post, and the posts seen last."""

    kind = "phone"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, clean(f"{stage.viewer.name(stage.viewer.plays)}'s phone", 70))

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        if why := no_phone(self.world, me):
            return [remark(f"{why}.", width)]
        looks = partial(do_by_phone, self.stage, PhoneCommand(by=me, do=LOOK))
        asks = partial(ask_words, self.stage, "What you post, for all to read", "", partial(self._post, me))
        out = [marked("▶", "look what there is", looks, LOOK), marked("✎", "post something ...", asks, "post")]
        return [*out, *group("Seen last", [self._card(x, width) for x in on_phone(self.world, me)])]

    def _card(self, x: Card, width: int) -> Entry:
        head = [outside(clean(x.writer_name, 60), "dim"), ink(": ", "dim")]
        lines = hung(head, clean(x.text, 300), width, most=3)
        told = count_of(x.likes, "like") + (", yours too" if x.liked else "") + ", " + count_of(x.comments, "comment")
        opens = partial(self.stage.open_sheet, CardSheet(self.stage, x))
        return Entry([*lines, [ink(f"  {told}", "soft")]], opens, x.number)

    def _post(self, me: str, words: str) -> None:
        do_by_phone(self.stage, PhoneCommand(by=me, do="post", words=words))


class CardSheet(TownSheet):
    """What can be done with one post: like it, pass it on, comment, follow or write to its author."""

    kind = "phone card"
    picks = True

    def __init__(self, stage: TownLayout, card: Card) -> None:
        super().__init__(stage, clean(f"{card.writer_name}, on the feed", 70))
        self.card = card

    def entries(self, width: int) -> Sequence[Entry]:
        stage = self.stage
        out = [Entry([*hung([], clean(self.card.text, 300), width, most=6), []])]
        out.append(marked("▶", "like it", partial(self._do, "like"), "like"))
        out.append(marked("▶", "pass it on", partial(self._do, "repost"), "repost"))
        asks = partial(ask_words, stage, "What you write under it", "", partial(self._do, "comment", ""))
        out.append(marked("▶", "comment ...", asks, "comment"))
        if (who := resident_of(self.world, self.card.writer)) and who != self.viewer.plays:
            out.append(marked("▶", "follow them", partial(self._do, "follow", who), "follow"))
            out.append(marked("▶", "write to them ...", partial(write_to, stage, who), "message"))
        return out

    def _do(self, do: str, whom: str = "", words: str = "") -> None:
        command = PhoneCommand(by=self.viewer.plays, do=do, whom=whom, card=self.card.number, words=words)
        if run_in_one_step(self.stage, command):
            self.stage.close_sheet()
