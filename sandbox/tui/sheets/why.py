"""Why somebody feels, decides and is tied as they are: each cause with size and age; enter goes to its event."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.events import Record
from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.people.asking_life import behind
from sandbox.people.model import Block, Resident
from sandbox.people.mood import Cause
from sandbox.people.mood_queries import describe, rank, start_of_day
from sandbox.people.mood_words import Set
from sandbox.people.planning import block_at
from sandbox.people.question_mood import describe_mood
from sandbox.people.ties import Tie
from sandbox.readers.all_stories import STORIES
from sandbox.readers.beliefs import Knower, knower_words, known_facts, surely
from sandbox.readers.phrases import remains_words
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.tielines import TieEffect, tie_effects
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_ties import FLAT, effect_words, last_talk, tie_number_lines
from sandbox.tui.sheets.town_sheet import ReadSheet, TownSheet, leads, lines_of
from sandbox.tui.view import log_queries
from sandbox.tui.view.person_words import (
    AXES,
    age,
    axis_lines,
    cause_words,
    has_age,
    mood_words,
    person_title,
    size,
    value_ink,
)
from sandbox.tui.view.text_lines import Ink, Line, as_lines, fit, flow, hung, ink, justify, outside, with_end
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, remark

MOOD, CHOICES, TIES = "Mood", "Choices", "Ties"
TABS = (MOOD, CHOICES, TIES)
CAUSES = 3  # causes shown of a tie where all ties are listed
FADED = "what came before, or faded since"
LATER, OLDER = -1, "later talks, no longer listed singly, and what has faded"  # as an event's number


# ---- the mood


def mood_entries(stage: TownLayout, who: str, t: float, width: int) -> list[Entry]:
    """A mood in sentences, then its causes, each with size, effect and age: first those that stay, then those of today,
    then their nature. They add up to the mood, shown last as its axes.
    """
    viewer = stage.viewer
    view, world = viewer.view, viewer.world
    pad, rest = view.pad(who, t), world.people.residents[who].mood.rest
    of: Set = "plutchik" if viewer.settings["labels"] == "plutchik" else "categories"
    says = describe_mood(describe(world, who, t, viewer.settings.anchors, of)).text
    words = as_lines(says, width) if says else []  # no words in a world without moods
    out = [Entry([mood_words(viewer, who, t), *words, [], [ink("  size  what moved it", "dim")]])]
    causes = view.causes(who, t)
    since = start_of_day(world, who)
    for cause in sorted(causes, key=lambda c: (rank(c, since), -size(c))):
        when = [ink(age(t - cause.t), "dim")] if has_age(cause) else []
        fg: Ink = "text" if abs(cause.p) < FLAT else value_ink(cause.p)
        head = [ink(f"{size(cause):6.2f}  ", fg), outside(cause_words(world.clock, cause, t))]
        lines = [with_end(head, when, width), *_moves((cause.p, cause.a, cause.d), width)]
        out.append(Entry(lines, leads(stage, cause.seq), (cause.seq, cause.why)))
    nature = size(Cause(*rest, 0, 0, ""))
    if not causes:
        out.append(Entry([[ink("        "), ink("nothing has happened yet", "soft")]]))
    out.append(Entry([[ink(f"{nature:6.2f}  ", "soft"), ink("by nature", "soft")], *_moves(rest, width)]))
    out.append(Entry([[]]))
    out.append(Entry(axis_lines(pad, min(41, max(9, width - 17)), "link")))
    return out


def _moves(delta: Sequence[float], width: int) -> list[Line]:
    parts = [f"{name} {value:+z.2f}" for name, value in zip(AXES, delta, strict=True) if abs(value) >= FLAT]
    return flow([[ink(part, "dim")] for part in parts or ["almost nothing"]], width, 8, 2)


# ---- choices


def choice_entries(stage: TownLayout, who: str, t: float, decided: Sequence[Record], width: int) -> list[Entry]:
    """What somebody does now and why, then their recent decisions: talks begun and declined, plans made and changed."""
    told = [(record.stamp.seq, _decision(stage.viewer, record, t, width)) for record in decided]
    entries = [Entry([[], *lines], leads(stage, seq), seq) for seq, lines in told if lines]
    return [_present(stage, who, t, decided, width), *entries]


def _present(stage: TownLayout, who: str, t: float, decided: Sequence[Record], width: int) -> Entry:
    viewer = stage.viewer
    world = viewer.world
    row, r = viewer.view.row(who, t), world.people.residents[who]
    chose = next((record for record in decided if STORIES[type(record.event)].doing(record.event)), None)
    when = [ink(age(t - chose.stamp.t), "dim")] if chose is not None else []
    where = "" if "on the way" in row.doing else f" {row.where}"
    out = [with_end([ink("now ", "dim"), outside(f"{row.doing}{where}")], when, width)]
    if r.plan:
        block = _at_work(r, STORIES[type(chose.event)].doing(chose.event) if chose is not None else "", t)
        span = f"{world.clock.hhmm(block.start)} to {world.clock.hhmm(block.end)}"
        if r.talk in world.talk.open and (opener := world.talk.open[r.talk].who[0]) != who:
            out += _indented(f"because: {viewer.name(opener)} came to talk", "soft", width)
        says = f"planned {span}: {world.handbook.doing(block.do)} {world.handbook.at(block.where)}"
        out += _indented(says, "soft", width)
        out += _indented(f"because: {behind(world, who, block)}", "soft", width)
    return Entry(out, leads(stage, chose.stamp.seq if chose is not None else 0), "now")


def _at_work(resident: Resident, doing: str, t: float) -> Block:
    """The block of the plan that somebody is busy with: the one of their activity, which may run past its hour."""
    by_clock = resident.plan[block_at(resident, int(t))]
    if resident.act is None or resident.talk or not doing or doing == by_clock.do:
        return by_clock
    return next((b for b in reversed(resident.plan) if b.do == doing and b.start <= t), by_clock)


def _decision(viewer: Viewer, record: Record, t: float, width: int) -> list[Line]:
    """One decision and the rules behind it; nothing for an event that is no decision."""
    choice = STORIES[type(record.event)].choice
    if choice is None:
        return []
    words, blocks = choice(viewer.timeline.teller, record.event)
    return [with_end([outside(words)], [ink(age(t - record.stamp.t), "dim")], width), *lines_of(blocks, width)]


def _indented(text: str, fg: Ink, width: int, most: int = 9) -> list[Line]:
    return hung([ink("  ")], text, width, fg, most=most)


# ---- ties


def tie_entries(stage: TownLayout, who: str, other: str, t: float, width: int) -> list[Entry]:
    """Somebody's ties with their causes, strongest first; if `other` is given, that tie alone with all its causes."""
    viewer = stage.viewer
    ties = viewer.world.people.ties.get(who, {})
    rows = [row for row in viewer.view.ties(who) if not other or row.who == other]
    out: list[Entry] = []
    for row in rows:
        to_all = None if other else partial(open_why, stage, who, TIES, row.who)
        out.append(Entry(tie_number_lines(row, width), to_all, ("tie", row.who)))
        out += _left(stage, who, row.who, ties[row.who], t, width)
        out += _ledger(stage, who, row.who, ties[row.who], row.closeness, t, width, 99 if other else CAUSES)
        out.append(Entry([[]]))
    if other and rows:
        turned = f"what {viewer.name(who)} is to {viewer.name(other)}, and why"
        back = partial(open_why, stage, other, TIES, who)
        out.append(Entry([[ink("= ", "accent"), *fit([outside(turned, "soft")], width - 2)]], back, "back"))
    if not rows:
        whom = viewer.name(other) if other else "anybody"
        out.append(remark(f"{viewer.name(who)} is not tied to {whom} yet.", width))
    return out


def open_why(stage: TownLayout, who: str, tab: str, other: str) -> None:
    """Open the why sheet of `who` at a tab. other: show the tie to them alone, "" = all ties."""
    stage.open_sheet(WhySheet(stage, who, tab, other))


def _left(stage: TownLayout, who: str, other: str, tie: Tie, t: float, width: int) -> list[Entry]:
    """The feeling that the last talks left behind, and how it fades; enter goes to the last of them."""
    left = stage.viewer.view.left(who, other)
    if left is None:
        return []
    came, fades = remains_words(stage.viewer.world.clock, left, int(t))
    much = [ink(f"  {left.how} ", "dim"), ink(f"{left.value:+z.2f}  ", value_ink(left.value)), ink(fades, "dim")]
    lines = [*_indented(came, "text", width, 2), justify(much, [ink(age(t - left.t), "dim")], width)]
    return [Entry(lines, leads(stage, last_talk(tie, left)), (other, "left"))]


def _ledger(
    stage: TownLayout, who: str, other: str, tie: Tie, closeness: float, t: float, width: int, most: int
) -> list[Entry]:
    """The causes of a tie, largest first, the rest in one row. They add up to the tie's feeling and closeness: what the
    recorded causes do not explain was there before them or has faded since; it is listed as number 0.
    """
    found = {x.seq: x for x in tie_effects(tie.causes)}
    feeling = tie.feeling - sum(x.feeling for x in found.values())
    close = closeness - sum(x.closeness for x in found.values())
    if max(abs(feeling), abs(close)) >= FLAT:
        before = found.get(0, TieEffect(0, 0, 0.0, 0.0, None, FADED))
        found[0] = before._replace(feeling=before.feeling + feeling, closeness=before.closeness + close)
    past = next((x for x in stage.viewer.world.cast[who].history if x.with_ == other), None)
    if past is not None and 0 in found:
        since = found[0].feeling - past.feeling, found[0].closeness - past.closeness
        found[0] = TieEffect(0, 0, past.feeling, past.closeness, None, past.why)
        if max(map(abs, since)) >= FLAT:
            found[LATER] = TieEffect(0, LATER, *since, None, OLDER)
    order = sorted(found.values(), key=lambda x: -(abs(x.feeling) + abs(x.closeness)))
    out = []
    for x in order[:most]:
        when = age(t - x.t) if x.seq > 0 else "" if x.why in (FADED, OLDER) else "before the world began"
        moved = justify(effect_words(x.feeling, x.closeness), [ink(when, "dim")], width)
        out.append(Entry([*_indented(x.why, "text", width, 2), moved], leads(stage, x.seq), (other, x.seq)))
    rest = order[most:]
    if rest:
        words = _indented(count_of(len(rest), "smaller cause"), "dim", width)
        out.append(Entry([*words, effect_words(sum(x.feeling for x in rest), sum(x.closeness for x in rest))]))
    return out


# ---- the sheet


class WhySheet(ReadSheet):
    """Why somebody feels, acts and is tied as they do, in tabs. other: show the tie to them alone, "" = all ties."""

    kind = "why"
    turns, tabs = True, TABS

    def __init__(self, stage: TownLayout, who: str, tab: str = MOOD, other: str = "") -> None:
        name = stage.viewer.name(who)
        others = stage.viewer.name(other) + " is" if other else "others are"
        titles = {MOOD: f"Why {name} feels so", CHOICES: f"Why {name} does so", TIES: f"What {others} to {name}"}
        super().__init__(stage, clean(titles[tab]))
        self.who, self.tab, self.other = who, tab, other
        self.decided: Sequence[Record] = ()

    async def read(self) -> None:
        if self.tab == TIES:
            await log_queries.catch_up_memories(self.viewer)
        else:
            self.decided = await log_queries.decisions(self.viewer, self.who)

    def turned(self, by: int) -> TownSheet:
        """The next tab, or the one before."""
        return WhySheet(self.stage, self.who, self.tab_beside(by))

    def people(self) -> Sequence[str]:
        return [who for who in (self.who, self.other) if who]

    def hidden(self) -> bool:
        return self.viewer.hides(self.who)

    def entries(self, width: int) -> Sequence[Entry]:
        stage, who, t = self.stage, self.who, self.viewer.shown
        title = [outside(person_title(stage.viewer, who), "accent", bold=True)]
        out = [Entry([self.tab_line(), [], fit(title, width)])]
        if self.tab == MOOD:
            return out + mood_entries(stage, who, t, width)
        if self.tab == TIES:
            out += [Entry([[]]), *tie_entries(stage, who, self.other, t, width)]
            if stage.viewer.world.memories.live:
                return out
            self.keep_up(stage.viewer.world.seq)  # a replay first has to read the memories of talks
            return [*out, Entry(self.waiting(width))]
        self.keep_up(stage.viewer.view.version)
        return [*out, Entry([[]]), *choice_entries(stage, who, t, self.decided, width), Entry(self.waiting(width))]


# ---- who knows of a matter, and from whom


ASKS = "Who knows this, and from whom"
STEP, DEEPEST = 2, 6  # indent in cells of a level of the tree, and the deepest level that is indented


class KnowsSheet(TownSheet):
    """Who knows or believes what about a matter at the moment shown, and who told them."""

    kind, title = "knows", ASKS
    whole = True

    def __init__(self, stage: TownLayout, matter: str) -> None:
        super().__init__(stage)
        self.matter = matter

    def hidden(self) -> bool:
        return bool(self.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.viewer
        t = int(viewer.shown)
        found = known_facts(viewer.world, self.matter, t)
        matter = viewer.timeline.matters.get(self.matter)
        out: list[Entry] = []
        if not any(f.fact == self.matter for f in found):
            text = matter_sentence(viewer.world.handbook, matter) if matter is not None else "It is over, and forgotten"
            out += [_head(text, width), Entry([[ink("  nobody else knows", "dim")]])]
        for one in found:
            out.append(_head(one.says, width))
            out += [Entry(self._lines(k, width), leads(self.stage, k.seq), (one.fact, k.who)) for k in one.knowers]
        return out

    def _lines(self, knower: Knower, width: int) -> list[Line]:
        viewer = self.viewer
        world = viewer.world
        pad = " " * (STEP * min(knower.depth, DEEPEST))
        when = world.clock.words(knower.t) if knower.t else "from the start"
        where = f", {world.handbook.at(knower.where)}" if knower.where and not knower.depth else ""
        head = [ink(f"{pad}{'└ ' if knower.depth else '• '}", "link"), outside(knower_words(world, knower), bold=True)]
        lines = [fit([*head, ink(f"  {when}{clean(where)}, {surely(knower.strength)}", "dim")], width)]
        if knower.changed or (not knower.right and not knower.depth):
            lines += hung([ink(f"{pad}  ")], f"“{knower.says}”", width, "sour" if knower.lie else "accent")
        return lines


def _head(text: str, width: int) -> Entry:
    return Entry([[], *as_lines(text, width)])


def knows_entry(stage: TownLayout, matter: str) -> Entry:
    """An entry that opens the sheet of who knows of a matter."""
    asks = [ink("? ", "link"), ink(ASKS, "soft")]
    return Entry([asks], lambda: stage.open_sheet(KnowsSheet(stage, matter)), ("knows", matter))
