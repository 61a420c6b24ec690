"""What the screen shows of a slow mind: status words while a step waits for it, a mark over the people it thinks for,
its cost, and where the embedded mind answered instead.
"""

from __future__ import annotations

from collections import Counter

from sandbox.core.text import clean, join_names
from sandbox.minds.budget import Spent, Thinking
from sandbox.tui.view.action import GO_ON, first_key
from sandbox.tui.view.viewer import Viewer

SILENT = 4  # failed model answers in a row from which on the status says so
LONG = 0.5  # seconds a step may take before the status says that it waits
CENT = 0.01  # dollars; smaller sums are not shown exactly
THOUSAND = 1000
PEOPLE = 6  # a model of at most so many people lists them by name
FAULT = 160  # characters of a fault that are shown


def state(viewer: Viewer) -> tuple[object, ...]:
    """A value that changes when anything this module shows changes."""
    thinking = viewer.session.thinking
    if thinking is None:
        return ()
    return waiting_words(viewer), viewer.asked, thinking_words(viewer), thinking.spent, thinking.fallbacks


def thinking_mark(viewer: Viewer) -> str:
    """The mark over a person whom a mind is thinking for; in ASCII one that differs from the mark of fear."""
    return ":" if viewer.settings["glyphs"] == "ascii" else "…"


def waiting_words(viewer: Viewer) -> str:
    """Status words while a step waits for a model; "" if it has not waited long or time is paused anyway."""
    pace = viewer.pace
    if pace.waits <= LONG or not (pace.running or pace.stepping):
        return ""
    if pace.stopped_waiting:
        return "… going on without the model"
    key = first_key(GO_ON, viewer.keys)
    return f"… waiting for the model{_seconds(pace.waits)}" + (f" ({key}: go on without)" if key else "")


def thinking_words(viewer: Viewer) -> str:
    """How many requests are waiting and for how long ("thinking 3, 4 s"), or that no model answers, or ""."""
    thinking = viewer.session.thinking
    if thinking is not None and thinking.silent >= SILENT and not viewer.pace.stopped_waiting:
        return "no budget left" if thinking.stopped else "no model answers"
    if thinking is None or not thinking.waiting:
        return ""
    return f"thinking {len(thinking.waiting)}{_seconds(viewer.pace.waits or thinking.seconds)}"


def _seconds(n: float) -> str:
    return f", {int(n)} s" if n >= 1 else ""


def spent_words(spent: Spent) -> str:
    """The cost so far: dollars, or tokens if no price is known; "" if nothing was asked yet."""
    if spent.cost > 0:
        return f"${spent.cost:.2f}" if spent.cost >= CENT else "under $0.01"
    return _tokens(spent.tokens) if spent.tokens else ""


def _tokens(n: int) -> str:
    return f"{n / THOUSAND:.0f}k tokens" if n >= 10 * THOUSAND else f"{n:,} tokens"


def model_facts(viewer: Viewer) -> list[tuple[str, str]]:
    """(name, value) pairs for the sheet of facts; none if the embedded mind answers everything."""
    thinking = viewer.session.thinking
    if thinking is None:
        return []
    spent = thinking.spent
    out = [("models", text) for text in _models(viewer, thinking)]
    cost = f", ${spent.cost:.4f}" if spent.cost else ", no price known" if spent.calls else ""
    out.append(("calls", f"{spent.calls:,}, {spent.tokens:,} tokens{cost}"))
    if thinking.stopped or thinking.left:
        out.append(("budget", thinking.stopped if thinking.stopped else f"{thinking.left} left"))
    if thinking.fallbacks:
        last = f"; the last: {clean(thinking.fault, FAULT)}" if thinking.fault else ""
        n = thinking.fallbacks
        out.append(("fallbacks", f"{n:,} {'answer was' if n == 1 else 'answers were'} the embedded mind's{last}"))
    return out


def _models(viewer: Viewer, thinking: Thinking) -> list[str]:
    """A line for each model, the most used first: whom it thinks for, by name or count."""
    out = []
    for model, count in sorted(Counter(thinking.models.values()).items(), key=lambda m: (-m[1], m[0])):
        who = [viewer.name(id) for id, theirs in thinking.models.items() if theirs == model]
        everybody = count == len(viewer.world.cast)
        whose = "everybody" if everybody else join_names(who) if count <= PEOPLE else f"{count} people"
        out.append(f"{model}: {whose}")
    return out


def stopped_text(stopped: str) -> str:
    """The message shown once when a budget is used up."""
    stopped = clean(stopped, FAULT)
    return f"{stopped[:1].upper()}{stopped[1:]}: the embedded mind answers instead of the model"
