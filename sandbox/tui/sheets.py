"""What the sheets say: a talk in full, why somebody feels as they do, what the keys do."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment

from sandbox.core.clock import Clock
from sandbox.people.model import Handbook
from sandbox.people.words import MARKS, colour
from sandbox.stories.phrases import SOUGHT
from sandbox.stories.talks import TalkStory
from sandbox.tui import actions
from sandbox.tui.ink import BLUE, DIM, GOLD, SOFT, TEXT, Line, apart, bar, fit, ink, outside, width_of, wrap
from sandbox.tui.panes.person import age, cause_words, mood_words, size, title
from sandbox.tui.render.people import mood_colour
from sandbox.tui.viewer import Viewer

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
        fg = mood_colour(_MOODS.get(line.mood, "vague"), "default")
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


def why_lines(viewer: Viewer, who: str, t: float, width: int) -> list[Line]:
    """The ledger of a mood: every cause with its size, what it did, and its age. The causes and the rest add up."""
    view, world = viewer.view, viewer.world
    pad, rest = view.pad(who, t), world.people.residents[who].mood.rest
    out: list[Line] = [[outside(title(viewer, who), GOLD, bold=True)], mood_words(viewer, who, t), []]
    out.append([ink("  size  what moved it", DIM)])
    causes = view.causes(who, t)
    for cause in causes:
        when = ink("" if cause.why == "older" else f"  {age(t - cause.t)}", DIM)
        head = ink(f"{size(cause):6.2f}  ", TEXT)
        out.append(apart(fit([head, outside(cause_words(cause))], width - when.cell_length - 2), [when], width))
        out.append([ink(" " * 8), *_moves((cause.p, cause.a, cause.d))])
    if not causes:
        out.append([ink("        nothing yet: this is how they are by nature", SOFT)])
    out.append([ink("        by nature", SOFT)])
    out.append([ink(" " * 8), *_moves(rest)])
    out.append([])
    for name, value in zip(("pleasure", "arousal", "dominance"), pad, strict=True):
        out.append(
            [ink(f"{name:10}", DIM), *bar(value, min(41, max(9, width - 17)), BLUE), ink(f" {value:+.2f}", SOFT)]
        )
    return out


def _moves(delta: tuple[float, float, float]) -> Line:
    names = ("pleasure", "arousal", "dominance")
    parts = [f"{name} {value:+.2f}" for name, value in zip(names, delta, strict=True) if abs(value) >= 0.005]
    return [ink("  ".join(parts) or "almost nothing", DIM)]


def help_lines(where: str, keymap: Mapping[str, str], width: int) -> list[Line]:
    """What the keys do in a kind of pane, from the action table, then what the mouse does."""
    out: list[Line] = []
    group = ""
    for action in actions.usable(where):
        if not action.says:
            continue
        if action.group != group:
            group = action.group
            out += [[], [ink(group, GOLD, bold=True)]] if out else [[ink(group, GOLD, bold=True)]]
        keys = " ".join(actions.shown_key(key) for key in actions.keys_of(action, keymap))
        if action.id == "town.left":
            keys = "← → ↑ ↓"
        parts = wrap(action.says, max(10, width - 14))
        out.append([ink(f"{keys:14}", TEXT, bold=True), ink(parts[0], SOFT)])
        out += [[ink(" " * 14), ink(part, SOFT)] for part in parts[1:]]
    out += [[], [ink("Mouse", GOLD, bold=True)]]
    for what, does in (
        ("click", "Choose a person, or a row of the timeline; the map goes there."),
        ("double click", "Follow the person; read the row's talk."),
        ("drag, wheel", "Move the map, or the list."),
    ):
        parts = wrap(does, max(10, width - 14))
        out.append([ink(f"{what:14}", TEXT, bold=True), ink(parts[0], SOFT)])
        out += [[ink(" " * 14), ink(part, SOFT)] for part in parts[1:]]
    out += [[], [ink("Marks over people", GOLD, bold=True)]]
    talks = ('" talk', "! row", "♥ tender", "? gossip", "z asleep")
    out += _flow([ink(text, SOFT) for text in talks], width)
    out += _flow([ink(f"{mark} {mood}", mood_colour(mood, "default")) for mood, mark in MARKS.items()], width)
    return out


def _flow(parts: list[Segment], width: int) -> list[Line]:
    """Short texts side by side, in as many rows as they need."""
    out: list[Line] = [[]]
    for part in parts:
        if out[-1] and width_of(out[-1]) + 3 + part.cell_length > width:
            out.append([])
        out[-1] += [ink("   "), part] if out[-1] else [part]
    return out
