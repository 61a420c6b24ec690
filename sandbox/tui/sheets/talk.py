"""A talk in full: where, when, who was near, why it began, every line, and what it changed for each of the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

from sandbox.core.clock import Clock
from sandbox.core.text import clean, join_names
from sandbox.people.handbook import Handbook
from sandbox.people.mood_words import MARKS, colour
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.readers.phrases import REPLY, intent_words, last_talk_effect, the_talk, thought_of
from sandbox.readers.pressures import deed_sentence
from sandbox.readers.stories_of_pressures import matter_blocks
from sandbox.readers.talks import TalkLine, TalkStory
from sandbox.talk.model import ScoredRule
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_ties import FLAT
from sandbox.tui.sheets.town_sheet import RULES, ReadSheet, TownSheet, leads, lines_of, watch_again_entry
from sandbox.tui.sheets.why import CHOICES, MOOD, TIES, knows_entry, open_why
from sandbox.tui.view import log_queries
from sandbox.tui.view.person_words import AXES, value_ink
from sandbox.tui.view.text_lines import Line, as_lines, flow, hung, ink, justify, of_mood, outside, signed_bar, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, Entry, remark

NAME = 11  # cells of a speaker's name with the mood mark
MARGIN = 60  # cells of width from which a line shows the speaker's change of mood at its right
LARGE = 0.3  # a change that fills its bar: the most a talk can do at once
NAMED = 5  # most names of people nearby
LAST = "their last talks"
# (person, rule) -> words for the talk that a rule about past talks refers to; LAST if that talk is not known.
Talks: TypeAlias = Mapping[tuple[str, str], str]
NONE: Talks = {}
_MOODS = {mark: mood for mood, mark in MARKS.items()}


def began(story: TalkStory, handbook: Handbook, width: int) -> list[Line]:
    """What the person who began the talk wanted, and which other intent they considered."""
    other = f" (and thought of {thought_of(handbook, story.over)})" if story.over else ""
    says = f"{handbook.name(story.who[0])} wanted {intent_words(handbook, story.intent)}{other}"
    return as_lines(says, width, "text")


def weights(story: TalkStory, width: int, of: Talks = NONE) -> list[Line]:
    """The weightiest rules behind beginning the talk, each with its weight, side by side. of: see `Talks`."""
    most = sorted(story.why, key=lambda r: -abs(r.value))[:RULES]
    return flow(_weighed(most, story.who[0], story.intent, of), width)


def _weighed(rules: Iterable[ScoredRule], who: str, do: str, of: Talks) -> list[Line]:
    """The rules behind a decision of `who`, each with its weight. do: what they decided on; of: see `Talks`."""
    out = []
    for rule in rules:
        words = last_talk_effect(rule, do, of.get((who, rule.name), LAST)) or rule.name
        out.append([outside(words, "soft"), ink(f" {rule.value:+z.2f}", value_ink(rule.value))])
    return out


def _talks(story: TalkStory, before: TalkStory | None, clock: Clock) -> Talks:
    """Which rules refer to the talk `before`, by how it went for each of the two; NONE if there was none."""
    if before is None or before.ended < 0:
        return NONE
    talk = the_talk(clock, before.ended, story.since)
    return {(who, FEATURES["left"][before.given(who) < 0]): talk for who in story.who if before.given(who)}


def outcomes(story: TalkStory, handbook: Handbook) -> list[str]:
    """Sentences for what each came to do because of a pressure, and how the other responded."""
    return [f"{deed_sentence(handbook, x.who, x.do, story.other(x.who), None, x.answer)}." for x in story.deeds]


def deed_entries(stage: TownLayout, story: TalkStory, width: int, of: Talks) -> list[Entry]:
    """The pressures a talk was about: the response, the cause of each, and the rules behind the response. If the view
    is limited to what one person knows, only what was done and the response.
    """
    viewer = stage.viewer
    handbook = viewer.world.handbook
    out = [Entry(as_lines(says, width, "text", bold=True)) for says in outcomes(story, handbook)]
    if viewer.knower:
        return out
    for done in story.deeds:
        matter, exchange = viewer.timeline.matters.get(done.matter), handbook.drama.exchanges.get(done.do)
        if matter is None or exchange is None:
            continue
        lines = lines_of(matter_blocks(viewer.timeline.teller, done.matter, over=True), width)
        other = story.other(done.who)
        head = [outside(f"what weighed with {viewer.name(other)}:", "dim")]
        lines += flow([head, *_weighed(done.why, other, done.do, of)], width, 0) if done.why else []
        out.append(Entry(lines, leads(stage, matter.seq), ("matter", done.seq)))
    if handbook.drama.rumours.says:
        facts = viewer.world.beliefs.facts
        asked = [done.matter for done in story.deeds] + [facts[row].matter for row in story.told if row in facts]
        out += [knows_entry(stage, id) for id in dict.fromkeys(asked) if id in viewer.timeline.matters]
    return out


def line_lines(said: TalkLine, name: str, change: float, width: int, heard: bool = True) -> list[Line]:
    """Something said, beside the speaker's name and mood mark; at the right how it moved the speaker's mood (change).
    heard: whether the line is in the log, and not made since.
    """
    fg = of_mood(_MOODS.get(said.mood, "vague"))
    margin = 7 if width >= MARGIN else 0
    head = [*to_width([outside(name, fg, bold=True)], NAME - 3), ink(f" {said.mood or ' '} ", fg)]
    first, *rest = hung(head, said.text, width - margin, "text" if heard else "dim")
    moved = [ink(f"{change:+z.2f}", value_ink(change))] if margin and abs(change) >= FLAT else []
    return [justify(first, moved, width), *rest]


def mood_lines(story: TalkStory, who: str, name: str, width: int) -> list[Line]:
    """How a talk moved somebody's mood: its names before and after, and the change on each axis as a bar."""
    if who not in story.moved:
        return [[outside(name, bold=True), ink("  as before", "dim")]]
    old, new = story.moved[who]
    was, now = colour(old), colour(new)
    then = f"still {now}" if was == now else f"{was}, now {now}"
    head = [outside(name, bold=True), ink(f"  {MARKS[now]} ", of_mood(now))]
    moved = [(name, y - x) for name, x, y in zip(AXES, old, new, strict=True)]
    return [*hung(head, then, width, of_mood(now)), *_gauges(moved, width)]


def tie_lines(story: TalkStory, who: str, other: str, width: int) -> list[Line]:
    """How a talk moved the tie of `who` to the other. other: the name of the other."""
    mine = next((r for r in story.relations if r.u == who), None)
    if mine is None:
        return hung([ink("to ", "dim"), outside(other, "soft"), ink(": ", "dim")], "told when they part", width, "dim")
    gauges = _gauges([("likes", mine.feeling_delta), ("close", mine.closeness_delta)], width)
    return [[ink("to ", "dim"), outside(other, "soft"), ink("" if gauges else " as before", "dim")], *gauges]


def _gauges(values: Sequence[tuple[str, float]], width: int) -> list[Line]:
    """Signed numbers as bars, side by side as far as they fit; those close to 0 are left out."""
    cells = []
    for name, value in values:
        if abs(value) >= FLAT:
            fg = value_ink(value)
            cells.append([ink(f"{name:10}", "dim"), *signed_bar(value / LARGE, 7, fg), ink(f" {value:+z.2f}", fg)])
    return flow(cells, width, 0, 2)


class TalkSheet(ReadSheet):
    """A talk, or a line that says that it is being read or does not exist. Stays at the end while the talk goes on.

    id: "" for a person who has not talked. who: whose talk it is. at: number of the cursor's event, 0 = the start.
    """

    kind = "talk"
    broad = True

    def __init__(self, stage: TownLayout, id: str, who: str = "", at: int = 0) -> None:
        viewer = stage.viewer
        super().__init__(stage, clean(viewer.name(who)) if who else "A talk")
        self.id, self.who, self.at = id, who, at
        self.near: tuple[str, ...] | None = None
        self.thoughts: tuple[tuple[str, str], ...] = ()
        self._beside = ("", "")
        self.of = NONE
        self.unsaid: tuple[TalkLine, ...] = ()
        self._take(viewer.story(id))

    def _take(self, story: TalkStory | None) -> None:
        self.story = story
        if story is not None:
            self.title = clean(" and ".join(self.viewer.name(w) for w in story.who))
            self.end = self.end or (story.ended < 0 and not self.at)
            places = {0: None, story.seq: "began", story.close: ("tie", story.who[0])}
            self.start = places.get(self.at, (self.at, 0))

    async def read(self) -> None:
        viewer = self.viewer
        story = await log_queries.talk_story(viewer, self.id)
        self._take(story)
        if story is None:
            return
        self.near = await log_queries.bystanders(viewer, story)
        self._beside = await log_queries.talks_before_after(viewer, story)
        self.turns = any(self._beside)
        self.thoughts = log_queries.thoughts(viewer, story)
        if self.of is NONE and not viewer.world.memory_parameters.blind:  # blind memory: may be another talk
            self.of = _talks(story, await log_queries.talk_story(viewer, self._beside[0]), viewer.world.clock)
        if story.wordless and story.ended >= 0:
            self.unsaid = await log_queries.unheard_lines(viewer, story)

    def turned(self, by: int) -> TownSheet | None:
        """The sheet of the previous or the next talk of the same two; None if there is none."""
        id = self._beside[0 if by < 0 else 1]
        return TalkSheet(self.stage, id) if id else None

    def plain(self) -> str:
        """The talk as plain text: when and where, outcomes, every line, changes."""
        story, viewer = self.story, self.viewer
        if story is None:
            return ""
        world = viewer.world
        head = f"{world.clock.words(story.since)}, {world.handbook.at(story.place)}"
        said = [f"{viewer.name(line.who)}: {line.text}" for line in story.lines]
        lines = (head, *outcomes(story, world.handbook), *said, *(change.text for change in story.changes))
        return "\n".join(clean(line, 1200) for line in lines)

    # ---- what it says

    def people(self) -> Sequence[str]:
        return self.story.who if self.story is not None else (self.who,) if self.who else ()

    def hidden(self) -> bool:
        viewer, who = self.viewer, self.story.who if self.story is not None else (self.who,)
        return bool(self.id) and not viewer.eyes.knows_talk(self.id, who, viewer.shown)

    def entries(self, width: int) -> Sequence[Entry]:
        story, viewer = self.story, self.viewer
        if self.id:
            self.keep_up(viewer.view.version if story is not None and story.ended < 0 else 0)
        if story is None:
            return [Entry(self.waiting(width) if self.id and not self.ready else self._nothing(width))]
        out = [Entry(self._head(story, width)), Entry([[]])]
        a = story.who[0]
        if not viewer.hides(a):
            out.append(Entry(began(story, viewer.world.handbook, width), self._why(a, CHOICES), "began"))
            out.append(Entry(weights(story, width, self.of)))
        out += deed_entries(self.stage, story, width, self.of)
        out.append(Entry([[]]))
        out += self._said(story, width)
        out.append(Entry([[]]))
        return out + (self._brief(story, width) if self.sided else self._changes(story, width)) + self._foot(story)

    def aside(self, width: int) -> Sequence[Line]:
        """The lines beside a wide sheet: what the talk changed, with numbers."""
        if self.story is None:
            return ()
        out: list[Line] = []
        for who, other in self._ways(self.story):
            out += [*([[]] if out else []), *chain(*self._changed(self.story, who, other, width))]
        return out

    def _nothing(self, width: int) -> list[Line]:
        name = self.viewer.name(self.who) if self.who else ""
        says = "This talk is not in the log." if self.id else f"{name} has talked to nobody since you came."
        return self.waiting(width) or as_lines(says, width)

    def _head(self, story: TalkStory, width: int) -> list[Line]:
        viewer = self.viewer
        clock = viewer.world.clock
        end = f" to {clock.hhmm(story.ended)}" if story.ended >= 0 else ", and still goes on"
        near = near_words(viewer, self.near) if self.ready else "looking who was near ..."
        ways = "  ".join(word for id, word in zip(self._beside, ("[ before", "after ]"), strict=True) if id)
        room = width - (len(ways) + 2 if ways else 0)
        place = as_lines(f"{clock.words(story.since)}{end}, {viewer.world.handbook.at(story.place)}", room)
        return [justify(place[0], [ink(ways, "dim")], width), *place[1:], *as_lines(near, width, "dim", most=2)]

    def _said(self, story: TalkStory, width: int) -> list[Entry]:
        viewer = self.viewer
        moved = {(seq, shift.who): shift.delta[0] for seq, shift in story.shifts}
        out: list[Entry] = []
        silent = {*story.wordless, *(x.seq for x in self.unsaid if story.quiet)}  # a quiet talk's goodbyes, too
        last = 0
        for seq in sorted({*(line.seq for line in story.lines), *silent}):
            if seq in silent:
                out += self._unheard(story, seq, width, begins=last not in silent)
            last = seq
            for n, line in enumerate(x for x in story.lines if x.seq == seq):
                inner = not viewer.hides(line.who)
                lines = line_lines(line, viewer.name(line.who), inner * moved.get((seq, line.who), 0.0), width)
                lines += flow(_weighed(line.why, line.who, REPLY, self.of), width, NAME) if inner else []
                does = self._why(line.who, TIES, story.other(line.who)) if line.why else self._why(line.who, MOOD)
                out.append(Entry(lines, does, (seq, n)))
        if not out:
            a, b = (viewer.name(who) for who in story.who)
            out.append(remark(f"{a} and {b} are just beginning", width))
        return out

    def _unheard(self, story: TalkStory, seq: int, width: int, begins: bool) -> list[Entry]:
        """An exchange without words in the log, with lines made for it since. begins: it is the first of such a run."""
        viewer, out = self.viewer, []
        lines = [x for x in self.unsaid if x.seq == seq]
        if begins:
            a, b = (viewer.name(who) for who in story.who)
            says = f"{a} and {b} pass the time of day" if story.quiet else "They talk on"
            says += ", and nobody listens." + (" It will have gone like this:" if lines else "")
            out.append(remark(says, width, "dim"))
        for x in lines:
            told = line_lines(x, viewer.name(x.who), 0.0, width, heard=False)
            told += [] if viewer.hides(x.who) else flow(_weighed(x.why, x.who, REPLY, self.of), width, NAME)
            out.append(Entry(told, self._why(x.who, TIES, story.other(x.who)) if x.why else None))
        return out

    def _changes(self, story: TalkStory, width: int) -> list[Entry]:
        """What the talk changed, for a narrow sheet: mood and tie of each of the two, with numbers."""
        out = [Entry([[ink("What it changed" if story.ended >= 0 else "What it has changed so far", "accent")]])]
        for who, other in self._ways(story):
            mood, tie, taken = self._changed(story, who, other, width)
            out.append(Entry(mood, self._why(who, MOOD), ("mood", who)))
            out.append(Entry(tie, self._why(who, TIES, other), ("tie", who)))
            out += [Entry(taken)] if taken else []
        for plan in (x for x in story.changes if x.mark == ">" and not self.viewer.hides(x.who[0])):
            who = plan.who[0]
            out.append(Entry(_bullet(">", plan.text, width), self._why(who, CHOICES), ("plan", who)))
        return out

    def _brief(self, story: TalkStory, width: int) -> list[Entry]:
        """What the talk changed, in sentences; the numbers are in `aside`."""
        viewer = self.viewer
        out = []
        for n, change in enumerate(story.changes):
            who = change.who[0]
            if viewer.hides(who):
                continue
            tie = change.mark == "=" and len(change.who) > 1
            tab = TIES if tie else CHOICES if change.mark == ">" else MOOD
            does = self._why(who, tab, change.who[1] if tie else "")
            out.append(Entry(_bullet(change.mark, change.text, width), does, ("change", n)))
        if story.ended >= 0 and not out:
            a, b = (viewer.name(who) for who in story.who)
            out.append(Entry(_bullet(".", f"It left things as they were between {a} and {b}", width)))
        for who, other in self._ways(story) if story.ended >= 0 else ():
            words = f"what {viewer.name(other)} is to {viewer.name(who)}, and why"
            out.append(Entry(_bullet("=", words, width), self._why(who, TIES, other), ("tie", who)))
        return out

    def _changed(self, story: TalkStory, who: str, other: str, width: int) -> tuple[list[Line], ...]:
        """Three groups of lines about `who`: their mood, their tie to the other, and what they took away (the topic,
        news they heard, later thoughts about it).
        """
        name = self.viewer.name
        taken = [f"remembers: talked about {story.gist}"] if story.ended >= 0 else []
        taken += [f"heard: {line.text}" for line in story.lines if line.news and line.who != who][:1]
        taken += [f"thought since: {text}" for owner, text in self.thoughts if owner == who][:2]
        told = [line for text in taken for line in _bullet(">", text, width)]
        return mood_lines(story, who, name(who), width), tie_lines(story, who, name(other), width), told

    def _ways(self, story: TalkStory) -> list[tuple[str, str]]:
        """(person, other) for each of the two whose mind the view may show."""
        a, b = story.who
        return [(who, other) for who, other in ((a, b), (b, a)) if not self.viewer.hides(who)]

    def _foot(self, story: TalkStory) -> list[Entry]:
        return [Entry([[]]), watch_again_entry(self.stage, story.since, story.who[0])] if story.ended >= 0 else []

    def _why(self, who: str, tab: str, other: str = "") -> Deed:
        return partial(open_why, self.stage, who, tab, other)


def _bullet(mark: str, text: str, width: int) -> list[Line]:
    return hung([ink(f"{mark} ", "accent")], text, width, "soft")


def near_words(viewer: Viewer, near: Sequence[str] | None) -> str:
    """A sentence about who was near: at most NAMED names, the rest as a number. None: not known."""
    if near is None:
        return "who was near is not known"
    names = [viewer.name(who) for who in near]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} others"]
    return f"near: {join_names(names)}" if names else "nobody else was near"


async def open_talk(stage: TownLayout, id: str, who: str = "", at: int = 0) -> None:
    """Open a talk in full. who: whose it is, needed if there is none (id ""); at: the cursor's event, 0 = the start."""
    sheet = TalkSheet(stage, id, who, at)
    if not id:
        sheet.ready = True  # there is nothing to read
    elif sheet.story is None:
        sheet.keep_up(0)  # begin to read now, not only once the sheet is laid out
    stage.open_sheet(sheet)
