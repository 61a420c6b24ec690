"""A talk in full: place, hour, why it began, every line, what it changed."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.text import clean
from sandbox.people.model import Handbook
from sandbox.people.words import MARKS, colour
from sandbox.stories.phrases import SOUGHT
from sandbox.stories.talks import TalkStory
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, Line, fit, ink, of_mood, outside, wrap
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

NAME = 11
# What else somebody might have done who began a talk, by intent.
THOUGHT_OF = {
    "chat": "just a chat",
    "small_talk": "some small talk",
    "share_news": "telling some news",
    "gossip": "gossiping",
    "vent": "letting off steam",
    "worry": "sharing a worry",
    "opinion": "speaking their mind",
    "ask_about": "asking how things are",
    "ask_plans": "asking about the day",
    "compliment": "saying a kind word",
    "tease": "teasing",
    "remember": "remembering old times",
    "snap": "having it out",
}
_MOODS = {mark: mood for mood, mark in MARKS.items()}


def sought(story: TalkStory, name: str) -> str:
    """What the one who began a talk wanted, and the rules that spoke for it: "Bo wanted a chat: fond of them"."""
    aim = SOUGHT.get(story.intent, "to talk").removeprefix("for ")
    rules = [r.name for r in story.why if r.value > 0 and r.name.replace(" ", "_") not in SOUGHT]
    return f"{name} wanted {aim}" + (f": {', '.join(rules[:3])}" if rules else "")


def talk_lines(story: TalkStory, clock: Clock, handbook: Handbook, width: int) -> list[Line]:
    """Place and hour, why it began, each line with its speaker and mood mark, and what it changed."""
    a, b = (handbook.name(who) for who in story.who)
    end = f" to {clock.hhmm(story.ended)}" if story.ended >= 0 else ", still going on"
    out: list[Line] = [
        fit([ink(f"{clock.hhmm(story.since)}{end}, ", SOFT), outside(handbook.place(story.place), SOFT)], width)
    ]
    out += [[ink(part, SOFT)] for part in wrap(sought(story, a), width)]
    if story.over:
        out += [[ink(part, DIM)] for part in wrap(f"{a} also thought of {THOUGHT_OF.get(story.over, 'more')}", width)]
    out.append([])
    for line in story.lines:
        fg = of_mood(_MOODS.get(line.mood, "vague"))
        name = fit([outside(handbook.name(line.who), fg, bold=True)], NAME - 3)
        head: Line = [*name, ink(" " * (NAME - 2 - sum(s.cell_length for s in name))), ink(f"{line.mood or ' '} ", fg)]
        parts = wrap(line.text, max(10, width - NAME))
        out.append([*head, ink(parts[0], TEXT)])
        out += [[ink(" " * NAME), ink(part, TEXT)] for part in parts[1:]]
    if not story.lines:
        out.append([ink(f"{a} and {b} are just beginning", SOFT)])
    out.append([])
    for change in story.changes:
        out += _bullet(change.mark, change.text, width)
    for who, (before, after) in sorted(story.moved.items()):
        was, now = colour(before), colour(after)
        if was != now:
            out += _bullet(MARKS[now], f"{handbook.name(who)}: {was}, then {now}", width)
    if story.ended >= 0 and not story.changes:
        out += _bullet(".", f"It left things as they were between {a} and {b}", width)
    return out


def _bullet(mark: str, text: str, width: int) -> list[Line]:
    parts = wrap(text, max(10, width - 2))
    return [[ink(f"{mark if i == 0 else ' '} ", GOLD), ink(part, SOFT)] for i, part in enumerate(parts)]


class TalkLeaf(Leaf):
    """A talk, or the words that there is none."""

    kind = "talk"

    def __init__(self, stage: Stage, story: TalkStory | None, who: str = "") -> None:
        viewer = stage.viewer
        names = " and ".join(viewer.name(w) for w in story.who) if story else viewer.name(who)
        super().__init__(clean(names))
        self.stage, self.story, self.who = stage, story, who
        self.end = story is not None and story.ended < 0

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        if self.story is not None:
            return [Entry([line]) for line in talk_lines(self.story, viewer.world.clock, viewer.world.handbook, width)]
        says = f"{viewer.name(self.who)} has talked to nobody since you came." if self.who else "This talk is not kept."
        return [Entry([[ink(part, SOFT)] for part in wrap(says, width)])]


async def open_talk(stage: Stage, id: str, who: str = "") -> None:
    """Show a talk in full. who: whose talk it is, for the case that there is none."""
    stage.open_sheet(TalkLeaf(stage, stage.viewer.story(id), who))
