"""You against the bandit: the rounds that were steered by hand, beside the same seconds with a learner in the seat."""

from __future__ import annotations

from collections.abc import Sequence

from textual.worker import Worker

from sandbox.core.plain import count_of
from sandbox.lab.seats import RIVAL, SeatMatch, rows, seat_taken
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.receipt import EMBEDDED, KEPT_NOWHERE, run_beside
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import Ink, fit, ink, to_width
from sandbox.tui.widgets.entries import Entry, heading, remark

LIVES = "running the same time with it in your seat, beside the town ..."
NAME, NUMBER = 28, 10  # cells


class MatchSheet(TownSheet):
    """Both sides of the stretch since the seat was last taken by hand. match: None while it is run."""

    kind, title = "match", "You against the bandit"
    whole = True

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self.match: SeatMatch | None = None
        self._fault, self._model = "", False
        self._work: Worker[None] = stage.run_worker(self._play(), group="match", exit_on_error=False)

    async def _play(self) -> None:
        save = self.viewer.session.save
        try:
            if not isinstance(save, Save):
                self._fault = KEPT_NOWHERE
            else:
                await seat_taken(save)
                self._model = bool(await save.answered())
                self.match = await run_beside(save, ["--against", RIVAL], SeatMatch, f"with {RIVAL} in the seat")
        except (SaveError, OSError) as error:
            self._fault = str(error)
        self.stage.update()

    def closed(self) -> None:
        """Cancel the run, which ends its process."""
        self._work.cancel()

    def hidden(self) -> bool:
        return bool(self.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        match, clock = self.match, self.world.clock
        if match is None:
            return [remark(self._fault or LIVES, width)]
        goal = match.objective.replace("_", " ")
        says = f"{count_of(match.yours.rounds, 'round')}, {clock.words(match.since)} to {clock.words(match.until)}"
        out = [remark(f"{says}; rewarded for {goal}.", width), Entry([[]])]
        for i, (name, yours, theirs) in enumerate((("", "you", match.theirs.who), *rows(match))):
            fg: Ink = "accent" if not i else "text"
            line = [*to_width([ink(name, "soft")], NAME), *(ink(f"{x:>{NUMBER}}", fg) for x in (yours, theirs))]
            out.append(Entry([fit(line, width)]))
        out.append(heading("How it is made"))
        out.append(remark("The same seed, and all else that was done by hand; only the seat is another's.", width))
        if self._model:
            out.append(remark(EMBEDDED, width))
        if match.missed:
            out.append(remark(f"Not done again: {count_of(match.missed, 'act')} by hand.", width))
        return out
