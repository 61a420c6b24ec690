"""The player's goals: what each demands, how much of it holds now, what stands in the way and the time left; enter
follows a goal, or stops following it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sandbox.director.conditions import condition_people
from sandbox.director.goal_domain import ChooseGoal, Progress, goal_progress, time_left
from sandbox.director.history import AnnalsOpened, looking_back
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import ask_town, past_of, take_back, waiting
from sandbox.tui.view.text_lines import (
    ALARM,
    BLUE,
    DIM,
    FAINT,
    GOLD,
    SOFT,
    TEXT,
    WARM,
    Line,
    as_lines,
    gauge,
    hung,
    ink,
    outside,
    with_end,
)
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

GAUGE = 12  # cells of the bar of how much of a goal holds
MOST = 3  # lines of each sentence at most
FOLLOWS = "Enter follows a goal, or lets it go. Nobody in the town knows of it."
REPLAYED = "In a replay no goal can be followed: go on live from here."
MARKS = {None: "▸", True: "✓", False: "✗"}  # of a followed goal: undecided, won, lost


class GoalsSheet(Sheet[TownLayout]):
    """All goals of the world: those about the played person first, then those followed, then by the time they end.
    before: the past as read from the log, for a town that keeps no annals.
    """

    kind, title = "goals", "Goals"

    def __init__(self, stage: TownLayout, before: AnnalsOpened) -> None:
        super().__init__(stage)
        self._before = before
        self._seq, self._found = -1, list[Progress]()

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.stage.viewer.world
        if not world.aim_deck:
            says = "This world has no goals. A goals.yaml beside its world.yaml has some (docs/modding.md)."
            return [Entry(as_lines(says, width))]
        if self._seq != world.seq:
            with looking_back(world, self._before):
                found = [goal_progress(world, aim) for aim in world.aim_deck.values()]
            me = self.stage.viewer.knower
            own = {p.aim.id for p in found if me and me in condition_people(p.aim.wants)}
            self._found = sorted(found, key=lambda p: (p.aim.id not in own, p.followed is None, bool(p.over), p.by))
            self._seq = world.seq
        how = REPLAYED if self.stage.viewer.replaying else FOLLOWS
        return [Entry([*as_lines(how, width, DIM), []]), *(self._entry(p, width) for p in self._found)]

    def _entry(self, progress: Progress, width: int) -> Entry:
        clock = self.stage.viewer.world.clock
        open_ = not progress.over and (progress.followed is None or progress.followed.won is None)
        mark = (
            ink("  ")
            if progress.followed is None
            else ink(f"{MARKS[progress.followed.won]} ", _fg(progress.followed.won))
        )
        fg = GOLD if progress.followed is not None else TEXT if open_ else DIM
        head: Line = [mark, outside(progress.aim.title, fg, bold=True)]
        lines = [with_end(head, [ink(f"{time_left(progress.left)}, until {clock.words(progress.by)}", DIM)], width)]
        if wait := self._waits(progress.aim.id):
            lines.append(
                [ink("  followed from the next step on" if wait.follow else "  let go with the next step", BLUE)]
            )
        lines += hung([ink("  ")], progress.aim.says, width, SOFT, most=MOST)
        if progress.over:
            lines += hung([ink("  over: ", DIM)], progress.over, width, DIM, most=MOST)
        me = self.stage.viewer.knower
        if open_ and (not me or me in condition_people(progress.aim.wants)):
            lines.append([ink("  "), *_much(progress)])
            if len(progress.parts) > 1:
                lines += [line for x in progress.parts for line in _part(x.holds, x.says, width)]
        if open_ and not me:  # these could say what the played person does not know
            for says in progress.lacks:
                lines += hung([ink("  in the way: ", DIM)], says, width, SOFT, most=MOST)
            for says in progress.threats:
                lines += hung([ink("  may undo it: ", WARM)], says, width, SOFT, most=MOST)
        return Entry([*lines, []], partial(self._turn, progress.aim.id) if open_ else None, progress.aim.id)

    def labels(self) -> Mapping[str, str]:
        entry = self.stage.sheets.chosen if self.stage.sheets.topmost is self else None
        one = next((p for p in self._found if entry is not None and p.aim.id == entry.key), None)
        if one is None or self.stage.viewer.replaying:
            return {"chosen.open": ""}
        wait = self._waits(one.aim.id)
        follows = wait.follow if wait is not None else one.followed is not None
        return {"chosen.open": "let go" if follows else "follow"}

    def _waits(self, id: str) -> ChooseGoal | None:
        """The command on a goal that waits for the next step, None if there is none."""
        return next((c for c in waiting(self.stage, ChooseGoal) if c.id == id), None)

    def _turn(self, id: str) -> None:
        if wait := self._waits(id):
            take_back(self.stage, wait)
            return
        followed = self.stage.viewer.world.aims.followed
        ask_town(self.stage, ChooseGoal(id=id, follow=id not in followed, before=self._before))


async def open_goals(stage: TownLayout) -> None:
    """Show or close the goals."""
    if stage.close_kind(GoalsSheet.kind):
        return
    before = await past_of(stage)
    if before is not None:
        stage.open_sheet(GoalsSheet(stage, before))


def _fg(won: bool | None) -> int:
    return GOLD if won is None else WARM if won else ALARM


def _much(progress: Progress) -> Line:
    """How much of a goal holds now, as a bar and in words."""
    so = sum(x.holds for x in progress.parts)
    said = (
        f" {so} of {len(progress.parts)} so"
        if len(progress.parts) > 1
        else " it is so now"
        if progress.holds
        else " not yet"
    )
    return [*gauge(so / len(progress.parts), GAUGE, WARM), ink(said, DIM)]


def _part(holds: bool, says: str, width: int) -> list[Line]:
    return hung([ink("    ✓ " if holds else "    · ", WARM if holds else FAINT)], says, width, SOFT, most=2)
