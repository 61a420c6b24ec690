"""The cards dealt so far, the latest first, with what came of each in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.plain import count_of
from sandbox.core.text import join_names
from sandbox.director.card_rule import DONE
from sandbox.director.dealing import FATE_KINDS, CardFate, card_fates
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.deal import LIVE_FROM_HERE, replay_entries
from sandbox.tui.sheets.deal_command import FORCE
from sandbox.tui.sheets.deal_context import influence_words
from sandbox.tui.sheets.read import ReadSheet
from sandbox.tui.sheets.why import leads
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import ALARM, BLUE, DIM, GOLD, SOFT, TEXT, Line, as_lines, hung, ink
from sandbox.tui.widgets.entries import Entry

NAMED = 3  # people a card has reached that are named at most
NONE = "No card has been dealt yet. Choose somebody, a place, a post or a matter, and press {key}."


class DealtSheet(ReadSheet):
    """The list of dealt cards; enter on one opens its event."""

    kind = "dealt"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "What was dealt")
        self._fates: Sequence[CardFate] = ()

    async def read(self) -> None:
        viewer = self.stage.viewer
        self._fates = card_fates(await viewer.session.save.records(FATE_KINDS, 0, viewer.world.seq))[::-1]

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        world = viewer.world
        state = world.director
        self.keep_up((viewer.view, state.dealt, len(state.waiting), [len(x.by) for x in state.waiting.values()]))
        out = replay_entries(self.stage, width) if viewer.replaying else []
        if says := influence_words(world):
            out.append(Entry([[ink(says, GOLD)], []]))
        out += [self._card(one, width) for one in self._fates]
        if self.ready and not self._fates:
            key = first_key("direct.cards", viewer.keys)
            out.append(Entry(as_lines(NONE.format(key=key), width)))
        return [*out, Entry(self.waiting(width))]

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "look at it" if self.stage.sheets.chosen is not None else "", **LIVE_FROM_HERE}

    def _card(self, one: CardFate, width: int) -> Entry:
        (seq, _, t, _, _), e = one.at, one.played
        head = [ink(f"{self.stage.viewer.world.clock.words(t)} ", DIM)]
        lines: list[Line] = hung(head, e.says, width, TEXT, bold=True, most=3)
        said = self._fate(one)
        force = [ink(f"{FORCE}, ", ALARM)] if e.force else []
        lines += hung([ink("  "), *force], said, width, BLUE if one.over is None else SOFT, most=2)
        return Entry(lines, leads(self.stage, seq), seq)

    def _fate(self, one: CardFate) -> str:
        """Whom a card has reached, and whether it waits, is done, or came to nothing."""
        viewer = self.stage.viewer
        clock, names = viewer.world.clock, [viewer.name(who) for who in one.reached]
        shown = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
        reached = f"reached {join_names(shown)}" if names else ""
        if one.over == DONE:
            return reached or "done"
        if one.over is not None:
            return f"came to nothing: {one.over}" if not names else f"{reached}; over: {one.over}"
        return f"{reached}; it goes on" if names else _waits(clock, one, viewer.world.now)


def _waits(clock: Clock, one: CardFate, now: int) -> str:
    begins = one.at.t + one.played.later
    if begins > now:
        return f"held back until {clock.words(begins)}"
    return f"has been waiting for {count_of((now - begins) // MINUTE, 'minute')}" if now >= begins + MINUTE else "waits"
