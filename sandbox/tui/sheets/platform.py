"""The platform's seat: who steers the feed; and, for whoever sits in it, the mix and how far an author reaches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from sandbox.core.domain import Command
from sandbox.policy.context import MIXES
from sandbox.policy.model import HAND, LEARNERS, Mix, PolicyParameters, Steer, SteerByHand, steering_settings
from sandbox.policy.objectives import OBJECTIVES
from sandbox.readers.stories_of_feed import mix_words
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_policy import CHOOSE, LEVERS
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import ask_line
from sandbox.tui.sheets.run_command import run_in_one_step
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import fit, ink, to_width
from sandbox.tui.widgets.entries import Deed, Entry, heading, remark

CHOICES = {
    "random": "by chance: what the others are held against",
    "epsilon": "linear; now and then it tries anything",
    "linucb": "linear; it tries what it knows little of",
    "neural": "a network; now and then it tries anything",
    "networks": "two networks, one for what is worth trying",
}
GOALS = {
    "cross_stance": "people of unlike stances answer each other without venom",
    "misinformation": "fewer believe the watched claim",
    "misinformation_printed": "the same, as the paper has it, which teaches nothing",
    "engagement": "people react, however they do",
}
PASS = (0, 25, 50, 75)  # how many in a hundred cards of an author pass
NAME = 10  # cells


class SteeringSheet(TownSheet):
    """A list of what whoever decides can decide; the present choice is marked."""

    picks = True

    def choice(self, says: str, more: str, now: bool, does: Deed, width: int) -> Entry:
        """A row: a name, what it means, and whether it is so now."""
        mark = ink("● " if now else "○ ", "accent" if now else "dim")
        line = [mark, *to_width([ink(says)], NAME), ink(f" {more}", "soft")] if more else [mark, ink(says)]
        return Entry([fit(line, width)], does, says + more)

    def give(self, command: Command) -> None:
        """Give a command that the next step carries out, and close the sheet if it was accepted."""
        if run_in_one_step(self.stage, command):
            self.stage.close_all()


class PolicySheet(SteeringSheet):
    """Who steers: nobody, a learner for an objective with some levers, or whoever watches."""

    kind, title = "policy", "Who steers the feed?"
    keys = frozenset({CHOOSE})

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self.settings = steering_settings(stage.viewer.world)

    def entries(self, width: int) -> Sequence[Entry]:
        now, own = steering_settings(self.world), self.world.policy.own
        out = [
            self.choice("nobody", "the world's recommender alone", not now.learner and not own, self._to(""), width),
            self.choice("I do", "from the platform's seat", now.learner == HAND and not own, self._to(HAND), width),
            heading("What a learner may do; enter changes it"),
        ]
        for lever, says in LEVERS.items():
            on = getattr(self.settings, lever)
            line = [ink("■ " if on else "□ ", "accent"), ink(says, "text" if on else "soft")]
            out.append(Entry([line], partial(self._turn, lever), lever))
        for objective in OBJECTIVES:
            out.append(heading(GOALS[objective].capitalize()))
            for learner in LEARNERS:
                so = (now.learner, now.objective, own) == (learner, objective, "")
                row = self.choice(learner, CHOICES[learner], so, self._to(learner, objective), width)
                out.append(row._replace(key=(learner, objective)))
        return out

    def _turn(self, lever: str) -> None:
        self.settings = replace(self.settings, **{lever: not getattr(self.settings, lever)})

    def _to(self, learner: str, objective: str = "") -> Deed:
        found: PolicyParameters = replace(self.settings, learner=learner)
        return partial(self.give, Steer(settings=replace(found, objective=objective) if objective else found))


class MixSheet(SteeringSheet):
    """Shares of followed users' cards, of personal ones and of headlines."""

    kind, title = "mix", "The mix of the feed"
    keys = frozenset({"platform.mix"})

    def entries(self, width: int) -> Sequence[Entry]:
        now = self.world.policy.mix
        mixes = MIXES if now is None or now in MIXES else (*MIXES, now)
        rows = [(mix_words(mix).removeprefix("a mix of "), mix) for mix in mixes]
        out = [
            self.choice(says, "", mix == now, partial(self._set, mix), width)
            for says, mix in (("as the world says", None), *rows)
        ]
        return [*out, self.choice("other shares ...", "", False, self._ask, width)]

    def _set(self, mix: Mix | None) -> None:
        self.give(SteerByHand(mix=mix, down=self.world.policy.down))

    def _ask(self) -> None:
        hint = "followed, personal, headlines: 60 30 10"
        ask_line(self.stage, "Three shares in percent", "", hint, 20, read_mix, self._set)


def read_mix(text: str) -> Mix:
    """Three percentages that sum to 100 as shares. Raises ValueError."""
    parts = text.replace(",", " ").replace("%", " ").split()
    if len(parts) != 3 or not all(part.isdecimal() for part in parts) or sum(map(int, parts)) != 100:
        raise ValueError("write three whole numbers that sum to 100, as in 60 30 10")
    first, second, third = (int(part) / 100 for part in parts)
    return first, second, third


class ReachSheet(SteeringSheet):
    """How many in a hundred cards of an author the platform shows. user: the author."""

    kind = "reach"
    small = True
    keys = frozenset({"platform.down"})

    def __init__(self, stage: TownLayout, user: int) -> None:
        super().__init__(stage, f"Cards of {stage.find(FeedPane).reader.short(user)}")
        self.user = user

    def entries(self, width: int) -> Sequence[Entry]:
        down = self.world.policy.down
        now = down.get(self.user)
        others = {user: passes for user, passes in down.items() if user != self.user}
        rows = [(f"{n} in a hundred are shown", n == now, {**others, self.user: n}) for n in PASS]
        rows.append(("all are shown", now is None, others))
        out = [remark("Of each, by a draw that belongs to card and reader:", width, "dim")]
        for says, so, then in rows:
            command = SteerByHand(mix=self.world.policy.mix, down=then)
            out.append(self.choice(says, "", so, partial(self.give, command), width))
        return out
